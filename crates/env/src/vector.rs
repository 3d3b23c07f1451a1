//! A vectorized environment: many games stepped at once on several threads, written into buffers of
//! the caller.
//!
//! Every game waits for the decision of one seat, its observer. A step plays one action in each game
//! and writes what the seat that moves next observes. A finished game is replaced in the same step
//! (autoreset): its rewards and `done` are those of the end, its observation is the next game's first.

use crate::action::ActionSpace;
use crate::game::Game;
use crate::observation::{Observation, Shape};
use crate::reward::Reward;
use azulejo_rules::{IllegalMove, Move, Phase, Rules};
use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
use rayon::slice::{ParallelSlice, ParallelSliceMut};

/// Games of one chunk, which one thread steps without asking for more work.
const CHUNK: usize = 64;

/// Where a step is written; one row for each game.
#[derive(Debug)]
pub struct Buffers<'a> {
    /// What the seat to move observes.
    pub observations: &'a mut [i16],
    /// Its legal actions.
    pub masks: &'a mut [i8],
    /// The rewards by seat.
    pub rewards: &'a mut [f32],
    /// 1 where the step ended a game, otherwise 0.
    pub dones: &'a mut [u8],
    /// The seat to move, from 0.
    pub turns: &'a mut [i8],
}

/// Why a step was refused. No game has changed then.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StepError {
    /// An action is not a number of the action space.
    #[error("game {game}: action {action} is not below {n_actions}")]
    NoSuchAction {
        /// The game.
        game: usize,
        /// The action.
        action: i64,
        /// The number of actions.
        n_actions: usize,
    },
    /// The move of an action is illegal.
    #[error("game {game}: action {action} is the move {m}: {reason}")]
    Illegal {
        /// The game.
        game: usize,
        /// The action.
        action: i64,
        /// Its move.
        m: Move,
        /// Why it is illegal.
        reason: IllegalMove,
    },
}

/// One game with a generator for sampled actions.
#[derive(Clone, Debug)]
struct Slot {
    game: Game,
    rng: fastrand::Rng,
}

/// Many games of one rule set.
#[derive(Debug)]
pub struct VectorEnv {
    rules: Rules,
    actions: ActionSpace,
    observation: Observation,
    reward: Reward,
    slots: Vec<Slot>,
    threads: Threads,
}

impl VectorEnv {
    /// A game for each seed, stepped by up to `n_threads` threads.
    ///
    /// # Errors
    /// If the system cannot start that many threads.
    pub fn new(
        rules: Rules,
        seeds: &[u64],
        shape: Shape,
        reward: Reward,
        n_threads: usize,
    ) -> Result<VectorEnv, rayon::ThreadPoolBuildError> {
        let mut env = VectorEnv {
            rules,
            actions: ActionSpace::new(&rules),
            observation: Observation::new(&rules, shape),
            reward,
            slots: Vec::new(),
            threads: Threads::new(n_threads)?,
        };
        env.reset(seeds);
        Ok(env)
    }

    /// Begins anew, with a game for each seed.
    pub fn reset(&mut self, seeds: &[u64]) {
        let slot = |&seed: &u64| Slot {
            game: Game::new(self.rules, seed),
            rng: fastrand::Rng::with_seed(seed),
        };
        self.slots = seeds.iter().map(slot).collect();
    }

    /// The rules of the games.
    #[must_use]
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The number of games.
    #[must_use]
    pub fn n_games(&self) -> usize {
        self.slots.len()
    }

    /// A game.
    #[must_use]
    pub fn game(&self, index: usize) -> Option<&Game> {
        self.slots.get(index).map(|slot| &slot.game)
    }

    /// The action space.
    #[must_use]
    pub const fn actions(&self) -> &ActionSpace {
        &self.actions
    }

    /// The form of the observations.
    #[must_use]
    pub const fn observation(&self) -> &Observation {
        &self.observation
    }

    /// The lengths that the buffers must have, in the order of [`Buffers`].
    #[must_use]
    pub fn sizes(&self) -> [usize; 5] {
        let n = self.n_games();
        let n_seats = self.rules.players().count();
        [n * self.observation.len(), n * self.actions.n_actions(), n * n_seats, n, n]
    }

    /// Writes the state of all games without a step; rewards and dones are 0.
    ///
    /// # Panics
    /// If a buffer has another length than [`sizes`](VectorEnv::sizes) says.
    pub fn observe(&mut self, buffers: &mut Buffers<'_>) {
        buffers.rewards.fill(0.0);
        buffers.dones.fill(0);
        self.each_row(buffers, |_, _, _, _| {});
    }

    /// Plays an action in each game.
    ///
    /// # Errors
    /// If an action is illegal; then nothing has changed and nothing was written.
    ///
    /// # Panics
    /// If `actions` or a buffer has another length than [`sizes`](VectorEnv::sizes) says.
    pub fn step(&mut self, actions: &[i64], buffers: &mut Buffers<'_>) -> Result<(), StepError> {
        assert_eq!(actions.len(), self.n_games(), "one action for each game");
        self.check(actions)?;
        let (space, reward) = (self.actions, self.reward);
        self.each_row(buffers, |index, slot, rewards, done| {
            let m = space.get(actions[index] as usize).expect("actions were checked");
            let before = *slot.game.position();
            slot.game.play(m);
            reward.write(&before, slot.game.position(), rewards);
            let is_over = matches!(slot.game.position().phase(), Phase::Over(_));
            *done = is_over.into();
            if is_over {
                slot.game.restart();
            }
        });
        Ok(())
    }

    /// Chooses a random legal action in each game.
    ///
    /// # Panics
    /// If there is not one action for each game.
    pub fn sample(&mut self, actions: &mut [i64]) {
        assert_eq!(actions.len(), self.n_games(), "one action for each game");
        let space = self.actions;
        let choose = |slot: &mut Slot| {
            let m = slot.game.position().pick_move(|n| slot.rng.u32(..n));
            let action = m.and_then(|m| space.action(m));
            action.expect("a game that goes on has a legal move") as i64
        };
        let slots = &mut self.slots;
        self.threads.run(|| {
            let chunks = (slots.par_chunks_mut(CHUNK), actions.par_chunks_mut(CHUNK));
            chunks.into_par_iter().for_each(|(slots, actions)| {
                for (slot, action) in slots.iter_mut().zip(actions) {
                    *action = choose(slot);
                }
            });
        });
    }

    fn check(&mut self, actions: &[i64]) -> Result<(), StepError> {
        let (space, slots) = (self.actions, &self.slots);
        let n_actions = space.n_actions();
        let fault = |game: usize, slot: &Slot, action: i64| {
            let m = usize::try_from(action).ok().and_then(|action| space.get(action));
            let Some(m) = m else {
                return Some(StepError::NoSuchAction { game, action, n_actions });
            };
            let reason = slot.game.position().check(m).err()?;
            Some(StepError::Illegal { game, action, m, reason })
        };
        let find = || {
            let chunks = (slots.par_chunks(CHUNK), actions.par_chunks(CHUNK)).into_par_iter();
            chunks.enumerate().find_map_first(|(chunk, (slots, actions))| {
                let games = (chunk * CHUNK..).zip(slots).zip(actions);
                games.into_iter().find_map(|((game, slot), &action)| fault(game, slot, action))
            })
        };
        self.threads.run(find).map_or(Ok(()), Err)
    }

    /// Calls `play` with the index, the game, the rewards and `done` of each row, and then writes what
    /// the seat to move observes.
    fn each_row(
        &mut self,
        buffers: &mut Buffers<'_>,
        play: impl Fn(usize, &mut Slot, &mut [f32], &mut u8) + Sync,
    ) {
        let found = [
            buffers.observations.len(),
            buffers.masks.len(),
            buffers.rewards.len(),
            buffers.dones.len(),
            buffers.turns.len(),
        ];
        assert_eq!(found, self.sizes(), "the lengths of the buffers");
        if self.slots.is_empty() {
            return;
        }
        let (observation, actions) = (self.observation, self.actions);
        let (n_numbers, n_actions) = (observation.len(), actions.n_actions());
        let n_seats = self.rules.players().count();
        let chunks = (
            self.slots.par_chunks_mut(CHUNK),
            buffers.observations.par_chunks_mut(CHUNK * n_numbers),
            buffers.masks.par_chunks_mut(CHUNK * n_actions),
            buffers.rewards.par_chunks_mut(CHUNK * n_seats),
            buffers.dones.par_chunks_mut(CHUNK),
            buffers.turns.par_chunks_mut(CHUNK),
        );
        self.threads.run(|| {
            chunks.into_par_iter().enumerate().for_each(|(chunk, rows)| {
                let (slots, observations, masks, rewards, dones, turns) = rows;
                let rows = slots
                    .iter_mut()
                    .zip(observations.chunks_exact_mut(n_numbers))
                    .zip(masks.chunks_exact_mut(n_actions))
                    .zip(rewards.chunks_exact_mut(n_seats))
                    .zip(dones.iter_mut())
                    .zip(turns.iter_mut());
                for (i, (((((slot, numbers), mask), rewards), done), turn)) in rows.enumerate() {
                    play(chunk * CHUNK + i, slot, rewards, done);
                    let position = slot.game.position();
                    observation.write(position, position.turn(), numbers);
                    actions.write_mask(position, mask);
                    *turn = position.turn().index() as i8;
                }
            });
        });
    }
}

/// The threads that step the games. A forked process has none of its parent's threads, so it starts
/// its own.
#[derive(Debug)]
struct Threads {
    pool: rayon::ThreadPool,
    /// The process that started them.
    process: u32,
}

impl Threads {
    fn new(n_threads: usize) -> Result<Threads, rayon::ThreadPoolBuildError> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build()?;
        Ok(Threads { pool, process: std::process::id() })
    }

    fn run<R: Send>(&mut self, work: impl FnOnce() -> R + Send) -> R {
        if self.process != std::process::id() {
            let own = Threads::new(self.pool.current_num_threads());
            let parents = std::mem::replace(self, own.expect("a forked process can start threads"));
            // Dropping the pool would wait for threads that are not in this process.
            std::mem::forget(parents);
        }
        self.pool.install(work)
    }
}

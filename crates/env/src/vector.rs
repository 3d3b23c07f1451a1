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
use crate::threads::Threads;
use azulejo_rules::{IllegalMove, Move, Phase, Rules};
use std::sync::{Arc, Mutex, PoisonError};

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

impl Slot {
    /// Whether an action can be played in this game, whose index is for the error.
    #[inline]
    fn check(&self, moves: &[Move], game: usize, action: i64) -> Result<(), StepError> {
        let m = usize::try_from(action).ok().and_then(|action| moves.get(action));
        let Some(&m) = m else {
            return Err(StepError::NoSuchAction { game, action, n_actions: moves.len() });
        };
        let checked = self.game.position().check(m);
        checked.map_err(|reason| StepError::Illegal { game, action, m, reason })
    }
}

/// Many games of one rule set.
#[derive(Debug)]
pub struct VectorEnv {
    rules: Rules,
    actions: ActionSpace,
    /// The move of each action.
    moves: Arc<[Move]>,
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
        let actions = ActionSpace::new(&rules);
        let mut env = VectorEnv {
            rules,
            actions,
            moves: (0..actions.n_actions()).map_while(|action| actions.get(action)).collect(),
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
        let (reward, moves) = (self.reward, Arc::clone(&self.moves));
        self.each_row(buffers, |index, slot, rewards, done| {
            let before = *slot.game.position();
            slot.game.play(moves[actions[index] as usize]);
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
        let chunks = self.slots.chunks_mut(CHUNK).zip(actions.chunks_mut(CHUNK));
        self.threads.share(chunks, |(slots, actions)| {
            for (slot, action) in slots.iter_mut().zip(actions) {
                let m = slot.game.position().pick_move(|n| slot.rng.u32(..n));
                let chosen = m.and_then(|m| space.action(m));
                *action = chosen.expect("a game that goes on has a legal move") as i64;
            }
        });
    }

    /// The first fault among the actions.
    fn check(&mut self, actions: &[i64]) -> Result<(), StepError> {
        let (moves, found) = (&self.moves, Mutex::new(None));
        let chunks = self.slots.chunks(CHUNK).zip(actions.chunks(CHUNK)).enumerate();
        self.threads.share(chunks, |(chunk, (slots, actions))| {
            let games = (chunk * CHUNK..).zip(slots.iter().zip(actions));
            for (game, (slot, &action)) in games {
                let Err(fault) = slot.check(moves, game, action) else { continue };
                let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
                if found.is_none_or(|(first, _)| game < first) {
                    *found = Some((game, fault));
                }
                break;
            }
        });
        let found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        found.map_or(Ok(()), |(_, fault)| Err(fault))
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
        let (observation, actions) = (self.observation, self.actions);
        let (n_numbers, n_actions) = (observation.len(), actions.n_actions());
        let n_seats = self.rules.players().count();
        let chunks = self
            .slots
            .chunks_mut(CHUNK)
            .zip(buffers.observations.chunks_mut(CHUNK * n_numbers))
            .zip(buffers.masks.chunks_mut(CHUNK * n_actions))
            .zip(buffers.rewards.chunks_mut(CHUNK * n_seats))
            .zip(buffers.dones.chunks_mut(CHUNK))
            .zip(buffers.turns.chunks_mut(CHUNK));
        self.threads.share(chunks.enumerate(), |(chunk, rows)| {
            let (((((slots, observations), masks), rewards), dones), turns) = rows;
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
    }
}

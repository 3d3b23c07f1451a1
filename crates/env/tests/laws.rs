//! What holds in every game: masks are the legal moves, observations can be read back, and a step of
//! the vectorized environment is a move of the rules.

use azulejo_env::{
    ActionSpace, Buffers, Game, Layout, Observation, Reward, Shape, StepError, VectorEnv,
};
use azulejo_rules::{Phase, Position, Rules, Seat};
use azulejo_testkit::games;

const GAMES: [&str; 8] = ["2c", "3c", "4c", "2g", "3cj", "4gj", "2c-duel", "4c-quick-guide"];

fn each_position(mut visit: impl FnMut(&Rules, &Position)) {
    for text in GAMES {
        let rules: Rules = text.parse().unwrap();
        for seed in 0..5 {
            games::each_position(rules, seed, |position| visit(&rules, position));
        }
    }
}

#[test]
fn a_mask_is_the_legal_moves() {
    each_position(|rules, position| {
        let space = ActionSpace::new(rules);
        let mut mask = vec![7; space.n_actions()];
        space.write_mask(position, &mut mask);
        for (action, &is_legal) in mask.iter().enumerate() {
            let m = space.get(action).unwrap();
            assert_eq!(is_legal == 1, position.is_legal(m), "{m} in {position}");
        }
        let n_legal: i32 = mask.iter().map(|&n| i32::from(n)).sum();
        assert_eq!(n_legal as u32, position.n_legal_moves());
    });
}

#[test]
fn a_flat_observation_is_the_whole_position() {
    each_position(|rules, position| {
        let observation = Observation::new(rules, Shape::Flat);
        let mut numbers = vec![-1; observation.len()];
        for &seat in rules.players().seats() {
            observation.write(position, seat, &mut numbers);
            assert_eq!(Layout::decode(rules, &numbers), Ok((*position, seat)), "{position}");
        }
    });
    // Between rounds and after the end, too.
    for text in GAMES {
        let start = Position::new(text.parse().unwrap(), Seat::One);
        let mut last = start;
        games::each_position(*start.rules(), 1, |position| last = *position);
        while matches!(last.phase(), Phase::Draft | Phase::Tiling(_)) {
            last.play_random(12_345);
        }
        for position in [start, last] {
            let observation = Observation::new(start.rules(), Shape::Flat);
            let mut numbers = vec![-1; observation.len()];
            observation.write(&position, Seat::Two, &mut numbers);
            let decoded = Layout::decode(start.rules(), &numbers);
            assert_eq!(decoded, Ok((position, Seat::Two)), "{position}");
        }
    }
}

#[test]
fn numbers_that_are_no_observation_are_refused() {
    let rules: Rules = "2c".parse().unwrap();
    assert!(Layout::decode(&rules, &[0; 3]).is_err());
    let observation = Observation::new(&rules, Shape::Flat);
    assert!(Layout::decode(&rules, &vec![0; observation.len()]).is_err());
    assert!(Layout::decode(&rules, &vec![1; observation.len()]).is_err());
    assert!(Layout::decode(&rules, &vec![-1; observation.len()]).is_err());
    assert!(Layout::decode(&rules, &vec![i16::MAX; observation.len()]).is_err());
    let mut numbers = vec![0; observation.len()];
    observation.write(&Position::new(rules, Seat::One), Seat::One, &mut numbers);
    for i in 0..numbers.len() {
        // Every number matters: a wrong one is refused or shows something else.
        let mut other = numbers.clone();
        other[i] += 1;
        assert_ne!(Layout::decode(&rules, &other), Layout::decode(&rules, &numbers), "{i}");
    }
}

/// Planes show the same as the flat form, and no number of them can be changed unnoticed.
#[test]
fn planes_are_the_whole_position() {
    each_position(|rules, position| {
        let observation = Observation::new(rules, Shape::Planes);
        let mut numbers = vec![-1; observation.len()];
        for &seat in rules.players().seats() {
            observation.write(position, seat, &mut numbers);
            assert_eq!(Layout::decode_planes(rules, &numbers), Ok((*position, seat)), "{position}");
        }
        // One of them at a time, another one in each position.
        let at = position.hash_key() as usize % numbers.len();
        numbers[at] += 1;
        let seen = Layout::decode_planes(rules, &numbers);
        assert_ne!(seen.map(|(position, _)| position), Ok(*position), "{at} in {position}");
    });
    let rules: Rules = "3gj".parse().unwrap();
    let len = Observation::new(&rules, Shape::Planes).len();
    for numbers in [vec![0; 3], vec![0; len], vec![1; len], vec![-1; len], vec![i16::MAX; len]] {
        assert!(Layout::decode_planes(&rules, &numbers).is_err());
    }
}

/// The parts of both forms have the same names and bounds, and a plane is where the layout says.
#[test]
fn layouts_agree() {
    for text in GAMES {
        let rules: Rules = text.parse().unwrap();
        let [flat, planes] = [Layout::flat(&rules).parts, Layout::planes(&rules).parts];
        assert_eq!(flat.len(), planes.len());
        for (a, b) in flat.iter().zip(&planes) {
            assert_eq!((&a.name, a.high), (&b.name, b.high));
        }
        let position = Position::new(rules, Seat::One);
        let observation = Observation::new(&rules, Shape::Planes);
        let mut numbers = vec![-1; observation.len()];
        observation.write(&position, Seat::One, &mut numbers);
        let bag = planes.iter().find(|part| part.name == "bag").unwrap();
        assert!(numbers[25 * bag.start..25 * (bag.start + 1)].iter().all(|&n| n >= 18), "{text}");
    }
}

/// The buffers of an environment.
struct Rows {
    observations: Vec<i16>,
    masks: Vec<i8>,
    rewards: Vec<f32>,
    dones: Vec<u8>,
    turns: Vec<i8>,
}

impl Rows {
    fn new(env: &VectorEnv) -> Rows {
        let [observations, masks, rewards, dones, turns] = env.sizes();
        Rows {
            observations: vec![-1; observations],
            masks: vec![-1; masks],
            rewards: vec![f32::NAN; rewards],
            dones: vec![7; dones],
            turns: vec![-1; turns],
        }
    }

    fn buffers(&mut self) -> Buffers<'_> {
        Buffers {
            observations: &mut self.observations,
            masks: &mut self.masks,
            rewards: &mut self.rewards,
            dones: &mut self.dones,
            turns: &mut self.turns,
        }
    }
}

/// Steps of many games on two threads are those of single games played beside them.
#[test]
fn a_step_is_a_move_of_the_rules() {
    for (text, reward) in [("2c", Reward::Outcome), ("3gj", Reward::Score), ("4c", Reward::Margin)]
    {
        let rules: Rules = text.parse().unwrap();
        let n_seats = rules.players().count();
        let seeds: Vec<u64> = (100..230).collect();
        let mut env = VectorEnv::new(rules, &seeds, Shape::Flat, reward, 2).unwrap();
        let mut games: Vec<Game> = seeds.iter().map(|&seed| Game::new(rules, seed)).collect();
        let mut rows = Rows::new(&env);
        env.observe(&mut rows.buffers());
        let (observation, space) = (*env.observation(), *env.actions());
        let mut actions = vec![0; seeds.len()];
        let mut n_ended = 0;
        for _ in 0..300 {
            env.sample(&mut actions);
            env.step(&actions, &mut rows.buffers()).unwrap();
            for (i, game) in games.iter_mut().enumerate() {
                let before = *game.position();
                let m = space.get(actions[i] as usize).unwrap();
                assert!(before.is_legal(m));
                game.play(m);
                let rewards = &rows.rewards[i * n_seats..(i + 1) * n_seats];
                let outcome = game.position().outcome();
                assert_eq!(rows.dones[i], u8::from(outcome.is_some()));
                match (reward, outcome) {
                    (Reward::Score, _) => {
                        let score = |position: &Position, seat: usize| {
                            f32::from(position.boards()[seat].score())
                        };
                        for (seat, &reward) in rewards.iter().enumerate() {
                            assert_eq!(reward, score(game.position(), seat) - score(&before, seat));
                        }
                    }
                    (_, None) => assert!(rewards.iter().all(|&reward| reward == 0.0)),
                    (Reward::Outcome, Some(outcome)) => {
                        assert!(rewards.iter().sum::<f32>().abs() < 1e-6);
                        for (rank, &reward) in outcome.ranks.iter().zip(rewards) {
                            assert!(if *rank == 1 { reward >= 0.0 } else { reward < 0.0 });
                        }
                    }
                    (Reward::Margin, Some(outcome)) => {
                        let best = outcome.scores.iter().max().unwrap();
                        let margin = rewards.iter().copied().fold(f32::MIN, f32::max);
                        assert!(margin >= 0.0 && outcome.scores.contains(best));
                    }
                }
                if rows.dones[i] == 1 {
                    n_ended += 1;
                    game.restart();
                }
                assert_eq!(env.game(i).unwrap().position(), game.position());
                let turn = game.position().turn();
                let mut numbers = vec![0; observation.len()];
                observation.write(game.position(), turn, &mut numbers);
                let at = i * numbers.len();
                assert_eq!(numbers, rows.observations[at..at + numbers.len()]);
                let mut mask = vec![0; space.n_actions()];
                space.write_mask(game.position(), &mut mask);
                let at = i * mask.len();
                assert_eq!(mask, rows.masks[at..at + mask.len()]);
                assert_eq!(rows.turns[i] as usize, turn.index());
            }
        }
        assert!(n_ended > 100, "{text}: {n_ended} games ended");
    }
}

#[test]
fn an_illegal_action_changes_nothing() {
    let rules: Rules = "2c".parse().unwrap();
    let mut env = VectorEnv::new(rules, &[1, 2, 3], Shape::Flat, Reward::Outcome, 1).unwrap();
    let mut rows = Rows::new(&env);
    let mut actions = [0; 3];
    env.sample(&mut actions);
    let before = *env.game(0).unwrap().position();
    for action in [-1, 180, i64::MAX, i64::MIN] {
        actions[2] = action;
        let error = env.step(&actions, &mut rows.buffers()).unwrap_err();
        assert_eq!(error, StepError::NoSuchAction { game: 2, action, n_actions: 180 });
    }
    // The center is empty at first.
    actions[1] = 0;
    let error = env.step(&actions, &mut rows.buffers()).unwrap_err();
    assert!(matches!(error, StepError::Illegal { game: 1, action: 0, .. }), "{error}");
    assert_eq!(*env.game(0).unwrap().position(), before);
    assert!(rows.dones.iter().all(|&done| done == 7), "nothing was written");
}

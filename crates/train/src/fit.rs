//! Training: passes over the samples in random order, a step for each batch, and after each pass a
//! measurement on games that were held out.
//!
//! A batch is split among the threads in equal parts, and their gradients are added in order, so
//! that seed and number of threads fix every bit of the result.

use crate::adam::Adam;
use crate::data::{Data, Section};
use crate::luck::Luck;
use crate::measure::{Measured, measure};
use crate::model::{Goal, Gradient, Model};
use crate::parallel;
use crate::progress::Progress;
use crate::quantize;
use crate::samples::Samples;
use crate::shard::write_whole;
use anyhow::{Context, ensure};
use azulejo_engine::features::N_FEATURES;
use azulejo_engine::network::Network;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Train a network on games of self-play.
///
/// Example: azulejo-train fit --data data --out net.bin --epochs 20
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Folders with games.
    #[arg(long, required = true, num_args = 1..)]
    data: Vec<PathBuf>,
    /// The file for the network.
    #[arg(long)]
    out: PathBuf,
    /// Go on from this network. The sections that are not trained are taken over from it.
    #[arg(long)]
    from: Option<PathBuf>,
    /// Begin the section with chance weights all the same.
    #[arg(long, requires = "from")]
    afresh: bool,
    /// The section to train.
    #[arg(long, value_enum, default_value_t = Section::Two)]
    section: Section,
    /// Decides everything that chance decides.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many threads learn. Another number gives a slightly different network.
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// A file to which the losses are written, a line for each epoch.
    #[arg(long)]
    log: Option<PathBuf>,
    #[command(flatten)]
    how: FitOptions,
}

/// How to learn.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct FitOptions {
    /// Passes over all samples.
    #[arg(long, default_value_t = 12)]
    pub(crate) epochs: u32,
    /// Samples in a batch.
    #[arg(long, default_value_t = 1024)]
    pub(crate) batch: usize,
    /// The learning rate at the beginning; it falls to a fiftieth along a cosine.
    #[arg(long, default_value_t = 0.002)]
    pub(crate) lr: f32,
    /// How fast weights fade that nothing supports: the share that is lost in a step is this
    /// times the learning rate.
    #[arg(long, default_value_t = 0.2)]
    pub(crate) decay: f32,
    /// How much the end of the game counts in a target; the rest is what the engine expected a
    /// round later. In games of the hand-written evaluation it is all that counts.
    #[arg(long, default_value_t = 0.8, value_parser = crate::share)]
    pub(crate) lambda: f64,
    /// How much more positions between rounds count than others.
    #[arg(long, default_value_t = 4.0)]
    pub(crate) between_weight: f32,
    /// How much the chance to win counts beside the difference.
    #[arg(long, default_value_t = 1.0)]
    pub(crate) win_weight: f32,
}

/// The first line of a file of losses.
pub(crate) const LOSS_HEADER: &str = "epoch,rate,training_loss,validation_loss,between_rmse,between_entropy,between_sign,within_rmse,within_entropy,within_sign,seconds";

/// What one epoch came to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Epoch {
    number: u32,
    rate: f32,
    training_loss: f64,
    measured: Measured,
    seconds: f64,
}

impl Epoch {
    pub(crate) fn csv(&self) -> String {
        let Epoch { number, rate, training_loss, measured, seconds } = self;
        let Measured { loss, between, within } = measured;
        format!(
            "{number},{rate:.6},{training_loss:.6},{loss:.6},{},{},{seconds:.1}",
            between.csv(),
            within.csv()
        )
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let job = Job {
        folders: &args.data,
        from: args.from.as_deref(),
        afresh: args.afresh,
        section: args.section,
        seed: args.seed,
        threads: args.threads,
        how: &args.how,
    };
    let (network, epochs) = job.run()?;
    if let Some(path) = &args.log {
        write_log(path, &epochs)?;
    }
    write_network(&args.out, &network)
}

/// Writes the losses of a training as a table.
pub(crate) fn write_log(path: &Path, epochs: &[Epoch]) -> anyhow::Result<()> {
    let mut text = format!("{LOSS_HEADER}\n");
    for epoch in epochs {
        text += &epoch.csv();
        text.push('\n');
    }
    write_whole(path, text.as_bytes()).with_context(|| path.display().to_string())
}

/// Reads a network.
pub(crate) fn read_network(path: &Path) -> anyhow::Result<Network> {
    let bytes = fs::read(path).with_context(|| path.display().to_string())?;
    Network::read(bytes.as_slice()).with_context(|| path.display().to_string())
}

/// Writes a network so that the file is there as a whole or not at all.
pub(crate) fn write_network(path: &Path, network: &Network) -> anyhow::Result<()> {
    let mut bytes = Vec::new();
    network.write(&mut bytes)?;
    write_whole(path, &bytes).with_context(|| path.display().to_string())
}

/// A training.
pub(crate) struct Job<'a> {
    pub(crate) folders: &'a [PathBuf],
    pub(crate) from: Option<&'a Path>,
    /// Whether the section begins with chance weights even so.
    pub(crate) afresh: bool,
    pub(crate) section: Section,
    pub(crate) seed: u64,
    pub(crate) threads: usize,
    pub(crate) how: &'a FitOptions,
}

impl Job<'_> {
    pub(crate) fn run(&self) -> anyhow::Result<(Network, Vec<Epoch>)> {
        ensure!(self.how.batch > 0, "a batch has at least one sample");
        let mut network = match self.from {
            Some(path) => read_network(path)?,
            None => Network::blank(),
        };
        let data = Data::read(self.folders, self.section, self.how.lambda as f32, self.threads)?;
        eprintln!(
            "{} games, {} samples to learn from, {} to measure on, {:.1} features each",
            data.n_games,
            data.training.len(),
            data.validation.len(),
            data.training.mean_features()
        );
        ensure!(data.training.len() > 0, "there is nothing to learn from");
        let players = self.section.players();
        let mut luck = Luck::new(self.seed);
        let model = match self.from {
            Some(_) if !self.afresh => quantize::dequantize(network.section(players[0])),
            _ => Model::new(N_FEATURES, &mut luck),
        };
        let mut trainer = Trainer::new(model, self.how, self.threads, luck);
        let epochs = trainer.train(&data);
        let layers = quantize::quantize(&trainer.model)?;
        let check = quantize::check(&layers, &trainer.model, &data.validation)?;
        eprintln!(
            "whole numbers: off by {:.3} points and {:.4} log odds, largest sum {}",
            check.points_off, check.log_odds_off, check.largest_sum
        );
        for &players in players {
            *network.section_mut(players) = layers.clone();
        }
        Ok((network, epochs))
    }
}

/// A model with all that moves it.
struct Trainer<'a> {
    model: Model,
    /// The model as the engine will have it, once it learns with that in mind.
    rounded: Option<Model>,
    adam: Adam,
    gradients: Vec<Gradient>,
    luck: Luck,
    how: &'a FitOptions,
    goal: Goal,
}

impl<'a> Trainer<'a> {
    fn new(model: Model, how: &'a FitOptions, threads: usize, luck: Luck) -> Trainer<'a> {
        let gradients = (0..threads.max(1)).map(|_| Gradient::new(&model)).collect();
        let goal = Goal { between_rounds: how.between_weight, win: how.win_weight };
        Trainer { adam: Adam::new(&model), model, rounded: None, gradients, luck, how, goal }
    }

    fn train(&mut self, data: &Data) -> Vec<Epoch> {
        let mut order: Vec<u32> = (0..data.training.len() as u32).collect();
        let n_batches = order.len().div_ceil(self.how.batch);
        let schedule = Schedule::new(self.how, n_batches);
        let mut epochs = Vec::new();
        for number in 1..=self.how.epochs {
            let start = Instant::now();
            self.luck.shuffle(&mut order);
            let progress = Progress::new(n_batches as u64, "batches");
            progress.remark(format!("epoch {number}"));
            let (mut loss, mut weight) = (0.0, 0.0);
            let first_step = (number as usize - 1) * n_batches;
            for (i, batch) in order.chunks(self.how.batch).enumerate() {
                if schedule.is_settling(first_step + i) {
                    self.settle();
                }
                let (batch_loss, batch_weight) = self.learn(&data.training, batch);
                let rate = schedule.rate(first_step + i);
                let weight_sum = batch_weight as f32;
                self.adam.step(
                    &mut self.model,
                    &mut self.gradients,
                    weight_sum,
                    rate,
                    self.how.decay,
                );
                loss += batch_loss;
                weight += batch_weight;
                progress.add(1);
            }
            progress.finish();
            if self.rounded.is_some() {
                self.settle();
            }
            let model = self.rounded.as_ref().unwrap_or(&self.model);
            let epoch = Epoch {
                number,
                rate: schedule.rate(first_step),
                training_loss: loss / weight,
                measured: measure(model, &data.validation, &self.goal, self.gradients.len()),
                seconds: start.elapsed().as_secs_f64(),
            };
            report(&epoch);
            epochs.push(epoch);
        }
        epochs
    }

    /// Goes on with rounded weights: what rounding costs is learned to be avoided.
    fn settle(&mut self) {
        let rounded = self.rounded.get_or_insert_with(|| self.model.clone());
        quantize::round(&self.model.rows, 0, self.model.n_features(), &mut rounded.rows);
    }

    /// Adds up the gradients of a batch. Gives the sum of its losses and of its weights.
    fn learn(&mut self, samples: &Samples, batch: &[u32]) -> (f64, f64) {
        let (model, goal) = (self.rounded.as_ref().unwrap_or(&self.model), &self.goal);
        let share = batch.len().div_ceil(self.gradients.len());
        let learn_part = |part: &[u32], gradient: &mut Gradient| {
            let (mut loss, mut weight) = (0.0, 0.0);
            for &i in part {
                let sample = samples.get(i as usize);
                loss += f64::from(model.learn(sample, goal, gradient));
                weight += f64::from(goal.weight(sample.facts));
            }
            (loss, weight)
        };
        let parts = batch.chunks(share).zip(&mut self.gradients);
        let sums = parallel::run(parts.map(|(part, gradient)| move || learn_part(part, gradient)));
        sums.into_iter().fold((0.0, 0.0), |sum, part| (sum.0 + part.0, sum.1 + part.1))
    }
}

/// The learning rate: rises for a moment, then falls along a cosine.
struct Schedule {
    peak: f32,
    n_steps: usize,
    n_rising: usize,
}

impl Schedule {
    fn new(how: &FitOptions, n_batches: usize) -> Schedule {
        let n_steps = n_batches * how.epochs as usize;
        // The first steps of Adam are large, because it has seen little.
        Schedule { peak: how.lr, n_steps, n_rising: (n_steps / 50).clamp(1, 500) }
    }

    /// Whether the rest of the training is with rounded weights.
    fn is_settling(&self, step: usize) -> bool {
        step >= self.n_steps - self.n_steps / 8
    }

    fn rate(&self, step: usize) -> f32 {
        const LAST: f32 = 0.02;
        let rising = ((step + 1) as f32 / self.n_rising as f32).min(1.0);
        let part = step as f32 / self.n_steps.max(1) as f32;
        let falling = 0.5 * (1.0 + (std::f32::consts::PI * part).cos());
        self.peak * rising * (LAST + (1.0 - LAST) * falling)
    }
}

fn report(epoch: &Epoch) {
    let Measured { loss, between, within } = epoch.measured;
    eprintln!(
        "epoch {:>3}  loss {:.4}  held out {loss:.4}  between rounds: {:.2} points {:.4} {:.1} %  within: {:.2} points {:.4} {:.1} %  {:.1} s",
        epoch.number,
        epoch.training_loss,
        between.rmse(),
        between.mean_entropy(),
        100.0 * between.sign(),
        within.rmse(),
        within.mean_entropy(),
        100.0 * within.sign(),
        epoch.seconds,
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selfplay::{Table, tests::job};

    fn options() -> FitOptions {
        FitOptions {
            epochs: 4,
            batch: 64,
            lr: 0.005,
            decay: 0.1,
            lambda: 0.5,
            between_weight: 4.0,
            win_weight: 1.0,
        }
    }

    fn fit(
        folder: &Path,
        section: Section,
        from: Option<&Path>,
        seed: u64,
    ) -> (Network, Vec<Epoch>) {
        let how = options();
        let folders = [folder.to_owned()];
        let afresh = false;
        Job { folders: &folders, from, afresh, section, seed, threads: 2, how: &how }.run().unwrap()
    }

    #[test]
    fn the_seed_fixes_the_network() {
        let dir = crate::scratch("fit");
        job(40, Table::Two).complete(&dir, 2).unwrap();
        let (first, epochs) = fit(&dir, Section::Two, None, 1);
        let (again, _) = fit(&dir, Section::Two, None, 1);
        assert_eq!(first, again);
        let (other, _) = fit(&dir, Section::Two, None, 2);
        assert_ne!(first, other);
        assert_eq!(first.four, Network::blank().four);
        assert_eq!(epochs.len(), 4);
        assert!(epochs[3].training_loss < 0.9 * epochs[0].training_loss, "{epochs:?}");
        assert_eq!(epochs[0].csv().split(',').count(), LOSS_HEADER.split(',').count());
    }

    #[test]
    fn a_section_leaves_the_others_alone() {
        let dir = crate::scratch("sections");
        let (two, more) = (dir.join("two"), dir.join("more"));
        job(12, Table::Two).complete(&two, 2).unwrap();
        job(12, Table::Mixed).complete(&more, 2).unwrap();
        let (first, _) = fit(&two, Section::Two, None, 1);
        let path = dir.join("net.bin");
        write_network(&path, &first).unwrap();
        let (both, _) = fit(&more, Section::More, Some(&path), 1);
        assert_eq!(both.two, first.two);
        assert_ne!(both.three, first.three);
        assert_eq!(both.three, both.four);
        write_network(&path, &both).unwrap();
        let (all, _) = fit(&more, Section::Four, Some(&path), 1);
        assert_eq!((&all.two, &all.three), (&both.two, &both.three));
        assert_ne!(all.four, both.four);
        let how = options();
        let job = Job {
            folders: &[more],
            from: None,
            afresh: false,
            section: Section::Two,
            seed: 1,
            threads: 1,
            how: &how,
        };
        let error = job.run().unwrap_err().to_string();
        assert!(error.contains("no games for the section `two`"), "{error}");
    }

    #[test]
    fn the_rate_rises_and_falls() {
        let schedule = Schedule::new(&FitOptions { epochs: 10, ..options() }, 100);
        let rates: Vec<f32> = (0..1000).map(|step| schedule.rate(step)).collect();
        let top = rates.iter().position(|&rate| rate == rates.iter().copied().fold(0.0, f32::max));
        assert_eq!(top, Some(schedule.n_rising - 1));
        assert!(rates[0] < 0.1 * rates[20]);
        assert!(rates[20..].is_sorted_by(|a, b| a >= b));
        assert!(rates[999] < 0.03 * schedule.peak && rates[999] > 0.0);
        assert!(!schedule.is_settling(874) && schedule.is_settling(875));
    }
}

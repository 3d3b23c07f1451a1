//! Training: epochs of shuffled mini-batches with Adam, a cosine learning-rate schedule, a
//! quantization-aware last eighth, and validation on held-out games after each epoch.
//!
//! A batch is split among the threads in equal parts and their gradients are added in order, so the
//! seed and the number of threads determine every bit of the result.

use crate::adam::Adam;
use crate::data::Data;
use crate::kinds::Kinds;
use crate::measure::{Measured, measure};
use crate::model::{Gradient, Model, sample_weight};
use crate::parallel;
use crate::progress::Progress;
use crate::quantize;
use crate::rng::Rng;
use crate::samples::Samples;
use crate::targets::Mix;
use anyhow::{Context, ensure};
use azulejo_engine::features::N_FEATURES;
use azulejo_engine::network::Network;
use azulejo_files::write_atomic;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Train a network on self-play games.
///
/// Example: azulejo-train fit --data data --out net.bin --epochs 20
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Folders of self-play games.
    #[arg(long, required = true, num_args = 1..)]
    data: Vec<PathBuf>,
    /// The file for the network.
    #[arg(long)]
    out: PathBuf,
    /// Continue from this network, whose other sections are copied. Without it, training starts from
    /// random weights.
    #[arg(long)]
    from: Option<PathBuf>,
    /// The kinds of game to train one section for, such as `2g,2gj`; `4` means all kinds with
    /// four players.
    #[arg(long, default_value = "2")]
    kinds: Kinds,
    /// The seed of initial weights and shuffling.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Training threads. Another number gives a slightly different network.
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// A CSV file for the losses, one line for each epoch.
    #[arg(long)]
    log: Option<PathBuf>,
    #[command(flatten)]
    how: FitOptions,
}

/// Hyperparameters.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct FitOptions {
    /// Passes over all samples.
    #[arg(long, default_value_t = 12)]
    pub(crate) epochs: u32,
    /// Samples in a batch.
    #[arg(long, default_value_t = 1024)]
    pub(crate) batch: usize,
    /// The peak learning rate; it falls to a fiftieth along a cosine.
    #[arg(long, default_value_t = 0.002)]
    pub(crate) lr: f32,
    /// Weight decay: each step multiplies the weights by 1 - decay * learning rate.
    #[arg(long, default_value_t = 0.2)]
    pub(crate) decay: f32,
    /// Let the weights decay to those of `--from` instead of zero. With few games this keeps what the
    /// network knows about features that are rare in them.
    #[arg(long)]
    pub(crate) anchor: bool,
    /// The share of the game result in a target; the rest is the forecast one round later. Games of
    /// the hand-written evaluation always use 1.
    #[arg(long, default_value_t = 0.8, value_parser = crate::share)]
    pub(crate) lambda: f64,
    /// Let the result count for positions before an exploration move, too. Otherwise the forecast there takes
    /// its place, which hands the bias of a network down to the next one: with four players most rounds have
    /// such a move. Worth the noise where exploration is rare (`selfplay --explore 0.02`).
    #[arg(long)]
    pub(crate) past_exploration: bool,
}

/// The header of a file of losses.
pub(crate) const LOSS_HEADER: &str = "epoch,rate,training_loss,validation_loss,between_rmse,between_entropy,between_sign,within_rmse,within_entropy,within_sign,seconds";

/// The result of one epoch.
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
        kinds: &args.kinds,
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

/// Writes the losses of a training as CSV.
pub(crate) fn write_log(path: &Path, epochs: &[Epoch]) -> anyhow::Result<()> {
    let mut text = format!("{LOSS_HEADER}\n");
    for epoch in epochs {
        text += &epoch.csv();
        text.push('\n');
    }
    write_atomic(path, text.as_bytes()).with_context(|| path.display().to_string())
}

/// Reads a network.
pub(crate) fn read_network(path: &Path) -> anyhow::Result<Network> {
    let bytes = fs::read(path).with_context(|| path.display().to_string())?;
    Network::read(bytes.as_slice()).with_context(|| path.display().to_string())
}

/// Writes a network atomically.
pub(crate) fn write_network(path: &Path, network: &Network) -> anyhow::Result<()> {
    let mut bytes = Vec::new();
    network.write(&mut bytes)?;
    write_atomic(path, &bytes).with_context(|| path.display().to_string())
}

/// A training job.
pub(crate) struct Job<'a> {
    pub(crate) folders: &'a [PathBuf],
    pub(crate) from: Option<&'a Path>,
    pub(crate) kinds: &'a Kinds,
    pub(crate) seed: u64,
    pub(crate) threads: usize,
    pub(crate) how: &'a FitOptions,
}

impl Job<'_> {
    pub(crate) fn run(&self) -> anyhow::Result<(Network, Vec<Epoch>)> {
        ensure!(self.how.batch > 0, "a batch needs at least one sample");
        let mut network = match self.from {
            Some(path) => read_network(path)?,
            None => Network::blank(),
        };
        // Wall choices follow the network that training starts from; a blank one goes by the score.
        let FitOptions { lambda, past_exploration, .. } = *self.how;
        let mix = Mix { lambda: lambda as f32, past_exploration };
        let data = Data::read(self.folders, self.kinds, &network, mix, self.threads)?;
        eprintln!(
            "{} games, {} training samples, {} validation samples, {:.1} active features each",
            data.n_games,
            data.training.len(),
            data.validation.len(),
            data.training.mean_features()
        );
        ensure!(data.training.len() > 0, "there are no training samples");
        let mut rng = Rng::new(self.seed);
        let model = match self.from {
            Some(_) => quantize::dequantize(network.section(&self.kinds.0[0])),
            None => Model::new(N_FEATURES, &mut rng),
        };
        if self.from.is_some() {
            let before = measure(&model, &data.validation, self.threads);
            eprintln!("held out {:.4} before training", before.loss);
        }
        let mut trainer = Trainer::new(model, self.how, self.threads, rng);
        let epochs = trainer.train(&data);
        let layers = quantize::quantize(&trainer.model)?;
        let check = quantize::check(&layers, &trainer.model, &data.validation)?;
        eprintln!(
            "quantization error: {:.3} points and {:.4} log odds, largest sum {}",
            check.points_off, check.log_odds_off, check.largest_sum
        );
        network.set_section(&self.kinds.0, layers.into());
        Ok((network, epochs))
    }
}

/// A model with its optimizer.
struct Trainer<'a> {
    model: Model,
    /// The model with quantized weights, once training is quantization-aware.
    quantized: Option<Model>,
    adam: Adam,
    gradients: Vec<Gradient>,
    rng: Rng,
    how: &'a FitOptions,
}

impl<'a> Trainer<'a> {
    fn new(model: Model, how: &'a FitOptions, threads: usize, rng: Rng) -> Trainer<'a> {
        let gradients = (0..threads.max(1)).map(|_| Gradient::new(&model)).collect();
        let adam = if how.anchor { Adam::anchored(&model) } else { Adam::new(&model) };
        Trainer { adam, model, quantized: None, gradients, rng, how }
    }

    fn train(&mut self, data: &Data) -> Vec<Epoch> {
        let mut order: Vec<u32> = (0..data.training.len() as u32).collect();
        let n_batches = order.len().div_ceil(self.how.batch);
        let schedule = Schedule::new(self.how, n_batches);
        let mut epochs = Vec::new();
        for number in 1..=self.how.epochs {
            let start = Instant::now();
            self.rng.shuffle(&mut order);
            let progress = Progress::new(n_batches as u64, "batches");
            progress.remark(format!("epoch {number}"));
            let (mut loss, mut weight) = (0.0, 0.0);
            let first_step = (number as usize - 1) * n_batches;
            for (i, batch) in order.chunks(self.how.batch).enumerate() {
                if schedule.is_quantization_aware(first_step + i) {
                    self.quantize();
                }
                let (batch_loss, batch_weight) = self.backpropagate(&data.training, batch);
                let rate = schedule.rate(first_step + i);
                let (weight_sum, decay) = (batch_weight as f32, self.how.decay);
                self.adam.step(&mut self.model, &mut self.gradients, weight_sum, rate, decay);
                loss += batch_loss;
                weight += batch_weight;
                progress.add(1);
            }
            progress.finish();
            if self.quantized.is_some() {
                self.quantize();
            }
            let model = self.quantized.as_ref().unwrap_or(&self.model);
            let epoch = Epoch {
                number,
                rate: schedule.rate(first_step),
                training_loss: loss / weight,
                measured: measure(model, &data.validation, self.gradients.len()),
                seconds: start.elapsed().as_secs_f64(),
            };
            report(&epoch);
            epochs.push(epoch);
        }
        epochs
    }

    /// Rounds the weights for the next forward pass (quantization-aware training).
    fn quantize(&mut self) {
        let quantized = self.quantized.get_or_insert_with(|| self.model.clone());
        quantize::round(&self.model, quantized);
    }

    /// Adds up the gradients of a batch. Returns the sums of its losses and of its weights.
    fn backpropagate(&mut self, samples: &Samples, batch: &[u32]) -> (f64, f64) {
        let model = self.quantized.as_ref().unwrap_or(&self.model);
        let share = batch.len().div_ceil(self.gradients.len());
        let backpropagate_part = |part: &[u32], gradient: &mut Gradient| {
            let (mut loss, mut weight) = (0.0, 0.0);
            for &i in part {
                let sample = samples.get(i as usize);
                loss += f64::from(model.backpropagate(sample, gradient));
                weight += f64::from(sample_weight(sample.labels));
            }
            (loss, weight)
        };
        let parts = batch.chunks(share).zip(&mut self.gradients);
        let sums =
            parallel::run(parts.map(|(part, gradient)| move || backpropagate_part(part, gradient)));
        sums.into_iter().fold((0.0, 0.0), |sum, part| (sum.0 + part.0, sum.1 + part.1))
    }
}

/// The learning-rate schedule: linear warm-up, then cosine decay.
struct Schedule {
    peak: f32,
    n_steps: usize,
    n_warm_up: usize,
}

impl Schedule {
    fn new(how: &FitOptions, n_batches: usize) -> Schedule {
        let n_steps = n_batches * how.epochs as usize;
        // The first steps of Adam are large, because its moments are not yet reliable.
        Schedule { peak: how.lr, n_steps, n_warm_up: (n_steps / 50).clamp(1, 500) }
    }

    /// Whether a step is in the quantization-aware last eighth.
    fn is_quantization_aware(&self, step: usize) -> bool {
        step >= self.n_steps - self.n_steps / 8
    }

    fn rate(&self, step: usize) -> f32 {
        const LAST: f32 = 0.02;
        let rising = ((step + 1) as f32 / self.n_warm_up as f32).min(1.0);
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
    use crate::selfplay::{PlayerCount, tests::job};
    use azulejo_engine::network::Layers;

    fn options() -> FitOptions {
        FitOptions {
            epochs: 4,
            batch: 64,
            lr: 0.005,
            decay: 0.1,
            anchor: false,
            lambda: 0.5,
            past_exploration: false,
        }
    }

    fn fit(folder: &Path, kinds: &str, from: Option<&Path>, seed: u64) -> (Network, Vec<Epoch>) {
        let how = options();
        let (folders, kinds) = ([folder.to_owned()], kinds.parse().unwrap());
        Job { folders: &folders, from, kinds: &kinds, seed, threads: 2, how: &how }.run().unwrap()
    }

    fn section<'a>(network: &'a Network, rules: &str) -> &'a Layers {
        network.section(&rules.parse().unwrap())
    }

    #[test]
    fn seed_determines_the_network() {
        let dir = crate::scratch("fit");
        job(40, PlayerCount::Two).complete(&dir, 2).unwrap();
        let (first, epochs) = fit(&dir, "2", None, 1);
        let (again, _) = fit(&dir, "2", None, 1);
        assert_eq!(first, again);
        let (other, _) = fit(&dir, "2", None, 2);
        assert_ne!(first, other);
        assert_eq!(section(&first, "4c"), section(&Network::blank(), "4c"));
        assert_eq!(epochs.len(), 4);
        assert!(epochs[3].training_loss < 0.9 * epochs[0].training_loss, "{epochs:?}");
        assert_eq!(epochs[0].csv().split(',').count(), LOSS_HEADER.split(',').count());
    }

    #[test]
    fn training_a_section_keeps_the_others() {
        let dir = crate::scratch("sections");
        let (two, more) = (dir.join("two"), dir.join("more"));
        job(12, PlayerCount::Two).complete(&two, 2).unwrap();
        job(12, PlayerCount::Mixed).complete(&more, 2).unwrap();
        let (first, _) = fit(&two, "2", None, 1);
        let path = dir.join("net.bin");
        write_network(&path, &first).unwrap();
        let (both, _) = fit(&more, "3,4", Some(&path), 1);
        assert_eq!(section(&both, "2c"), section(&first, "2c"));
        assert_ne!(section(&both, "3c"), section(&first, "3c"));
        assert_eq!(section(&both, "3c"), section(&both, "4gj"));
        write_network(&path, &both).unwrap();
        let (all, _) = fit(&more, "4", Some(&path), 1);
        for rules in ["2c", "3c"] {
            assert_eq!(section(&all, rules), section(&both, rules));
        }
        assert_ne!(section(&all, "4c"), section(&both, "4c"));
        let how = options();
        let job = Job {
            folders: &[more],
            from: None,
            kinds: &"2c".parse().unwrap(),
            seed: 1,
            threads: 1,
            how: &how,
        };
        let error = job.run().unwrap_err().to_string();
        assert!(error.contains("no games of these kinds"), "{error}");
    }

    #[test]
    fn rate_warms_up_and_decays() {
        let schedule = Schedule::new(&FitOptions { epochs: 10, ..options() }, 100);
        let rates: Vec<f32> = (0..1000).map(|step| schedule.rate(step)).collect();
        let top = rates.iter().position(|&rate| rate == rates.iter().copied().fold(0.0, f32::max));
        assert_eq!(top, Some(schedule.n_warm_up - 1));
        assert!(rates[0] < 0.1 * rates[20]);
        assert!(rates[20..].is_sorted_by(|a, b| a >= b));
        assert!(rates[999] < 0.03 * schedule.peak && rates[999] > 0.0);
        assert!(!schedule.is_quantization_aware(874) && schedule.is_quantization_aware(875));
    }
}

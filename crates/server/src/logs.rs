//! Structured logs on standard error, as lines for people or as JSON for programs. They contain no
//! secret: no token, no invitation, no seed, and no path with the id of a private game.

use tracing_subscriber::EnvFilter;

/// The format of the logs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// Lines for people.
    Text,
    /// One JSON object per line.
    Json,
}

/// Starts logging. `filter` selects the messages, as in `info` or `warn,azulejo::access=info`.
///
/// # Errors
/// If the filter is invalid.
pub fn start_logs(format: LogFormat, filter: &str) -> Result<(), String> {
    let filter = EnvFilter::try_new(filter).map_err(|error| error.to_string())?;
    let logs = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    // A second call keeps the first logger.
    let _ = match format {
        LogFormat::Text => logs.with_ansi(false).try_init(),
        LogFormat::Json => logs.json().try_init(),
    };
    Ok(())
}

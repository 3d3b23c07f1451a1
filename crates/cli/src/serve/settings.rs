//! The settings of `azulejo serve`. [`Settings`] defines each one once: clap reads it from the
//! command line and the environment, serde from the TOML file of `--config`.

use anyhow::{Context, anyhow, bail};
use azulejo_server::{Config, Place};
use clap::builder::BoolishValueParser;
use clap::{ArgMatches, FromArgMatches};
use serde::Deserialize;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The default of `--listen`.
const LISTEN: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 8137);

#[derive(clap::Args, Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Settings {
    /// Address and port to listen on; port 0 takes a free one [default: 127.0.0.1:8137]
    #[arg(long, env = "AZULEJO_LISTEN", value_name = "ADDRESS", hide_env_values = true)]
    listen: Option<SocketAddr>,
    /// Database of the games: a file, or postgres://USER:PASSWORD@HOST/NAME [default: a file in
    /// your data folder]
    #[arg(long, env = "AZULEJO_DATABASE", hide_env_values = true)]
    database: Option<String>,
    /// Number of threads that search moves for engine seats [default: all but one]
    #[arg(long, env = "AZULEJO_ENGINE_THREADS", value_name = "N")]
    engine_threads: Option<usize>,
    /// Longest time the engine searches for a move, in milliseconds [default: 1500]
    #[arg(long, env = "AZULEJO_ENGINE_MS", value_name = "MS")]
    engine_ms: Option<u64>,
    /// Azulejo TV: the engine plays against itself while somebody watches, at the lowest priority
    /// [default: yes]
    #[arg(long, env = "AZULEJO_TV", value_name = "YES|NO",
          value_parser = BoolishValueParser::new(), hide_possible_values = true)]
    tv: Option<bool>,
    /// Names of this server in the addresses that browsers open, like `azul.example.org`, separated
    /// by commas (in the file: a list). IP addresses and local names need not be listed [default:
    /// none; any name with --trust-proxy yes]
    #[arg(long, env = "AZULEJO_HOSTS", value_name = "NAME", value_delimiter = ',')]
    hosts: Vec<String>,
    /// Other origins whose pages may use this server, like `https://example.org`, separated by
    /// commas (in the file: a list)
    #[arg(long, env = "AZULEJO_ORIGINS", value_name = "ORIGIN", value_delimiter = ',')]
    origins: Vec<String>,
    /// Trust the client address in `X-Forwarded-For`, set by a proxy in front [default: no]
    #[arg(long, env = "AZULEJO_TRUST_PROXY", value_name = "YES|NO",
          value_parser = BoolishValueParser::new(), hide_possible_values = true)]
    trust_proxy: Option<bool>,
    /// Browsers connect by HTTPS, through a proxy: they keep to HTTPS from then on, and cookies are
    /// sent over HTTPS only [default: no]
    #[arg(long, env = "AZULEJO_HTTPS", value_name = "YES|NO",
          value_parser = BoolishValueParser::new(), hide_possible_values = true)]
    https: Option<bool>,
    /// Limit the rate of requests from one address [default: yes]
    #[arg(long, env = "AZULEJO_LIMITS", value_name = "YES|NO",
          value_parser = BoolishValueParser::new(), hide_possible_values = true)]
    limits: Option<bool>,
    /// Days to keep finished games; 0 is forever [default: 0]
    #[arg(long, env = "AZULEJO_KEEP_FINISHED_DAYS", value_name = "DAYS")]
    keep_finished_days: Option<u32>,
    /// Days to keep games closed without a result; 0 is forever [default: 30]
    #[arg(long, env = "AZULEJO_KEEP_UNFINISHED_DAYS", value_name = "DAYS")]
    keep_unfinished_days: Option<u32>,
    /// Days to keep people without games after a visit; 0 is forever [default: 365]
    #[arg(long, env = "AZULEJO_KEEP_PEOPLE_DAYS", value_name = "DAYS")]
    keep_people_days: Option<u32>,
    /// Longest time to finish open requests when the server stops, in seconds [default: 10]
    #[arg(long, env = "AZULEJO_GRACE", value_name = "SECONDS")]
    grace: Option<u64>,
    /// What to log, like `info` or `warn,azulejo::access=info` [default: warn]
    #[arg(long, env = "AZULEJO_LOG", value_name = "FILTER")]
    log: Option<String>,
    /// Format of the logs [default: text]
    #[arg(long, env = "AZULEJO_LOG_FORMAT", value_enum)]
    log_format: Option<LogFormat>,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
enum LogFormat {
    #[default]
    Text,
    Json,
}

impl Settings {
    /// Reads a settings file; `given` on the command line or in the environment overrides it.
    pub(super) fn read(path: &Path, given: &ArgMatches) -> anyhow::Result<Settings> {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?;
        let mut settings = Settings::parse(&name, &text)?;
        settings.update_from_arg_matches(given)?;
        Ok(settings)
    }

    fn parse(name: &str, text: &str) -> anyhow::Result<Settings> {
        toml::from_str(text).map_err(|error| {
            let hint = "Settings are TOML: text in quotes (listen = \"127.0.0.1:8137\"), numbers \
                        without (grace = 10), yes and no as true and false (https = true).";
            anyhow!("{name}: {}\n{hint}", error.to_string().trim_end())
        })
    }

    /// The filter and format of the logs.
    pub(super) fn logs(&self) -> (&str, azulejo_server::LogFormat) {
        let format = match self.log_format.unwrap_or_default() {
            LogFormat::Text => azulejo_server::LogFormat::Text,
            LogFormat::Json => azulejo_server::LogFormat::Json,
        };
        (self.log.as_deref().unwrap_or("warn"), format)
    }

    /// The configuration of the server, which has the defaults of what is not set.
    pub(super) fn config(&self) -> anyhow::Result<Config> {
        let database = match &self.database {
            Some(text) => Place::read(text),
            None => Place::File(default_database()?),
        };
        let mut config = Config::new(self.listen.unwrap_or(LISTEN), database);
        config.web = crate::web::file;
        set(&mut config.engine_threads, self.engine_threads);
        set(&mut config.engine_time, self.engine_ms.map(Duration::from_millis));
        set(&mut config.has_tv, self.tv);
        config.hosts = self.hosts.iter().map(|name| host(name)).collect::<Result<_, _>>()?;
        config.origins = self.origins.iter().map(|text| origin(text)).collect::<Result<_, _>>()?;
        set(&mut config.trusts_proxy, self.trust_proxy);
        set(&mut config.is_secure, self.https);
        set(&mut config.limits.is_on, self.limits);
        set(&mut config.retention.finished_days, self.keep_finished_days);
        set(&mut config.retention.unfinished_days, self.keep_unfinished_days);
        set(&mut config.retention.people_days, self.keep_people_days);
        set(&mut config.grace, self.grace.map(Duration::from_secs));
        Ok(config)
    }
}

/// Checks a name of `--hosts`.
fn host(text: &str) -> anyhow::Result<String> {
    let name = text.trim();
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '.' || c == '-';
    if name.is_empty() || !name.chars().all(is_name) {
        bail!("--hosts: `{name}` must be a name like azul.example.org, without https:// and port");
    }
    Ok(name.to_owned())
}

/// Checks an origin of `--origins`. Browsers send it in exactly this form.
fn origin(text: &str) -> anyhow::Result<String> {
    let origin = text.trim();
    let host = origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://"));
    if host.is_none_or(|host| host.is_empty() || host.contains(['/', '*', '@', ' '])) {
        bail!("--origins: `{origin}` must look like https://example.org, without a path");
    }
    Ok(origin.to_ascii_lowercase())
}

fn set<T>(place: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *place = value;
    }
}

/// The database in the user's data folder.
pub(crate) fn default_database() -> anyhow::Result<PathBuf> {
    let folder = azulejo_files::data_dir().context("no database is given with --database")?;
    std::fs::create_dir_all(&folder).with_context(|| format!("{}", folder.display()))?;
    Ok(folder.join("games.db"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{Args, CommandFactory};

    /// A file with every setting.
    const GOOD: &str = "# ours\nlisten = \"127.0.0.1:9000\"\ndatabase = \"postgres://a:b@c/d\"\n\
        engine-threads = 2\nengine-ms = 70\ntv = false\nhosts = [\"azul.a.org\"]\norigins = [\"https://a.org\", \"https://b.org\"]\n\
        trust-proxy = true\nhttps = true\nlimits = false\nkeep-finished-days = 900\n\
        keep-unfinished-days = 0\nkeep-people-days = 60\ngrace = 3\nlog = \"info\"\n\
        log-format = \"json\"\n";

    fn given(args: &[&str]) -> ArgMatches {
        let command = Settings::augment_args(clap::Command::new("serve"));
        command.get_matches_from([&["serve"], args].concat())
    }

    #[test]
    fn every_setting_can_be_in_the_file_and_overridden() {
        let mut settings = Settings::parse("x.toml", GOOD).unwrap();
        let config = settings.config().unwrap();
        assert_eq!(config.listen.port(), 9000);
        assert_eq!((config.engine_threads, config.engine_time), (2, Duration::from_millis(70)));
        assert_eq!(config.origins, ["https://a.org", "https://b.org"]);
        assert_eq!(config.hosts, ["azul.a.org"]);
        assert!(config.trusts_proxy && config.is_secure && !config.limits.is_on && !config.has_tv);
        assert_eq!(config.grace, Duration::from_secs(3));
        let kept = config.retention;
        assert_eq!((kept.finished_days, kept.unfinished_days, kept.people_days), (900, 0, 60));
        assert!(matches!(settings.logs(), ("info", azulejo_server::LogFormat::Json)));
        let flags = ["--grace", "4", "--https", "no", "--origins", "https://c.org, https://d.org"];
        settings.update_from_arg_matches(&given(&flags)).unwrap();
        let config = settings.config().unwrap();
        assert_eq!(config.origins, ["https://c.org", "https://d.org"]);
        assert!(config.trusts_proxy && !config.is_secure);
        assert_eq!((config.grace, config.listen.port()), (Duration::from_secs(4), 9000));
        // The file above has every setting: one more here needs a line there.
        let command = Settings::augment_args(clap::Command::new("serve"));
        for setting in command.get_arguments() {
            let line = format!("\n{} = ", setting.get_long().expect("every setting has a flag"));
            assert!(GOOD.contains(&line), "{line}");
        }
    }

    #[test]
    fn the_help_names_the_defaults() {
        let config = Config::new(LISTEN, Place::read("x.db"));
        let mut command = crate::Cli::command();
        let serve = command.find_subcommand_mut("serve").expect("a command");
        let help = serve.render_long_help().to_string();
        for default in [
            format!("[default: {LISTEN}]"),
            format!("[default: {}]", config.engine_time.as_millis()),
            format!("[default: {}]", config.grace.as_secs()),
            format!("[default: {}]", config.retention.finished_days),
            format!("[default: {}]", config.retention.unfinished_days),
            format!("[default: {}]", config.retention.people_days),
        ] {
            assert!(help.contains(&default), "{default}: {help}");
        }
    }

    #[test]
    fn mistakes_are_reported_with_their_line() {
        for (text, words) in [
            ("grace = 1\nlisen = 2", "line 2"),
            ("lisen = 2", "unknown field `lisen`, expected one of `listen`"),
            ("listen = 127.0.0.1:8137", "text in quotes"),
            ("https = yes", "https = true"),
            ("https = \"yes\"", "line 1"),
            ("listen = \"nowhere\"", "line 1"),
            ("grace = 1\ngrace = 2", "duplicate key"),
            ("nonsense", "line 1"),
        ] {
            let error = Settings::parse("x.toml", text).unwrap_err().to_string();
            assert!(error.starts_with("x.toml: ") && error.contains(words), "{text}: {error}");
        }
    }

    #[test]
    fn hosts_and_origins_are_checked() {
        for (flags, problem) in [
            (["--hosts", "https://a.org"], "--hosts: `https://a.org` must be a name"),
            (["--hosts", "a.org:443"], "without https:// and port"),
            (["--origins", "a.org"], "--origins: `a.org` must look like https://example.org"),
            (["--origins", "https://a.org/"], "without a path"),
            (["--origins", "*"], "must look like https://example.org"),
        ] {
            let mut settings = Settings::parse("x.toml", "database = \"x.db\"").unwrap();
            settings.update_from_arg_matches(&given(&flags)).unwrap();
            let error = settings.config().unwrap_err().to_string();
            assert!(error.contains(problem), "{flags:?}: {error}");
        }
    }

    /// Random changes of a valid file are read, or refused with the file's name.
    #[test]
    fn any_file_is_read_or_refused() {
        let mut rng = fastrand::Rng::with_seed(3);
        let (mut n_read, mut n_refused) = (0, 0);
        for _ in 0..20_000 {
            let mut text: Vec<char> = GOOD.chars().collect();
            for _ in 0..rng.usize(..4) {
                let at = rng.usize(..text.len());
                match rng.usize(..3) {
                    0 => text[at] = ['=', '\n', '#', '\0', 'é', ' ', '9', '-'][rng.usize(..8)],
                    1 => text.truncate(at.max(1)),
                    _ => {
                        let other = text[rng.usize(..text.len())..].to_vec();
                        text.splice(at.., other);
                    }
                }
            }
            match Settings::parse("x.toml", &text.into_iter().collect::<String>()) {
                Ok(_) => n_read += 1,
                Err(error) => {
                    let error = error.to_string();
                    assert!(error.starts_with("x.toml: TOML parse error at line "), "{error}");
                    n_refused += 1;
                }
            }
        }
        assert!(n_read > 5_000 && n_refused > 1_000, "{n_read} {n_refused}");
    }
}

//! Runs the program, or a line of shell with the program on its path, and keeps the output.

pub(crate) use azulejo_testkit::Scratch as Folder;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Every variant: players, wall and jokers, as options.
pub(crate) const VARIANTS: [&str; 12] = [
    "-p2 -wcolored",
    "-p2 -wgrey",
    "-p2 -wcolored -j",
    "-p2 -wgrey -j",
    "-p3 -wcolored",
    "-p3 -wgrey",
    "-p3 -wcolored -j",
    "-p3 -wgrey -j",
    "-p4 -wcolored",
    "-p4 -wgrey",
    "-p4 -wcolored -j",
    "-p4 -wgrey -j",
];

/// The result of a run.
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    fn of(output: Output) -> Run {
        Run {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).expect("the program prints UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("the program prints UTF-8"),
        }
    }

    /// The output, after checking that the run succeeded without errors.
    #[track_caller]
    pub(crate) fn fine(self) -> String {
        assert_eq!((self.code, self.stderr.as_str()), (Some(0), ""), "{}", self.stdout);
        self.stdout
    }

    /// The output as JSON.
    #[track_caller]
    pub(crate) fn json(self) -> serde_json::Value {
        let text = self.fine();
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
    }

    /// Standard error, after checking the exit code.
    #[track_caller]
    pub(crate) fn fails(self, code: i32) -> String {
        assert_eq!(self.code, Some(code), "{}{}", self.stdout, self.stderr);
        self.stderr
    }
}

/// The program with these arguments, without a terminal and without settings of the user.
pub(crate) fn program(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_azulejo"));
    command.args(args);
    quiet(&mut command);
    command
}

fn quiet(command: &mut Command) {
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "CI"] {
        command.env_remove(name);
    }
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
}

/// Runs the program with these arguments.
pub(crate) fn azulejo(args: &[&str]) -> Run {
    Run::of(program(args).output().expect("the program starts"))
}

/// Runs the program with the options of a text, separated by spaces, and further arguments.
pub(crate) fn with_options(options: &str, more: &[&str]) -> Run {
    let args: Vec<&str> = options.split_whitespace().chain(more.iter().copied()).collect();
    azulejo(&args)
}

/// Runs the program with something on its standard input.
pub(crate) fn azulejo_reading(args: &[&str], input: &[u8]) -> Run {
    feed(program(args), input)
}

/// Starts a command, writes to it, and waits for it.
pub(crate) fn feed(mut command: Command, input: &[u8]) -> Run {
    let mut child = command.stdin(Stdio::piped()).spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("standard input is a pipe");
    std::thread::scope(|scope| {
        // The program may close the pipe before it has read everything.
        scope.spawn(move || stdin.write_all(input));
        Run::of(child.wait_with_output().expect("the program ends"))
    })
}

/// A line of shell, with the program on its path, in a folder that is also its home.
pub(crate) fn shell(line: &str, folder: &Folder) -> Command {
    let binary = Path::new(env!("CARGO_BIN_EXE_azulejo"));
    let mut path = binary.parent().expect("the program is in a folder").as_os_str().to_owned();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let mut command = Command::new("sh");
    command.arg("-c").arg(line).current_dir(folder.path());
    command.env("PATH", path).env("HOME", folder.path());
    quiet(&mut command);
    command
}

/// Runs a line of shell.
pub(crate) fn sh(line: &str, folder: &Folder) -> Run {
    Run::of(shell(line, folder).output().expect("there is a shell"))
}

/// The top of the repository.
pub(crate) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

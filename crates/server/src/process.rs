//! What the system says about this process: memory, CPU time and open files, from `/proc` on Linux.
//! Elsewhere nothing is known.

use std::fs;

/// Ticks per second in `/proc/self/stat`. Linux converts to this rate for programs, whatever its own.
const TICKS_PER_SECOND: f64 = 100.0;

/// The figures of the process.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Process {
    /// User and system time since the start, in seconds.
    pub(crate) cpu_s: f64,
    /// Memory in RAM.
    pub(crate) resident_bytes: u64,
    /// Open files and sockets.
    pub(crate) open_files: usize,
}

impl Process {
    /// The figures now; `None` where the system does not tell.
    pub(crate) fn now() -> Option<Process> {
        Some(Process {
            cpu_s: cpu_s(&fs::read_to_string("/proc/self/stat").ok()?)?,
            resident_bytes: resident_bytes(&fs::read_to_string("/proc/self/status").ok()?)?,
            open_files: fs::read_dir("/proc/self/fd").ok()?.count(),
        })
    }
}

/// The number of files that the process may open.
pub(crate) fn max_open_files() -> Option<usize> {
    max_files(&fs::read_to_string("/proc/self/limits").ok()?)
}

fn cpu_s(stat: &str) -> Option<f64> {
    // The name of the program may hold spaces; it ends with the last parenthesis.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    let (user, system): (f64, f64) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
    Some((user + system) / TICKS_PER_SECOND)
}

fn resident_bytes(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.split_whitespace().next()?.parse::<u64>().ok()? * 1024)
}

fn max_files(limits: &str) -> Option<usize> {
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files"))?;
    let soft = line.split_whitespace().next()?;
    Some(soft.parse().unwrap_or(usize::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_of_linux_are_read() {
        let stat = "12 (a) b) S 1 2 3 4 5 6 7 8 9 10 150 50 0 0 20 0 9 0 4021";
        assert_eq!(cpu_s(stat), Some(2.0));
        assert_eq!(resident_bytes("VmPeak:\t 9 kB\nVmRSS:\t    2048 kB\n"), Some(2_097_152));
        let limits = "Max processes 1 2 p\nMax open files            1024    4096    files \n";
        assert_eq!(max_files(limits), Some(1_024));
        assert_eq!(max_files("Max open files unlimited unlimited files"), Some(usize::MAX));
        for nonsense in ["", "VmRSS:", "a) b", "Max open files"] {
            assert_eq!((cpu_s(nonsense), resident_bytes(nonsense)), (None, None));
        }
        if cfg!(target_os = "linux") {
            let now = Process::now().expect("figures");
            assert!(now.resident_bytes > 100_000 && now.open_files > 2, "{now:?}");
        }
    }
}

//! What the operating system says about the server process; only on Linux.

use std::time::Duration;

/// Resident memory of a process in KiB.
pub(super) fn resident_kib(pid: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

/// Processor time of a process and its threads so far, in user and system mode.
pub(super) fn cpu_time(pid: u32) -> Option<Duration> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The second field is the name of the program in parentheses, which may contain anything. User and
    // system time are fields 14 and 15, in hundredths of a second on every Linux.
    let (_, rest) = stat.rsplit_once(") ")?;
    let ticks = rest.split(' ').skip(11).take(2).map(str::parse::<u64>);
    Some(Duration::from_millis(10 * ticks.sum::<Result<u64, _>>().ok()?))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn processor_time_grows_with_work() {
        let pid = std::process::id();
        let before = cpu_time(pid).unwrap();
        let start = std::time::Instant::now();
        while cpu_time(pid).unwrap() < before + Duration::from_millis(50) {
            assert!(start.elapsed() < Duration::from_secs(20), "no time is counted");
        }
        assert!(resident_kib(pid).unwrap() > 500);
    }
}

//! Calendar dates of times in milliseconds since 1970.

/// The date of a time in milliseconds since 1970, in UTC, as records write it: `2026-11-15`.
#[must_use]
pub fn utc_date(ms: i64) -> String {
    // Converts days since 1970-01-01 to the calendar by counting eras of 400 years from a March 1.
    let days = ms.div_euclid(86_400_000) + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_match_the_calendar() {
        let check = |day: i64, expected: &str| assert_eq!(utc_date(day * 86_400_000), expected);
        check(0, "1970-01-01");
        check(59, "1970-03-01");
        check(11_016, "2000-02-29");
        check(20_772, "2026-11-15");
        assert_eq!(utc_date(20_772 * 86_400_000 + 86_399_999), "2026-11-15");
    }
}

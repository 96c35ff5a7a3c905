//! Days of games, as forty years of programs have written them.

use std::fmt;
use std::str::FromStr;

/// A span of days: `1990`, `1990.05..1991`, `..1960`, `2003-11-30`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dates {
    first: i64,
    last: i64,
}

impl Dates {
    /// Returns the first and the last day, as [`day_of`] counts them.
    pub(crate) fn days(&self) -> (i64, i64) {
        (self.first, self.last)
    }
}

/// A span of days that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DatesError;

impl fmt::Display for DatesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a year, month or day, or two of them: 1990, 1990.05, 1990.05.12..1991, ..1960")
    }
}

impl std::error::Error for DatesError {}

impl FromStr for Dates {
    type Err = DatesError;

    fn from_str(text: &str) -> Result<Dates, DatesError> {
        let (first, last) = text.split_once("..").unwrap_or((text, text));
        let day = |text: &str| match text.trim() {
            "" => Ok(None),
            text => asked(text).map(Some).ok_or(DatesError),
        };
        let (first, last) = (day(first)?, day(last)?);
        if first.is_none() && last.is_none() {
            return Err(DatesError);
        }
        // A year goes on to its last day, and a month.
        let end = |day: i64| match (day / 100 % 100, day % 100) {
            (0, _) => day + 9_999,
            (_, 0) => day + 99,
            _ => day,
        };
        let dates = Dates { first: first.unwrap_or(0), last: last.map_or(i64::MAX, end) };
        if dates.first <= dates.last { Ok(dates) } else { Err(DatesError) }
    }
}

/// Reads a year, month or day that somebody asks for: unlike in files, all of it must make sense.
fn asked(text: &str) -> Option<i64> {
    let parts: Vec<&str> = text.split(['.', '-', '/']).collect();
    let is_number = |part: &&str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let day = day_of(text).filter(|_| parts.len() <= 3 && parts.iter().all(is_number))?;
    let known = 1 + usize::from(day / 100 % 100 > 0) + usize::from(day % 100 > 0);
    (known == parts.len()).then_some(day)
}

/// Returns a day as the number `yyyymmdd`, with noughts for a month and a day that are not known. Read are `yyyy.mm.dd` and `dd.mm.yyyy` with any signs between,
/// shorter forms of both, and `??` for what is not known; of `03/04/1990` the day comes first, as where these games are played.
pub(crate) fn day_of(text: &str) -> Option<i64> {
    let parts: Vec<&str> =
        text.split(|c: char| !c.is_ascii_digit() && c != '?').filter(|part| !part.is_empty()).collect();
    let is_year = |part: &&&str| part.len() == 4 && part.bytes().all(|b| b.is_ascii_digit());
    let number = |part: Option<&&str>| part.and_then(|part| part.parse::<i64>().ok()).unwrap_or(0);
    let (year, month, day) = if parts.first().as_ref().is_some_and(is_year) {
        (number(parts.first()), number(parts.get(1)), number(parts.get(2)))
    } else {
        let last = parts.last().filter(|part| is_year(part)).map(|_| parts.len() - 1)?;
        match last {
            1 => (number(parts.get(1)), number(parts.first()), 0),
            2 => (number(parts.get(2)), number(parts.get(1)), number(parts.first())),
            _ => return None,
        }
    };
    if year == 0 {
        return None;
    }
    let month_known = (1..=12).contains(&month);
    let day_known = month_known && (1..=31).contains(&day);
    Some(year * 10_000 + if month_known { month * 100 } else { 0 } + if day_known { day } else { 0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_read_as_they_were_written() {
        for (text, day) in [
            ("1990.05.12", Some(19_900_512)),
            ("1990-05-12", Some(19_900_512)),
            ("12/5/1990", Some(19_900_512)),
            ("12.05.1990", Some(19_900_512)),
            ("05.1990", Some(19_900_500)),
            ("1990", Some(19_900_000)),
            ("1990.??.??", Some(19_900_000)),
            ("1990.13.40", Some(19_900_000)),
            ("????.??.??", None),
            ("maggio", None),
            ("0000.00.00", None),
            ("", None),
        ] {
            assert_eq!(day_of(text), day, "{text}");
        }
    }

    #[test]
    fn spans_take_in_their_last_year_month_and_day() {
        let inside = |span: &str, day: i64| {
            let (first, last) = span.parse::<Dates>().unwrap_or_else(|e| panic!("{span}: {e}")).days();
            (first..=last).contains(&day)
        };
        assert!(inside("1990", 19_901_231) && inside("1990", 19_900_000) && !inside("1990", 19_910_101));
        assert!(inside("1990.05..1991", 19_911_231) && !inside("1990.05..1991", 19_900_430));
        assert!(inside("..1960", 18_470_101) && !inside("..1960", 19_610_101));
        assert!(inside("2003-11-30", 20_031_130) && !inside("2003-11-30", 20_031_129));
        for wrong in
            ["", "..", "soon", "1990..soon", "1990-1995", "1990.13", "1990.05.45", "x1990", "1995..1990"]
        {
            assert_eq!(wrong.parse::<Dates>(), Err(DatesError), "{wrong}");
        }
    }
}

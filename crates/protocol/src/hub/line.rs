//! A line: a command and arguments `name=value`, values with spaces in double quotes, some arguments without a value.

use std::fmt;

use crate::squares::shown;

/// Why a line cannot be understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HubError {
    /// What is wrong, where, and what is accepted.
    pub message: String,
}

impl HubError {
    pub(crate) fn new(message: impl Into<String>) -> HubError {
        HubError { message: message.into() }
    }
}

impl fmt::Display for HubError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for HubError {}

/// A line taken apart.
#[derive(Debug)]
pub(crate) struct Line<'a> {
    /// The first word.
    pub(crate) command: &'a str,
    /// The arguments in their order; `None` for one without a value.
    arguments: Vec<(&'a str, Option<&'a str>)>,
}

impl<'a> Line<'a> {
    /// Takes a line apart; `None` for an empty one.
    pub(crate) fn parse(text: &'a str) -> Result<Option<Line<'a>>, HubError> {
        let mut scanner = Scanner { text, rest: text };
        scanner.skip_blanks();
        if scanner.rest.is_empty() {
            return Ok(None);
        }
        let command = scanner.name()?;
        let mut arguments = Vec::new();
        loop {
            scanner.skip_blanks();
            if scanner.rest.is_empty() {
                return Ok(Some(Line { command, arguments }));
            }
            arguments.push(scanner.argument()?);
        }
    }
    /// Returns an argument's value, the last one where it is given twice; empty for one without a value.
    pub(crate) fn value(&self, name: &str) -> Option<&'a str> {
        self.arguments.iter().rev().find(|(n, _)| *n == name).map(|(_, value)| value.unwrap_or_default())
    }
    /// Returns whether an argument is given, with or without a value.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.value(name).is_some()
    }
    /// Returns an argument that the command cannot do without.
    pub(crate) fn needed(&self, name: &str) -> Result<&'a str, HubError> {
        self.value(name).ok_or_else(|| HubError::new(format!("{}: {name}=… is missing", self.command)))
    }
    /// Reads an argument as a number that `accepted` describes; `None` when it is not given.
    pub(crate) fn read<T>(
        &self,
        name: &str,
        accepted: &str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<T>, HubError> {
        let Some(value) = self.value(name) else { return Ok(None) };
        let number = read(value.trim());
        number.map(Some).ok_or_else(|| {
            HubError::new(format!(
                "{}: {name}={} is not understood; accepted: {accepted}",
                self.command,
                shown(value)
            ))
        })
    }
}

struct Scanner<'a> {
    text: &'a str,
    rest: &'a str,
}

impl<'a> Scanner<'a> {
    fn skip_blanks(&mut self) {
        self.rest = self.rest.trim_start();
    }
    fn error(&self, message: &str) -> HubError {
        let before = self.text.len() - self.rest.len();
        let column = self.text.get(..before).map_or(0, |text| text.chars().count()) + 1;
        HubError::new(format!("column {column}: {message}"))
    }
    fn take(&mut self, end: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at_checked(end).unwrap_or((self.rest, ""));
        self.rest = rest;
        taken
    }
    fn name(&mut self) -> Result<&'a str, HubError> {
        let end = self.rest.find(|c: char| c.is_whitespace() || c.is_control() || matches!(c, '=' | '"'));
        match end.unwrap_or(self.rest.len()) {
            0 => {
                Err(self.error("expected a word; a line is: command name=value name=\"a value with spaces\""))
            }
            end => Ok(self.take(end)),
        }
    }
    fn argument(&mut self) -> Result<(&'a str, Option<&'a str>), HubError> {
        let name = self.name()?;
        self.skip_blanks();
        match self.rest.strip_prefix('=') {
            None => Ok((name, None)),
            Some(rest) => {
                self.rest = rest;
                self.skip_blanks();
                Ok((name, Some(self.value()?)))
            }
        }
    }
    fn value(&mut self) -> Result<&'a str, HubError> {
        if let Some(quoted) = self.rest.strip_prefix('"') {
            let Some(end) = quoted.find('"') else {
                return Err(self.error("the quotation mark that begins here is not closed"));
            };
            self.rest = quoted;
            let value = self.take(end);
            self.take(1);
            return Ok(value);
        }
        // Canonical names have signs "=" of their own: without quotation marks a value ends with the next space.
        let end = self.rest.find(|c: char| c.is_whitespace() || c == '"').unwrap_or(self.rest.len());
        Ok(self.take(end))
    }
}

/// A line being written.
pub(crate) struct Writer<'a, 'f>(pub(crate) &'a mut fmt::Formatter<'f>);

impl Writer<'_, '_> {
    /// Writes an argument with a value.
    pub(crate) fn pair(&mut self, name: &str, value: impl fmt::Display) -> fmt::Result {
        let value = value.to_string();
        // The protocol has no way to write a quotation mark or a line's end within a value.
        let value: String =
            value.chars().map(|c| if c == '"' || c.is_control() { '\'' } else { c }).collect();
        let plain = !value.is_empty() && !value.contains(|c: char| c.is_whitespace() || c == '=');
        if plain { write!(self.0, " {name}={value}") } else { write!(self.0, " {name}=\"{value}\"") }
    }
    /// Writes an argument with a value, where there is one.
    pub(crate) fn maybe(&mut self, name: &str, value: Option<impl fmt::Display>) -> fmt::Result {
        value.map_or(Ok(()), |value| self.pair(name, value))
    }
}

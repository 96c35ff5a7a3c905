//! The language files fit together, and with what the sources ask of them.
#![expect(clippy::unwrap_used, reason = "a test that finds something else than it expects has failed")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

const LANGUAGES: [&str; 4] = ["it", "es", "pt-BR", "en"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn dictionary(tag: &str) -> Map<String, Value> {
    let path = root().join(format!("lang/{tag}.json"));
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// Returns the forms of a text: itself, or one for each plural category.
fn forms(text: &Value) -> Vec<(&str, &str)> {
    match text {
        Value::String(text) => vec![("other", text)],
        Value::Object(forms) => {
            forms.iter().map(|(name, form)| (name.as_str(), form.as_str().unwrap())).collect()
        }
        _ => panic!("{text} is neither a text nor an object of texts"),
    }
}

/// Returns the parameters of a text: the names between braces.
fn parameters(text: &str) -> BTreeSet<&str> {
    let names = text.split('{').skip(1).filter_map(|rest| rest.split_once('}'));
    names.map(|(name, _)| name).collect()
}

fn all_parameters(text: &Value) -> BTreeSet<&str> {
    forms(text).into_iter().flat_map(|(_, form)| parameters(form)).collect()
}

#[test]
fn every_language_has_every_text() {
    let english = dictionary("en");
    for tag in LANGUAGES {
        let words = dictionary(tag);
        let missing: Vec<&String> = english.keys().filter(|key| !words.contains_key(*key)).collect();
        let extra: Vec<&String> = words.keys().filter(|key| !english.contains_key(*key)).collect();
        assert!(missing.is_empty() && extra.is_empty(), "{tag}: missing {missing:?}, extra {extra:?}");
    }
}

#[test]
fn texts_have_the_same_parameters_in_every_language() {
    let english = dictionary("en");
    for tag in LANGUAGES {
        for (key, text) in dictionary(tag) {
            assert_eq!(all_parameters(&text), all_parameters(&english[&key]), "{tag}: {key}");
            for (category, form) in forms(&text) {
                assert!(["one", "many", "other"].contains(&category), "{tag}: {key}: {category}");
                assert!(!form.trim().is_empty(), "{tag}: {key} is empty");
                assert_eq!(form.matches('{').count(), form.matches('}').count(), "{tag}: {key}");
            }
            if let Value::Object(plural) = &text {
                assert!(plural.contains_key("one") && plural.contains_key("other"), "{tag}: {key}");
            }
        }
    }
}

/// Returns the files below a folder that may ask for texts. Tests may ask for anything.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            if !["test", "tests", "target", "node_modules", "examples"].contains(&name.as_str()) {
                sources(&path, found);
            }
        } else if [".rs", ".js", ".html"].iter().any(|extension| name.ends_with(extension)) {
            found.push(path);
        }
    }
}

/// Returns the keys that a source asks for, as patterns: `*` stands for what is filled in at run time (`{…}` and `${…}`).
fn asked(source: &str, first_parts: &BTreeSet<String>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (at, quote) in source.char_indices().filter(|(_, c)| matches!(c, '"' | '\'' | '`')) {
        let text = &source[at + 1..];
        let first = text.split('.').next().unwrap_or_default();
        if first_parts.contains(first) {
            found.extend(pattern(text, quote));
        }
    }
    found
}

/// Reads a pattern up to its closing quote; `None` when it cannot be a key.
fn pattern(text: &str, quote: char) -> Option<String> {
    let mut pattern = String::new();
    let mut depth = 0;
    for c in text.chars() {
        match c {
            '{' => {
                if depth == 0 {
                    while pattern.ends_with('$') {
                        pattern.pop();
                    }
                    pattern.push('*');
                }
                depth += 1;
            }
            '}' => depth -= 1,
            '\n' => return None,
            _ if depth > 0 => {}
            c if c == quote => return Some(pattern),
            c if c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '$') => pattern.push(c),
            _ => return None,
        }
    }
    None
}

/// Returns a source without the lines that are comments.
fn without_comments(source: &str) -> String {
    let is_comment = |line: &&str| ["//", "/*", "*"].iter().any(|start| line.trim_start().starts_with(start));
    source.lines().filter(|line| !is_comment(line)).map(|line| format!("{line}\n")).collect()
}

fn fits(pattern: &str, key: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == key,
        Some((before, after)) => key.strip_prefix(before).is_some_and(|rest| {
            (0..=rest.len()).filter(|i| rest.is_char_boundary(*i)).any(|i| fits(after, &rest[i..]))
        }),
    }
}

#[test]
fn what_is_asked_for_is_there_and_what_is_there_is_asked_for() {
    let words = dictionary("en");
    let first_parts: BTreeSet<String> =
        words.keys().map(|key| key.split('.').next().unwrap_or_default().to_owned()).collect();
    let mut files = Vec::new();
    sources(&root().join("crates"), &mut files);
    sources(&root().join("web"), &mut files);
    let mut patterns: BTreeMap<String, PathBuf> = BTreeMap::new();
    for file in files {
        let source = without_comments(&fs::read_to_string(&file).unwrap());
        patterns.extend(asked(&source, &first_parts).into_iter().map(|pattern| (pattern, file.clone())));
    }
    let is_file = |pattern: &str| {
        [".js", ".css", ".html", ".json", ".svg", ".md", ".toml", ".rs"]
            .iter()
            .any(|end| pattern.ends_with(end))
    };
    let missing: Vec<_> = patterns
        .iter()
        .filter(|(pattern, _)| pattern.contains('.') && !pattern.ends_with('.') && !is_file(pattern))
        .filter(|(pattern, _)| !words.keys().any(|key| fits(pattern, key)))
        .collect();
    assert!(missing.is_empty(), "asked for and not there: {missing:?}");
    let unused: Vec<_> =
        words.keys().filter(|key| !patterns.keys().any(|pattern| fits(pattern, key))).collect();
    assert!(unused.is_empty(), "there and not asked for: {unused:?}");
}

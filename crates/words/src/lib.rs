//! The words a player reads, in every language.
//!
//! The texts are `lang/*.json`, embedded: flat keys, `{name}` parameters, plural texts as objects by CLDR category. The page reads the same files.
//!
//! ```
//! use damiera_words::{Lang, t};
//!
//! assert_eq!(t(Lang::En, "page.near", &[("n", &1)]), "1 move left");
//! assert_eq!(t(Lang::It, "page.menu", &[]), "Menu");
//! ```
#![forbid(unsafe_code)]

use std::fmt::Display;
use std::sync::LazyLock;

use serde_json::{Map, Value};

/// A language that Damiera speaks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Lang {
    /// Italian.
    It,
    /// Spanish.
    Es,
    /// Brazilian Portuguese, also given to readers of other Portuguese.
    PtBr,
    /// English: also what is spoken when no language is asked for, or an unknown one.
    En,
}

impl Lang {
    /// Every language, in the order in which they are offered.
    pub const ALL: [Lang; 4] = [Lang::It, Lang::Es, Lang::PtBr, Lang::En];

    /// Returns the language's tag, which is also the name of its file: `it`, `es`, `pt-BR`, `en`.
    pub fn tag(self) -> &'static str {
        match self {
            Lang::It => "it",
            Lang::Es => "es",
            Lang::PtBr => "pt-BR",
            Lang::En => "en",
        }
    }

    /// Reads a language tag or the name of a locale: `pt`, `pt-PT`, `it_IT.UTF-8`.
    pub fn parse(tag: &str) -> Option<Lang> {
        let primary = tag.trim().split(['-', '_', '.', '@']).next()?;
        match primary.to_ascii_lowercase().as_str() {
            "it" => Some(Lang::It),
            "es" => Some(Lang::Es),
            "pt" => Some(Lang::PtBr),
            "en" => Some(Lang::En),
            _ => None,
        }
    }

    /// Picks the language from an `Accept-Language` header.
    pub fn from_accept_language(header: &str) -> Lang {
        let mut wanted: Vec<(f32, Lang)> = header.split(',').filter_map(weighed_language).collect();
        // The sort is stable: of equal weights the first stays first.
        wanted.sort_by(|a, b| b.0.total_cmp(&a.0));
        wanted.first().map_or(Lang::En, |(_, lang)| *lang)
    }

    /// Picks the language from the variables LC_ALL, LC_MESSAGES and LANG: the first that is set and not empty decides.
    pub fn from_environment(variable: impl Fn(&str) -> Option<String>) -> Lang {
        ["LC_ALL", "LC_MESSAGES", "LANG"]
            .into_iter()
            .find_map(|name| variable(name).filter(|value| !value.is_empty()))
            .and_then(|value| Lang::parse(&value))
            .unwrap_or(Lang::En)
    }
}

/// Reads one part of an `Accept-Language` header, for example `pt-PT;q=0.8`.
fn weighed_language(part: &str) -> Option<(f32, Lang)> {
    let mut fields = part.split(';').map(str::trim);
    let lang = Lang::parse(fields.next()?)?;
    let weight = fields.find_map(|field| field.strip_prefix("q=")).map_or(Some(1.0), |q| q.parse().ok())?;
    (weight > 0.0).then_some((weight, lang))
}

/// A parameter of a text: its name between the braces, and its value.
pub type Param<'a> = (&'a str, &'a dyn Display);

/// Returns the text of a key with its parameters filled in. Of a plural text the parameter `n` picks the form, or `m` where the text
/// has no `n`. A key that a language lacks is read in English; one that nobody has is returned itself, so that a slip in the program shows and does not
/// stop it.
pub fn t(lang: Lang, key: &str, params: &[Param<'_>]) -> String {
    let Some(text) = dictionary(lang).get(key).or_else(|| dictionary(Lang::En).get(key)) else {
        return key.to_owned();
    };
    match text {
        Value::String(text) => fill(text, params),
        Value::Object(forms) => fill(plural_form(forms, params), params),
        _ => key.to_owned(),
    }
}

/// Returns true when this key has a text.
pub fn has(key: &str) -> bool {
    dictionary(Lang::En).contains_key(key)
}

/// Returns a language's words as JSON, without the keys that begin with one of these prefixes.
pub fn json_without(lang: Lang, prefixes: &[&str]) -> String {
    json_where(lang, |key| !prefixes.iter().any(|prefix| key.starts_with(prefix)))
}

/// Returns those of a language's words as JSON whose keys begin with this prefix.
pub fn json_of(lang: Lang, prefix: &str) -> String {
    json_where(lang, |key| key.starts_with(prefix))
}

fn json_where(lang: Lang, is_kept: impl Fn(&str) -> bool) -> String {
    let kept = dictionary(lang).iter().filter(|(key, _)| is_kept(key));
    let kept: Map<String, Value> = kept.map(|(key, text)| (key.clone(), text.clone())).collect();
    Value::Object(kept).to_string()
}

/// Picks the plural form. The four languages need `one` and `other`; `one` is 1.
fn plural_form<'a>(forms: &'a Map<String, Value>, params: &[Param<'_>]) -> &'a str {
    let parameter = |wanted| params.iter().find(|(name, _)| *name == wanted);
    let number = parameter("n").or_else(|| parameter("m")).map(|(_, value)| value.to_string());
    let category = if number.as_deref() == Some("1") { "one" } else { "other" };
    forms.get(category).or_else(|| forms.get("other")).and_then(Value::as_str).unwrap_or_default()
}

/// Fills in the parameters. A name that is not given stays as it is written.
fn fill(text: &str, params: &[Param<'_>]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let known = after.split_once('}').and_then(|(name, tail)| {
            let (_, value) = params.iter().find(|(given, _)| *given == name)?;
            Some((value.to_string(), tail))
        });
        match known {
            Some((value, tail)) => {
                out.push_str(&value);
                rest = tail;
            }
            None => {
                out.push('{');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}

fn dictionary(lang: Lang) -> &'static Map<String, Value> {
    static IT: LazyLock<Map<String, Value>> = LazyLock::new(|| read(include_str!("../../../lang/it.json")));
    static ES: LazyLock<Map<String, Value>> = LazyLock::new(|| read(include_str!("../../../lang/es.json")));
    static PT: LazyLock<Map<String, Value>> =
        LazyLock::new(|| read(include_str!("../../../lang/pt-BR.json")));
    static EN: LazyLock<Map<String, Value>> = LazyLock::new(|| read(include_str!("../../../lang/en.json")));
    match lang {
        Lang::It => &IT,
        Lang::Es => &ES,
        Lang::PtBr => &PT,
        Lang::En => &EN,
    }
}

/// Reads an embedded file. Its form is checked by the tests, so a file that cannot be read here has no words rather than an error path of its own.
fn read(text: &str) -> Map<String, Value> {
    serde_json::from_str(text).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_read_from_tags_and_locales() {
        assert_eq!(Lang::parse("pt-PT"), Some(Lang::PtBr));
        assert_eq!(Lang::parse("it_IT.UTF-8"), Some(Lang::It));
        assert_eq!(Lang::parse("ES"), Some(Lang::Es));
        assert_eq!(Lang::parse("de"), None);
        assert_eq!(Lang::parse(""), None);
    }

    #[test]
    fn the_browser_header_is_weighed() {
        assert_eq!(Lang::from_accept_language("de, pt;q=0.5, it;q=0.9"), Lang::It);
        assert_eq!(Lang::from_accept_language("es-MX,es;q=0.9,en;q=0.8"), Lang::Es);
        assert_eq!(Lang::from_accept_language("it;q=0, fr"), Lang::En);
        assert_eq!(Lang::from_accept_language("it;q=garbage"), Lang::En);
    }

    #[test]
    fn the_first_set_variable_decides() {
        let environment = |pairs: &'static [(&str, &str)]| {
            Lang::from_environment(|name| {
                pairs.iter().find(|(n, _)| *n == name).map(|(_, value)| (*value).to_owned())
            })
        };
        assert_eq!(environment(&[("LANG", "it_IT.UTF-8")]), Lang::It);
        assert_eq!(environment(&[("LANG", "it_IT.UTF-8"), ("LC_ALL", "C")]), Lang::En);
        assert_eq!(environment(&[("LANG", "pt_PT"), ("LC_MESSAGES", "")]), Lang::PtBr);
    }

    #[test]
    fn parameters_and_plurals() {
        assert_eq!(fill("{a} of {b}, {c", &[("a", &1), ("b", &"two")]), "1 of two, {c");
        assert_eq!(t(Lang::En, "page.near", &[("n", &2)]), "2 moves left");
        assert_eq!(t(Lang::En, "no.such.key", &[]), "no.such.key");
    }
}

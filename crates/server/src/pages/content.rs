//! What people wrote: the page files and the figure files of `web/rules`, embedded.

use std::borrow::Cow;

use damiera_words::Lang;
use rust_embed::RustEmbed;
use serde::Deserialize;

#[derive(RustEmbed)]
#[folder = "../../web/rules"]
struct Files;

/// A page file: its head and its text.
#[derive(Clone, Debug)]
pub(crate) struct Page {
    /// The name of the game.
    pub(crate) title: String,
    /// One sentence for the index.
    pub(crate) line: String,
    /// The keys of the rule sets to compare with.
    pub(crate) neighbours: Vec<String>,
    /// CommonMark.
    pub(crate) text: String,
}

/// When the picture of a figure is taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Show {
    /// Before its moves, with the first of them drawn.
    #[default]
    Before,
    /// After all of its moves.
    After,
}

/// A figure: a position, and what is to be seen in it. The tests play it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Figure {
    /// Its name within the page.
    pub(crate) id: String,
    /// The position, or `start`.
    pub(crate) fen: String,
    /// Legal moves, played in order.
    #[serde(default)]
    pub(crate) play: Vec<String>,
    /// Refused attempts; the first one is drawn.
    #[serde(default)]
    pub(crate) illegal: Vec<String>,
    /// Why the first of them is refused.
    #[cfg_attr(not(test), expect(dead_code, reason = "only the tests check it"))]
    pub(crate) reason: Option<String>,
    /// All legal moves.
    pub(crate) legal: Option<Vec<String>>,
    /// The clause by which the game is drawn after the last move, and not before.
    #[cfg_attr(not(test), expect(dead_code, reason = "only the tests check it"))]
    pub(crate) draw: Option<String>,
    /// When the picture is taken.
    #[serde(default)]
    pub(crate) show: Show,
    /// The only squares whose names are printed.
    pub(crate) numbers: Option<Vec<String>>,
    /// The rules, when they are not the page's own.
    pub(crate) rules: Option<String>,
}

#[derive(Deserialize)]
struct FigureFile {
    #[serde(default)]
    figure: Vec<Figure>,
}

fn text(path: &str) -> Option<String> {
    let data = Files::get(path)?.data;
    match data {
        Cow::Borrowed(bytes) => Some(String::from_utf8_lossy(bytes).into_owned()),
        Cow::Owned(bytes) => String::from_utf8(bytes).ok(),
    }
}

/// Returns the page of a rule set. The key comes from an address: it is only looked up among the known ones.
pub(crate) fn page(lang: Lang, key: &str) -> Option<Page> {
    parse_page(&text(&format!("{}/{key}.md", lang.tag()))?)
}

fn parse_page(text: &str) -> Option<Page> {
    let (head, text) = text.strip_prefix("---\n")?.split_once("\n---\n")?;
    let field = |name: &str| {
        head.lines()
            .filter_map(|line| line.split_once(':'))
            .find(|(key, _)| *key == name)
            .map(|(_, value)| value.trim())
    };
    Some(Page {
        title: field("title")?.to_string(),
        line: field("line")?.to_string(),
        neighbours: field("neighbours")?.split(',').map(|key| key.trim().to_string()).collect(),
        text: text.to_string(),
    })
}

/// Returns the figures of a rule set; the error says what is wrong in the file.
pub(crate) fn figures(key: &str) -> Result<Vec<Figure>, String> {
    let text =
        text(&format!("figures/{key}.toml")).ok_or_else(|| format!("there is no figures/{key}.toml"))?;
    let file: FigureFile = toml::from_str(&text).map_err(|error| format!("figures/{key}.toml: {error}"))?;
    Ok(file.figure)
}

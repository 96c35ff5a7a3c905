//! Complete pages of HTML.

use std::fmt::Write as _;

use damiera_rules::RuleSet;
use damiera_rules::presets::KEYS;
use damiera_rules::source::Status;
use damiera_words::{Lang, t};
use pulldown_cmark::{Event, Parser, Tag, TagEnd};

use super::content::{self, Figure, Page};
use super::facts;
use super::figure;
use super::html::Escaped;

/// The languages by their own names.
fn own_name(lang: Lang) -> &'static str {
    match lang {
        Lang::It => "Italiano",
        Lang::Es => "Español",
        Lang::PtBr => "Português",
        Lang::En => "English",
    }
}

// Writing to a String cannot fail, so the results of `write!` below are dropped.

/// Scripts that the figures need; asked for at once instead of one after the other.
const MODULES: [&str; 6] = [
    "/board.js",
    "/board/draw.js",
    "/board/layout.js",
    "/board/moves.js",
    "/board/pieces.js",
    "/app/prefs.js",
];

/// Returns the list of all rule sets.
pub(crate) fn index(lang: Lang) -> String {
    let title = t(lang, "rp.title", &[]);
    let mut body = String::new();
    let _ = write!(
        body,
        "<main class=\"doc index\"><article class=\"prose\"><h1>{}</h1><p class=\"lede\">{}</p><ul class=\"sets\">",
        Escaped(&title),
        Escaped(&t(lang, "rp.index.lead", &[]))
    );
    for (key, page) in pages(lang) {
        let _ = write!(
            body,
            "<li><a href=\"/{}/rules/{key}\"><b>{}</b><span>{}</span></a></li>",
            lang.tag(),
            Escaped(&page.title),
            Escaped(&page.line)
        );
    }
    body.push_str("</ul></article></main>");
    document(lang, &title, &t(lang, "rp.index.about", &[]), Some(""), &body)
}

/// Returns the page for an address where there is nothing.
pub(crate) fn missing(lang: Lang) -> String {
    let title = t(lang, "rp.missing", &[]);
    let about = t(lang, "rp.missing.about", &[]);
    let body = format!(
        "<main class=\"alone\"><section class=\"card\"><h1>{}</h1><p>{}</p><p class=\"row\"><a class=\"btn main\" href=\"/\">{}</a></p></section></main>",
        Escaped(&title),
        Escaped(&about),
        Escaped(&t(lang, "page.newgame", &[]))
    );
    document(lang, &title, &about, None, &body)
}

/// Returns the page of a rule set, or `None` for an unknown key.
pub(crate) fn page(lang: Lang, key: &str) -> Option<String> {
    let rules = RuleSet::known(key)?;
    let page = content::page(lang, key)?;
    let figures = content::figures(key).unwrap_or_else(|error| {
        eprintln!("damiera: {error}");
        Vec::new()
    });
    let article = Article { lang, rules: &rules, page: &page, figures: &figures };
    let mut body = String::from("<main class=\"doc\">");
    body.push_str(&contents(lang, key));
    body.push_str(&article.html());
    body.push_str("</main>");
    Some(document(lang, &page.title, &page.line, Some(key), &body))
}

fn pages(lang: Lang) -> impl Iterator<Item = (&'static str, Page)> {
    KEYS.iter().filter_map(move |key| Some((*key, content::page(lang, key)?)))
}

/// The list of games beside the text.
fn contents(lang: Lang, here: &str) -> String {
    let mut html = format!("<nav class=\"toc\" aria-label=\"{}\">", Escaped(&t(lang, "rp.games", &[])));
    for (key, page) in pages(lang) {
        let current = if key == here { " aria-current=\"page\"" } else { "" };
        let _ = write!(html, "<a href=\"/{}/rules/{key}\"{current}>{}</a>", lang.tag(), Escaped(&page.title));
    }
    html.push_str("</nav>");
    html
}

/// Everything around the text. `key` is empty for the index, and `None` for what is no rules page.
fn document(lang: Lang, title: &str, about: &str, key: Option<&str>, body: &str) -> String {
    let here = if key.is_some() { " aria-current=\"page\"" } else { "" };
    let key = key.unwrap_or_default();
    let mut head = String::new();
    for other in Lang::ALL {
        let _ = writeln!(
            head,
            "<link rel=\"alternate\" hreflang=\"{0}\" href=\"/{0}/rules/{key}\">",
            other.tag()
        );
    }
    let _ = writeln!(head, "<link rel=\"alternate\" hreflang=\"x-default\" href=\"/en/rules/{key}\">");
    for module in MODULES {
        let _ = writeln!(head, "<link rel=\"modulepreload\" href=\"{module}\">");
    }
    format!(
        "<!doctype html>\n<html lang=\"{tag}\" data-board=\"noce\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title} · Damiera</title>\n\
         <meta name=\"description\" content=\"{about}\">\n<link rel=\"icon\" href=\"/icon.svg\" type=\"image/svg+xml\">\n\
         <link rel=\"stylesheet\" href=\"/board.css\">\n<link rel=\"stylesheet\" href=\"/style.css\">\n\
         <link rel=\"stylesheet\" href=\"/rules.css\">\n{head}<script type=\"module\" src=\"/rules.js\"></script>\n</head>\n\
         <body>\n{header}\n{body}\n</body>\n</html>\n",
        tag = lang.tag(),
        title = Escaped(title),
        about = Escaped(about),
        header = header(lang, key, here),
    )
}

fn header(lang: Lang, key: &str, here: &str) -> String {
    let word = |key| t(lang, key, &[]);
    // The server does not know whose game it is: the script shows the way back to it.
    let sections = format!(
        "<a href=\"/\">{newgame}</a><a class=\"back\" href=\"/\" hidden>{game}</a>\
         <a href=\"/games\">{games}</a><a href=\"/{tag}/rules/\"{here}>{rules}</a><a href=\"/#settings\">{settings}</a>",
        newgame = Escaped(&word("page.newgame")),
        game = Escaped(&word("page.game")),
        games = Escaped(&word("page.games")),
        tag = lang.tag(),
        rules = Escaped(&word("page.rules")),
        settings = Escaped(&word("page.settings")),
    );
    let (mut options, mut links) = (String::new(), String::new());
    for other in Lang::ALL {
        let (tag, name) = (other.tag(), own_name(other));
        let selected = if other == lang { " selected" } else { "" };
        let current = if other == lang { " aria-current=\"true\"" } else { "" };
        let _ = write!(options, "<option value=\"{tag}\" lang=\"{tag}\"{selected}>{name}</option>");
        let _ = write!(
            links,
            "<a href=\"/{tag}/rules/{key}\" lang=\"{tag}\" hreflang=\"{tag}\"{current}>{name}</a>"
        );
    }
    format!(
        "<header class=\"top\"><a class=\"brand\" href=\"/\"><img src=\"/icon.svg\" alt=\"\" width=\"34\" height=\"34\">Damiera</a>\
         <nav aria-label=\"{nav}\">{sections}</nav><select id=\"lang\" aria-label=\"{language}\">{options}</select>\
         <button class=\"icon\" id=\"menu\" type=\"button\" popovertarget=\"sheet\" aria-label=\"{menu}\"><svg class=\"i\" viewBox=\"0 0 24 24\" \
         aria-hidden=\"true\"><path d=\"M4 7h16M4 12h16M4 17h16\"/></svg></button></header>\
         <div class=\"sheet\" id=\"sheet\" popover>{sections}<hr>{links}</div>",
        nav = Escaped(&word("page.nav")),
        language = Escaped(&word("page.lang")),
        menu = Escaped(&word("page.menu")),
    )
}

/// The text of one page.
struct Article<'a> {
    lang: Lang,
    rules: &'a RuleSet,
    page: &'a Page,
    figures: &'a [Figure],
}

impl Article<'_> {
    fn word(&self, key: &str) -> String {
        t(self.lang, key, &[])
    }

    fn html(&self) -> String {
        let mut html = format!("<article class=\"prose\"><h1>{}</h1>", Escaped(&self.page.title));
        html.push_str(&self.text());
        html.push_str(&self.line_by_line());
        html.push_str("</article>");
        html
    }

    /// The written text, with figures and lists in their places.
    fn text(&self) -> String {
        let events: Vec<Event> = Parser::new(&self.page.text).collect();
        let mut html = String::new();
        let mut at = 0;
        let mut lede = true;
        let mut count = 0;
        while at < events.len() {
            let end = block_end(&events, at);
            let block = &events[at..end];
            if let Some((id, caption)) = figure_of(block) {
                count += 1;
                let figure = self.figure(id, caption, count);
                // The starting position stands beside the title, whatever was written before it.
                html.insert_str(if count == 1 { 0 } else { html.len() }, &figure);
            } else if let Some(marker) = marker_of(block) {
                html.push_str(&self.generated(marker));
            } else {
                let text = without_html(block);
                if lede {
                    html.push_str(&text.replacen("<p>", "<p class=\"lede\">", 1));
                    html.push_str(&self.in_short());
                    lede = false;
                } else {
                    html.push_str(&text);
                }
            }
            at = end;
        }
        html
    }

    /// The facts, and the way to the board.
    fn in_short(&self) -> String {
        let mut html = String::from("<dl class=\"facts\">");
        for (label, text) in facts::facts(self.lang, self.rules) {
            let _ = write!(html, "<dt>{}</dt><dd>{}</dd>", Escaped(&self.word(label)), Escaped(&text));
        }
        let _ = write!(
            html,
            "</dl><p class=\"to-board\"><a class=\"btn main\" href=\"/?rules={}\">{}</a></p>",
            Escaped(self.rules.key()),
            Escaped(&self.word("rp.play"))
        );
        html
    }

    fn figure(&self, id: &str, caption: &[Event], number: usize) -> String {
        let drawn = self
            .figures
            .iter()
            .find(|figure| figure.id == id)
            .ok_or_else(|| format!("there is no figure \"{id}\""))
            .and_then(|figure| figure::draw(self.lang, figure, self.rules));
        match drawn {
            Err(error) => {
                eprintln!("damiera: rules page {}, figure {id}: {error}", self.rules.key());
                String::new()
            }
            Ok(picture) => format!(
                "<figure class=\"fig\" id=\"fig-{}\"><div class=\"bwrap\"><damiera-board role=\"img\" data-figure=\"{}\" aria-label=\"{}\"></damiera-board>\
                 </div><figcaption><b>{}</b> {}</figcaption></figure>",
                Escaped(id),
                Escaped(&picture.data),
                Escaped(&picture.words),
                Escaped(&t(self.lang, "rp.fig.number", &[("n", &number)])),
                without_html(caption)
            ),
        }
    }

    fn generated(&self, marker: Marker) -> String {
        match marker {
            Marker::Ladder => self.ladder(),
            Marker::Draws => self.draws(),
            Marker::Differences => self.differences(),
        }
    }

    fn ladder(&self) -> String {
        let steps = facts::ladder(self.lang, self.rules);
        if steps.is_empty() {
            return format!("<p>{}</p>", Escaped(&self.word("rp.ladder.free")));
        }
        let mut html = String::from("<ol class=\"ladder\">");
        for step in steps {
            let _ = write!(html, "<li><span>{}</span></li>", Escaped(&step));
        }
        html.push_str("</ol>");
        html
    }

    fn draws(&self) -> String {
        let clauses = &self.rules.draws().clauses;
        if clauses.is_empty() {
            return format!("<p>{}</p>", Escaped(&self.word("rp.draw.none")));
        }
        let mut html = String::from("<ul class=\"draws\">");
        for clause in clauses {
            let _ = write!(
                html,
                "<li><b>{}</b>: {}.{} <cite lang=\"en\">{}</cite></li>",
                Escaped(&facts::clause_name(self.lang, clause)),
                Escaped(&facts::clause_count(self.lang, clause)),
                self.mark(clause.status),
                Escaped(&clause.source)
            );
        }
        html.push_str("</ul>");
        html
    }

    /// A visible mark for whatever is not plainly in a text that was seen.
    fn mark(&self, status: Status) -> String {
        match status {
            Status::Seen => String::new(),
            other => format!(
                " <span class=\"mark {}\">{}</span>",
                other.word(),
                Escaped(&facts::status(self.lang, other))
            ),
        }
    }

    /// The rows in which this rule set and its neighbours differ.
    fn differences(&self) -> String {
        let neighbours = self
            .page
            .neighbours
            .iter()
            .filter_map(|key| Some((content::page(self.lang, key)?.title, RuleSet::known(key)?)));
        let mut columns = vec![(self.page.title.clone(), self.rules.clone())];
        columns.extend(neighbours);
        let rows = columns.iter().map(|(_, rules)| self.comparable(rules)).collect::<Vec<_>>();
        let mut html = format!(
            "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\"><table class=\"tbl\"><thead><tr><th scope=\"col\"><span class=\"vh\">{}</span></th>",
            Escaped(&self.word("rp.differences")),
            Escaped(&self.word("rp.rule"))
        );
        for (title, _) in &columns {
            let _ = write!(html, "<th scope=\"col\">{}</th>", Escaped(title));
        }
        html.push_str("</tr></thead><tbody>");
        for (i, (label, own)) in rows[0].iter().enumerate() {
            if rows.iter().all(|column| column[i].1 == *own) {
                continue;
            }
            let _ = write!(html, "<tr><th scope=\"row\">{}</th>", Escaped(&self.word(label)));
            for column in &rows {
                let _ = write!(html, "<td>{}</td>", Escaped(&column[i].1));
            }
            html.push_str("</tr>");
        }
        html.push_str("</tbody></table></div>");
        html
    }

    /// The facts and the draws, in the same order for every rule set.
    fn comparable(&self, rules: &RuleSet) -> Vec<facts::Fact> {
        let mut rows = facts::facts(self.lang, rules);
        let clauses = rules.draws().clauses.iter();
        let draws: Vec<String> = clauses
            .map(|c| format!("{}: {}", facts::clause_name(self.lang, c), facts::clause_count(self.lang, c)))
            .collect();
        rows.push(("rp.draws", if draws.is_empty() { "–".to_string() } else { draws.join("; ") }));
        rows
    }

    /// Every line of the rule table with its source.
    fn line_by_line(&self) -> String {
        let fields = self.rules.fields();
        let value =
            |name: &str| fields.iter().find(|(field, _)| *field == name).map(|(_, value)| value.as_str());
        let mut html = format!(
            "<details class=\"lines\"><summary>{}</summary><div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{0}\">\
             <table class=\"tbl\"><thead><tr><th scope=\"col\">{}</th><th scope=\"col\">{}</th><th scope=\"col\">{}</th><th scope=\"col\">{}</th></tr></thead><tbody>",
            Escaped(&self.word("rp.table")),
            Escaped(&self.word("rp.rule")),
            Escaped(&self.word("rp.table.value")),
            Escaped(&self.word("rp.table.status")),
            Escaped(&self.word("rp.table.source"))
        );
        for source in self.rules.sources() {
            let _ = write!(
                html,
                "<tr><th scope=\"row\">{}</th><td><code>{}</code></td><td>{}</td><td lang=\"en\">{}</td></tr>",
                Escaped(&self.word(&format!("rp.field.{}", source.field))),
                Escaped(value(source.field).unwrap_or_default()),
                Escaped(&facts::status(self.lang, source.status)),
                Escaped(&source.text)
            );
        }
        html.push_str("</tbody></table></div></details>");
        html
    }
}

/// A line of the text that stands for something made from the rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Marker {
    /// The ladder of captures.
    Ladder,
    /// The draw clauses.
    Draws,
    /// The table of differences.
    Differences,
}

impl Marker {
    /// Reads a marker as it stands in a page file.
    pub(crate) fn parse(text: &str) -> Option<Marker> {
        match text {
            "{ladder}" => Some(Marker::Ladder),
            "{draws}" => Some(Marker::Draws),
            "{differences}" => Some(Marker::Differences),
            _ => None,
        }
    }
}

/// Returns where the block that begins at `at` ends.
fn block_end(events: &[Event], at: usize) -> usize {
    let mut depth = 0_usize;
    for (i, event) in events[at..].iter().enumerate() {
        match event {
            Event::Start(_) => depth += 1,
            Event::End(_) => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at + i + 1;
        }
    }
    events.len()
}

/// Returns the id and the caption when a block is a figure: a paragraph that holds one picture whose address begins with `fig:`.
fn figure_of<'a>(block: &'a [Event<'a>]) -> Option<(&'a str, &'a [Event<'a>])> {
    match block {
        [
            Event::Start(Tag::Paragraph),
            Event::Start(Tag::Image { dest_url, .. }),
            caption @ ..,
            Event::End(TagEnd::Image),
            Event::End(TagEnd::Paragraph),
        ] => Some((dest_url.strip_prefix("fig:")?, caption)),
        _ => None,
    }
}

fn marker_of(block: &[Event]) -> Option<Marker> {
    match block {
        [Event::Start(Tag::Paragraph), Event::Text(text), Event::End(TagEnd::Paragraph)] => {
            Marker::parse(text)
        }
        _ => None,
    }
}

/// Returns events as HTML. Markup in the text itself is shown, not obeyed.
pub(crate) fn without_html(events: &[Event]) -> String {
    let shown = events.iter().cloned().map(|event| match event {
        Event::Html(text) | Event::InlineHtml(text) => Event::Text(text),
        other => other,
    });
    let mut html = String::new();
    pulldown_cmark::html::push_html(&mut html, shown);
    html
}

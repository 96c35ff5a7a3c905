//! The picture: the board at the left, everything else beside it, what is typed below.

use damiera_rules::{Bits, Side};
use damiera_words::t;
use ratatui::Frame;
use ratatui::layout::{Alignment, Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style as Paint, Stylize};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph, Wrap};

use super::command::Command;
use super::paint::{CELLS, Cell, Mark, coloured, lettered, number_row, square};
use super::screen::Screen;
use super::{board, entry, talk};
use crate::say;

/// The columns that the panel beside the board needs.
const PANEL: u16 = 26;
/// The rows below the board: what is typed, and what it may become.
const BELOW: u16 = 2;

/// Draws everything.
pub(super) fn draw(screen: &Screen, frame: &mut Frame<'_>) {
    let [above, below] =
        Layout::vertical([Constraint::Min(0), Constraint::Length(BELOW)]).areas(frame.area());
    let cell = cell_for(screen, above);
    let (width, _) = board_size(screen, cell);
    let [left, _, right] =
        Layout::horizontal([Constraint::Length(width), Constraint::Length(2), Constraint::Min(0)])
            .areas(above);
    frame.render_widget(Paragraph::new(board_lines(screen, cell)), left);
    draw_panel(screen, frame, right);
    draw_entry(screen, frame, below);
    if screen.shows_help {
        draw_help(screen, frame);
    }
}

/// Returns the columns and rows of the board with its edge. Only letters stand at the edge; numbers stand on the squares.
fn board_size(screen: &Screen, cell: Cell) -> (u16, u16) {
    let size = u16::from(screen.session.rules().shape().size());
    let edge = if board::has_letters(screen.session.rules()) { (3, 1) } else { (0, 0) };
    (size * cell.width + edge.0, size * cell.height + edge.1)
}

/// Returns the largest size in which the board fits beside the panel.
fn cell_for(screen: &Screen, area: Rect) -> Cell {
    let fits = |cell: &&Cell| {
        let (width, height) = board_size(screen, **cell);
        width + PANEL <= area.width && height <= area.height
    };
    let smallest = CELLS[CELLS.len() - 1];
    CELLS.iter().find(fits).copied().unwrap_or(smallest)
}

// ---- the board ----

fn board_lines(screen: &Screen, cell: Cell) -> Vec<Line<'static>> {
    let rules = screen.session.rules();
    let letters = board::has_letters(rules);
    let marks = Marks::new(screen);
    let mut lines = Vec::new();
    for (i, row) in (0_u8..).zip(board::rows(rules, screen.style.flipped)) {
        for part in 0..cell.height {
            let mut spans = Vec::new();
            if letters {
                let middle = part == number_row(cell);
                let name =
                    if middle { board::row_name(rules, screen.style.flipped, i) } else { String::new() };
                spans.push(Span::raw(format!("{name:>2} ")));
            }
            for (j, bit) in (0_u8..).zip(&row) {
                let cursor = screen.cursor() == Some((i, j));
                spans.extend(square_spans(screen, cell, part, *bit, &marks, cursor));
            }
            lines.push(Line::from(spans));
        }
    }
    if letters {
        let size = rules.shape().size();
        let width = usize::from(cell.width);
        let names: String = (0..size)
            .map(|col| format!("{:^width$}", board::column_name(rules, screen.style.flipped, col)))
            .collect();
        lines.push(Line::raw(format!("   {names}")));
    }
    lines
}

/// The squares that are marked, and how.
struct Marks {
    typed: u128,
    target: u128,
    better: u128,
    last: u128,
}

impl Marks {
    fn new(screen: &Screen) -> Marks {
        let game = screen.session.game();
        let touched = entry::touched(game.rules(), &screen.entry);
        let set = |squares: &[u8]| squares.iter().fold(0, |set, bit| set | u128::bit(*bit));
        let target = if touched.is_empty() { 0 } else { set(&targets(screen, &touched)) };
        let last = game.moves().last().map_or(0, |m| u128::bit(m.from) | u128::bit(m.to));
        Marks { typed: set(&touched), target, better: screen.pointed, last }
    }
    fn of(&self, bit: u8) -> Mark {
        match bit {
            bit if self.typed.has(bit) => Mark::Typed,
            bit if self.target.has(bit) => Mark::Target,
            bit if self.better.has(bit) => Mark::Better,
            bit if self.last.has(bit) => Mark::Last,
            _ => Mark::None,
        }
    }
}

/// Returns the squares where a typed path may go on next.
fn targets(screen: &Screen, touched: &[u8]) -> Vec<u8> {
    let game = screen.session.game();
    let next = |candidate: entry::Candidate| {
        let path = damiera_rules::notation::path(game.rules(), game.position(), &candidate.m).squares();
        if path.len() > touched.len() && path.starts_with(touched) {
            path.get(touched.len()).copied()
        } else {
            path.last().copied()
        }
    };
    screen.candidates().into_iter().filter(|c| Some(&c.m.from) == touched.first()).filter_map(next).collect()
}

fn square_spans(
    screen: &Screen,
    cell: Cell,
    part: u16,
    bit: Option<u8>,
    marks: &Marks,
    cursor: bool,
) -> Vec<Span<'static>> {
    let rules = screen.session.rules();
    let light = rules.board().light;
    let mark = bit.map_or(Mark::None, |bit| marks.of(bit));
    let piece = bit.and_then(|bit| screen.session.game().position().piece_at(bit));
    let number = bit.filter(|_| !board::has_letters(rules)).map(|bit| rules.board().name(bit));
    if screen.style.ascii {
        let text = lettered(cell, part, number.as_deref(), piece, bit.is_some(), mark);
        let paint = if cursor { Paint::new().add_modifier(Modifier::REVERSED) } else { Paint::new() };
        return vec![Span::styled(text, paint)];
    }
    let ground = square(bit.is_some(), light, mark, cursor);
    let runs = coloured(cell, part, number.as_deref(), piece, ground, light);
    runs.into_iter().map(|(text, paint)| Span::styled(text, paint)).collect()
}

// ---- the panel ----

fn draw_panel(screen: &Screen, frame: &mut Frame<'_>, area: Rect) {
    let lang = screen.style.lang;
    let width = usize::from(area.width);
    let mut head = title_lines(screen, width);
    head.push(Line::default());
    head.extend(
        wrapped(&talk::status(lang, &screen.session), width).into_iter().map(|line| Line::from(line).bold()),
    );
    if let Some(message) = &screen.message {
        head.extend(wrapped(message, width).into_iter().map(Line::from));
    }
    let counters = counter_lines(screen, width);
    if !counters.is_empty() {
        head.push(Line::default());
        head.extend(counters);
    }
    let wanted = u16::try_from(head.len()).unwrap_or(u16::MAX).min(area.height);
    let [above, _, list] =
        Layout::vertical([Constraint::Length(wanted), Constraint::Length(1), Constraint::Min(0)]).areas(area);
    frame.render_widget(Paragraph::new(head), above);
    frame.render_widget(Paragraph::new(move_lines(screen, usize::from(list.height))), list);
}

/// Breaks a text into lines of at most so many characters, between words where that is possible.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let width = width.max(1);
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        let length = |text: &str| text.chars().count();
        if !line.is_empty() && length(&line) + 1 + length(word) > width {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        for c in word.chars() {
            if length(&line) == width {
                lines.push(std::mem::take(&mut line));
            }
            line.push(c);
        }
    }
    lines.push(line);
    lines
}

/// Returns the name of the rules and who plays.
fn title_lines(screen: &Screen, width: usize) -> Vec<Line<'static>> {
    let lang = screen.style.lang;
    let rules = screen.session.rules();
    let bold = |line| Line::from(line).bold();
    let mut lines: Vec<Line<'_>> = wrapped(&screen.title, width).into_iter().map(bold).collect();
    if !rules.overrides().is_empty() {
        let overrides = wrapped(&rules.overrides().join(", "), width);
        lines.extend(overrides.into_iter().take(2).map(|line| Line::from(line).dim()));
    }
    if let Some(opening) = talk::opening(lang, &screen.session) {
        lines.extend(wrapped(&opening, width).into_iter().map(|line| Line::from(line).dim()));
    }
    for side in [Side::White, Side::Black] {
        let name = talk::side(lang, side);
        let seat = talk::seat(lang, screen.session.seats().of(side));
        let count = Bits::len(screen.session.game().position().pieces(side));
        lines.push(Line::from(format!("{name}: {seat} ({count})")));
    }
    lines
}

/// Returns the draw counters that have begun to count.
fn counter_lines(screen: &Screen, width: usize) -> Vec<Line<'static>> {
    let begun =
        |state: &damiera_rules::game::CounterState<'_>| state.plies > u16::from(state.clause.is_repetition());
    let states = screen.session.game().counter_states();
    let text = |state| say::counter(screen.style.lang, &state);
    let texts = states.into_iter().filter(begun).map(text);
    texts.flat_map(|text| wrapped(&text, width)).map(|line| Line::from(line).dim()).collect()
}

/// Returns the last moves that fit, or earlier ones when the list is turned back.
fn move_lines(screen: &Screen, height: usize) -> Vec<Line<'static>> {
    let lines = talk::numbered(screen.session.game());
    let most = lines.len().saturating_sub(height);
    let from = most.saturating_sub(screen.turned_back);
    lines.into_iter().skip(from).take(height).map(Line::from).collect()
}

// ---- below ----

fn draw_entry(screen: &Screen, frame: &mut Frame<'_>, area: Rect) {
    let [line, list] = Layout::vertical([Constraint::Length(1), Constraint::Length(1)]).areas(area);
    let prompt = "> ";
    frame.render_widget(Line::from(vec![Span::raw(prompt), Span::raw(screen.entry.clone()).bold()]), line);
    let column = prompt.len() + screen.entry.chars().count();
    let column = u16::try_from(column).unwrap_or(u16::MAX).min(line.width.saturating_sub(1));
    frame.set_cursor_position((line.x + column, line.y));
    frame.render_widget(Line::from(suggestions(screen)).dim(), list);
}

/// Returns what the typed text may become, or how to begin.
fn suggestions(screen: &Screen) -> String {
    let lang = screen.style.lang;
    if screen.entry.is_empty() {
        return t(lang, "tui.keys", &[]);
    }
    let commands = Command::beginning_with(lang, &screen.entry);
    if !commands.is_empty() {
        return commands.join("  ");
    }
    let texts: Vec<String> = screen.candidates().into_iter().map(|candidate| candidate.text).collect();
    if texts.is_empty() { t(lang, "tui.no-such-move", &[]) } else { texts.join("  ") }
}

fn draw_help(screen: &Screen, frame: &mut Frame<'_>) {
    let lang = screen.style.lang;
    let mut lines: Vec<Line<'_>> = ["tui.help.type", "tui.help.cursor", "tui.help.pages"]
        .iter()
        .map(|key| Line::from(t(lang, key, &[])))
        .collect();
    lines.push(Line::default());
    for command in Command::ALL {
        let key = function_key(command);
        lines.push(Line::from(vec![
            Span::raw(format!("{key:>3}  ")).dim(),
            Span::raw(format!("{:<16}", format!("/{}", command.word(lang)))).bold(),
            Span::raw(command.about(lang)),
        ]));
    }
    let area = frame.area();
    let area = area.centered(
        Constraint::Length(area.width.saturating_sub(4).min(76)),
        Constraint::Length(area.height.saturating_sub(2).min(20)),
    );
    let block = Block::bordered()
        .title(t(lang, "tui.help", &[]))
        .title_bottom(t(lang, "tui.help.close", &[]))
        .title_alignment(Alignment::Center);
    frame.render_widget(Clear, area);
    let paint = if screen.style.ascii { Paint::new() } else { Paint::new().fg(Color::Reset) };
    frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: false }).block(block).style(paint), area);
}

fn function_key(command: Command) -> &'static str {
    match command {
        Command::Help => "F1",
        Command::Hint => "F2",
        Command::TakeBack => "F3",
        Command::Draw => "F4",
        Command::Flip => "F5",
        Command::Quit => "F10",
        _ => "",
    }
}

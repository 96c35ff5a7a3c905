//! Tags: their order, and the names that other languages give them.

use std::borrow::Cow;

/// The tags that come first, in this order.
pub(crate) const FIRST: [&str; 6] = ["Event", "Site", "Date", "Round", "White", "Black"];

/// Sorts tags as they are written: the roster first, the others as they come.
pub(crate) fn sort(tags: &mut [(String, String)]) {
    tags.sort_by_key(|(name, _)| FIRST.iter().position(|first| first == name).unwrap_or(FIRST.len()));
}

/// Returns a name as PDN wants it: letters, digits and low lines, a capital first.
pub(crate) fn written_name(name: &str) -> Cow<'_, str> {
    let is_part = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    if name.starts_with(|c: char| c.is_ascii_uppercase()) && name.bytes().all(is_part) {
        return Cow::Borrowed(name);
    }
    let clean: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' }).collect();
    let mut chars = clean.chars();
    Cow::Owned(match chars.next() {
        Some(first) if first.is_ascii_alphabetic() => first.to_ascii_uppercase().to_string() + chars.as_str(),
        _ => format!("X{clean}"),
    })
}

/// Returns a tag's value without its escapes and in one line.
pub(crate) fn written_value(value: &str) -> Cow<'_, str> {
    let is_strange = |b: u8| b == b'\\' || b.is_ascii_control() || b >= 0x80;
    if !value.bytes().any(is_strange) && !value.contains("  ") && value.trim().len() == value.len() {
        return Cow::Borrowed(value);
    }
    let mut plain = String::with_capacity(value.len());
    let mut chars = value.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            // Only these two are escaped; a stroke before anything else is meant as it stands.
            '\\' => plain.push(chars.next_if(|next| matches!(next, '"' | '\\')).unwrap_or('\\')),
            c if c.is_control() => plain.push(' '),
            c => plain.push(c),
        }
    }
    let plain = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    // With a space that was a control character before, it would be the end of the tag.
    Cow::Owned(plain.replace("\" ]", "' ]"))
}

/// Returns the standard name of a tag that has it in Italian, Spanish, Portuguese, Dutch or Russian.
pub(crate) fn standard_name(name: &str) -> Option<&'static str> {
    const NAMES: [(&str, &str); 46] = [
        ("Bianco", "White"),
        ("Bianchi", "White"),
        ("Blancas", "White"),
        ("Blanco", "White"),
        ("Brancas", "White"),
        ("Wit", "White"),
        ("Nero", "Black"),
        ("Neri", "Black"),
        ("Negras", "Black"),
        ("Negro", "Black"),
        ("Pretas", "Black"),
        ("Zwart", "Black"),
        ("Risultato", "Result"),
        ("Resultado", "Result"),
        ("Uitslag", "Result"),
        ("Evento", "Event"),
        ("Torneo", "Event"),
        ("Torneio", "Event"),
        ("Toernooi", "Event"),
        ("Manifestazione", "Event"),
        ("Luogo", "Site"),
        ("Sede", "Site"),
        ("Lugar", "Site"),
        ("Sitio", "Site"),
        ("Local", "Site"),
        ("Plaats", "Site"),
        ("Data", "Date"),
        ("Fecha", "Date"),
        ("Datum", "Date"),
        ("Turno", "Round"),
        ("Ronda", "Round"),
        ("Rodada", "Round"),
        ("Ronde", "Round"),
        ("Apertura", "Opening"),
        ("Белые", "White"),
        ("Черные", "Black"),
        ("Чёрные", "Black"),
        ("Результат", "Result"),
        ("Итог", "Result"),
        ("Событие", "Event"),
        ("Турнир", "Event"),
        ("Соревнование", "Event"),
        ("Место", "Site"),
        ("Дата", "Date"),
        ("Тур", "Round"),
        ("Раунд", "Round"),
    ];
    // Most files have the standard names.
    if FIRST.contains(&name) {
        return None;
    }
    NAMES.iter().find(|(other, _)| *other == name).map(|(_, standard)| *standard)
}

//! Tags: their order, and the names that other languages give them.

/// The tags that come first, in this order.
pub(crate) const FIRST: [&str; 6] = ["Event", "Site", "Date", "Round", "White", "Black"];

/// Sorts tags as they are written: the roster first, the others as they come.
pub(crate) fn sort(tags: &mut [(String, String)]) {
    tags.sort_by_key(|(name, _)| FIRST.iter().position(|first| first == name).unwrap_or(FIRST.len()));
}

/// Returns a name as PDN wants it: letters, digits and low lines, a capital first.
pub(crate) fn written_name(name: &str) -> String {
    let clean: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' }).collect();
    let mut chars = clean.chars();
    match chars.next() {
        Some(first) if first.is_ascii_alphabetic() => first.to_ascii_uppercase().to_string() + chars.as_str(),
        _ => format!("X{clean}"),
    }
}

/// Returns the standard name of a tag that has it in Italian, Spanish, Portuguese or Dutch.
pub(crate) fn standard_name(name: &str) -> Option<&'static str> {
    const NAMES: [(&str, &str); 34] = [
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
    ];
    NAMES.iter().find(|(other, _)| *other == name).map(|(_, standard)| *standard)
}

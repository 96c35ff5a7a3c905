//! What the bytes of names and comments say: the encoding of a file, found and told.
//!
//! PDN 3.0 is UTF-8. Older files are whatever their program wrote: Windows-1252 in the west, Windows-1251 or a DOS page in the east. A text that is UTF-8 is
//! taken as such; for one that is not, the file's encoding is guessed from its letters, once, and then kept.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::Encoding;

/// What files that are not UTF-8 may be in; a guess at anything else is none.
static CANDIDATES: [&Encoding; 7] = [
    encoding_rs::WINDOWS_1252,
    encoding_rs::WINDOWS_1251,
    encoding_rs::WINDOWS_1250,
    encoding_rs::IBM866,
    encoding_rs::KOI8_U,
    encoding_rs::WINDOWS_1257,
    encoding_rs::ISO_8859_2,
];

/// Decodes the texts of one file.
#[derive(Clone, Debug, Default)]
pub struct Decoder {
    /// What texts that are not UTF-8 are in.
    legacy: Option<&'static Encoding>,
    /// There was such a text.
    has_legacy: bool,
    /// There was a text beyond ASCII that is UTF-8.
    has_utf8: bool,
}

impl Decoder {
    /// Returns a decoder for a file that begins with these bytes; with none it guesses from the first text that needs it.
    pub fn new(sample: &[u8]) -> Decoder {
        let is_utf8 = match std::str::from_utf8(sample) {
            Ok(_) => true,
            // The sample may end in the middle of a character.
            Err(error) => error.error_len().is_none(),
        };
        Decoder { legacy: (!is_utf8).then(|| guess(sample)), ..Decoder::default() }
    }
    /// Takes the encoding of texts that are not UTF-8 from a name such as [`Decoder::name`] returns; one that says nothing of them changes nothing.
    pub fn expect(&mut self, name: &str) {
        let encodings = name.split(", ").filter_map(|name| Encoding::for_label(name.as_bytes()));
        if let Some(legacy) = encodings.filter(|encoding| CANDIDATES.contains(encoding)).last() {
            self.legacy = Some(legacy);
        }
    }
    /// Returns what bytes say.
    pub fn decode<'a>(&mut self, bytes: &'a [u8]) -> Cow<'a, str> {
        match std::str::from_utf8(bytes) {
            Ok(text) => {
                self.has_utf8 |= !bytes.is_ascii();
                Cow::Borrowed(text)
            }
            Err(_) => {
                self.has_legacy = true;
                let legacy = *self.legacy.get_or_insert_with(|| guess(bytes));
                legacy.decode_without_bom_handling(bytes).0
            }
        }
    }
    /// Returns the name of the encoding that the texts so far were in: `ascii`, `utf-8`, `windows-1252` and so on, or two of them where a file mixes.
    pub fn name(&self) -> String {
        let legacy = self.legacy.map_or("", Encoding::name).to_ascii_lowercase();
        match (self.has_utf8, self.has_legacy) {
            (false, false) => "ascii".to_owned(),
            (true, false) => "utf-8".to_owned(),
            (false, true) => legacy,
            (true, true) => format!("utf-8, {legacy}"),
        }
    }
}

fn guess(bytes: &[u8]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    let guess = detector.guess(None, Utf8Detection::Deny);
    if CANDIDATES.contains(&guess) { guess } else { encoding_rs::WINDOWS_1252 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(encoding: &'static Encoding, text: &str, name: &str) {
        let (bytes, _, unmappable) = encoding.encode(text);
        assert!(!unmappable, "{text}");
        let mut decoder = Decoder::new(b"");
        assert_eq!(decoder.decode(&bytes), text);
        assert_eq!(decoder.name(), name);
    }

    #[test]
    fn the_encoding_is_known_by_its_letters() {
        check(encoding_rs::UTF_8, "Sergej Фадеев", "utf-8");
        check(
            encoding_rs::WINDOWS_1252,
            "è vincente, così la pedina più forte è già perduta",
            "windows-1252",
        );
        check(encoding_rs::WINDOWS_1252, "mejor es la jugada de la dama en el último año", "windows-1252");
        check(encoding_rs::WINDOWS_1252, "uma boa opção é a troca das pedras, não há defesa", "windows-1252");
        check(encoding_rs::WINDOWS_1251, "Фадеев Сергей выигрывает, сильнейший ход белых", "windows-1251");
        check(encoding_rs::IBM866, "Фадеев Сергей выигрывает, сильнейший ход белых", "ibm866");
        check(
            encoding_rs::WINDOWS_1250,
            "bílý vyhrává, černý má těžkou pozici, lepší byl tah dámou",
            "windows-1250",
        );
    }

    #[test]
    fn a_file_may_mix_encodings_and_says_so() {
        let mut decoder = Decoder::new(b"");
        assert_eq!(decoder.decode(b"plain"), "plain");
        assert_eq!(decoder.name(), "ascii");
        assert_eq!(decoder.decode("perché".as_bytes()), "perché");
        assert_eq!(decoder.decode(b"7-12 \xe8 vincente"), "7-12 è vincente");
        assert_eq!(decoder.name(), "utf-8, windows-1252");
    }

    #[test]
    fn half_a_character_is_no_reason_to_guess() {
        let text = "Фадеев".as_bytes();
        assert!(Decoder::new(&text[..text.len() - 1]).legacy.is_none());
    }
}

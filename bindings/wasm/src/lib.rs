//! The rules as WebAssembly, by a C ABI of three functions and no glue.
//!
//! The host asks for room with [`damiera_room`], writes a question there as UTF-8 and calls [`damiera_moves`]; the answer then stands at
//! [`damiera_answer`], as many bytes long as the call said.
//!
//! A question is two lines: the rule set's canonical name and the position as FEN, which may be empty for the start. The answer is a line for every legal
//! move, each with its short text, a tab and its whole path; or `error: ` and what was wrong.

use std::cell::RefCell;
use std::fmt::Write;

use damiera_rules::{RuleSet, fen, notation};

thread_local! {
    static QUESTION: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static ANSWER: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Returns the address of room for a question of so many bytes. It is good until the next call.
#[expect(
    unsafe_code,
    reason = "the host finds the function by its plain name, and no other library here has a name that begins so"
)]
#[unsafe(no_mangle)]
pub extern "C" fn damiera_room(bytes: usize) -> *mut u8 {
    QUESTION.with_borrow_mut(|question| {
        question.clear();
        question.resize(bytes, 0);
        question.as_mut_ptr()
    })
}

/// Answers the question with the legal moves, and returns the length of the answer in bytes.
#[expect(unsafe_code, reason = "as above")]
#[unsafe(no_mangle)]
pub extern "C" fn damiera_moves() -> usize {
    let answer = QUESTION.with_borrow(|question| match std::str::from_utf8(question) {
        Ok(question) => answer(question),
        Err(_) => "error: the question is not UTF-8\n".to_string(),
    });
    let length = answer.len();
    ANSWER.set(answer);
    length
}

/// Returns the address of the last answer. It is good until the next question is answered.
#[expect(unsafe_code, reason = "as above")]
#[unsafe(no_mangle)]
pub extern "C" fn damiera_answer() -> *const u8 {
    ANSWER.with_borrow(|answer| answer.as_ptr())
}

fn answer(question: &str) -> String {
    list(question).unwrap_or_else(|error| format!("error: {error}\n"))
}

fn list(question: &str) -> Result<String, String> {
    let (rules, position) = question.split_once('\n').unwrap_or((question, ""));
    let rules = RuleSet::parse(rules).map_err(|error| error.to_string())?;
    let position = match position.trim() {
        "" => rules.initial(),
        text => fen::parse(&rules, text).map_err(|error| error.to_string())?,
    };
    let legal = rules.moves(&position);
    let mut lines = String::new();
    for m in &legal {
        let (short, full) =
            (notation::format(&rules, &position, &legal, m), notation::full(&rules, &position, m));
        writeln!(lines, "{short}\t{full}").map_err(|error| error.to_string())?;
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::answer;

    #[test]
    fn lists_the_legal_moves() {
        assert_eq!(answer("italian").lines().count(), 7);
        assert_eq!(answer("italian\nW:W21,K22,K31:B11,18"), "21x7\t21x14x7\n");
    }

    #[test]
    fn says_what_is_wrong() {
        assert!(answer("").starts_with("error: "));
        assert!(answer("italian\nW:W99:B1").starts_with("error: "));
    }
}

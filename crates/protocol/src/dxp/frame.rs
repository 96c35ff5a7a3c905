//! The layer below the messages: bytes as they come, cut into messages at each NUL.

use super::message::{DxpError, LONGEST};

/// Bytes that have come and are not yet a whole message.
#[derive(Default)]
pub struct Frames {
    begun: Vec<u8>,
    /// What has been begun is longer than a message may be, and is dropped up to its end.
    too_long: bool,
}

impl Frames {
    /// Returns an empty buffer.
    pub fn new() -> Frames {
        Frames::default()
    }
    /// Takes in bytes and returns the messages that are whole now, each as text or as an error.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<Result<String, DxpError>> {
        let mut whole = Vec::new();
        for byte in bytes {
            match byte {
                0 => whole.extend(self.end()),
                _ if self.begun.len() < LONGEST => self.begun.push(*byte),
                _ => self.too_long = true,
            }
        }
        whole
    }
    /// Returns whether a message has begun that has not ended.
    pub fn is_within(&self) -> bool {
        !self.begun.is_empty()
    }
    fn end(&mut self) -> Option<Result<String, DxpError>> {
        let bytes = std::mem::take(&mut self.begun);
        if std::mem::take(&mut self.too_long) {
            return Some(Err(DxpError::new(format!("a message of more than {LONGEST} characters"))));
        }
        if bytes.is_empty() {
            return None;
        }
        // Chat may have letters of other alphabets, though the protocol knows none; they are no reason to end a game.
        Some(Ok(bytes.iter().map(|byte| if byte.is_ascii() { char::from(*byte) } else { '?' }).collect()))
    }
}

//! Files as they lie about: plain, or packed by gzip or bzip2; in bytes of ASCII's family or in UTF-16. What comes out is the text's bytes.

use std::io::{self, Cursor, Read};

use encoding_rs::{CoderResult, Decoder};

/// How many bytes are looked at to tell what a file is.
const SAMPLE: usize = 256 * 1024;

/// A packed file may always grow to so many bytes ...
const UNPACKED: u64 = 1 << 30;

/// ... and beyond that to so many times its size. Games repeated a thousand times pack to a hundredth; more is no collection of games.
const RATIO: u64 = 200;

/// A file that is being read.
pub struct Source<'a> {
    input: Box<dyn Read + 'a>,
    sample: Vec<u8>,
    packing: Option<&'static str>,
    is_utf16: bool,
}

impl<'a> Source<'a> {
    /// Looks at how a file begins.
    pub fn new(input: impl Read + 'a) -> io::Result<Source<'a>> {
        let mut input: Box<dyn Read + 'a> = Box::new(input);
        let mut packing = None;
        let mut begin = begin_of(&mut input)?;
        if begin.starts_with(&[0x1f, 0x8b]) {
            packing = Some("gzip");
            let packed = Counted::new(Cursor::new(begin).chain(input));
            input = Box::new(Unpacked::new(flate2::read::MultiGzDecoder::new(packed), |d| d.get_ref().count));
            begin = begin_of(&mut input)?;
        } else if begin.starts_with(b"BZh") {
            packing = Some("bzip2");
            let packed = Counted::new(Cursor::new(begin).chain(input));
            input = Box::new(Unpacked::new(bzip2::read::MultiBzDecoder::new(packed), |d| d.get_ref().count));
            begin = begin_of(&mut input)?;
        }
        let utf16 = match begin {
            _ if begin.starts_with(&[0xff, 0xfe]) => Some(encoding_rs::UTF_16LE),
            _ if begin.starts_with(&[0xfe, 0xff]) => Some(encoding_rs::UTF_16BE),
            _ => None,
        };
        let mut input: Box<dyn Read + 'a> = Box::new(Cursor::new(begin.clone()).chain(input));
        if let Some(encoding) = utf16 {
            input = Box::new(Utf16::new(input, encoding.new_decoder()));
            begin = begin_of(&mut input)?;
            input = Box::new(Cursor::new(begin.clone()).chain(input));
        }
        Ok(Source { input, sample: begin, packing, is_utf16: utf16.is_some() })
    }
    /// Returns how the text begins.
    pub fn sample(&self) -> &[u8] {
        &self.sample
    }
    /// Returns how the file is packed: `gzip` or `bzip2`.
    pub fn packing(&self) -> Option<&'static str> {
        self.packing
    }
    /// Returns whether the file is in UTF-16; what is read of it is UTF-8.
    pub fn is_utf16(&self) -> bool {
        self.is_utf16
    }
}

impl Read for Source<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.input.read(buffer)
    }
}

/// Returns up to [`SAMPLE`] bytes.
fn begin_of(input: &mut dyn Read) -> io::Result<Vec<u8>> {
    let mut begin = Vec::new();
    input.take(SAMPLE as u64).read_to_end(&mut begin)?;
    Ok(begin)
}

/// Counts what is read.
struct Counted<R> {
    input: R,
    count: u64,
}

impl<R> Counted<R> {
    fn new(input: R) -> Self {
        Counted { input, count: 0 }
    }
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.input.read(buffer)?;
        self.count += n as u64;
        Ok(n)
    }
}

/// A packed file unpacked, up to a limit.
struct Unpacked<D> {
    decoder: D,
    packed: fn(&D) -> u64,
    count: u64,
}

impl<D> Unpacked<D> {
    fn new(decoder: D, packed: fn(&D) -> u64) -> Self {
        Unpacked { decoder, packed, count: 0 }
    }
}

impl<D: Read> Read for Unpacked<D> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.decoder.read(buffer)?;
        self.count += n as u64;
        if self.count > UNPACKED && self.count / RATIO > (self.packed)(&self.decoder) {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                format!(
                    "the packed file grows beyond 1 GiB and {RATIO} times its size: no collection of games does"
                ),
            ));
        }
        Ok(n)
    }
}

/// UTF-16 as UTF-8.
struct Utf16<R> {
    input: R,
    decoder: Decoder,
    raw: Vec<u8>,
    /// `raw[at..end]` is still to be decoded.
    at: usize,
    end: usize,
    is_last: bool,
    text: Cursor<Vec<u8>>,
}

impl<R: Read> Utf16<R> {
    fn new(input: R, decoder: Decoder) -> Self {
        Utf16 {
            input,
            decoder,
            raw: vec![0; 16 * 1024],
            at: 0,
            end: 0,
            is_last: false,
            text: Cursor::default(),
        }
    }
}

impl<R: Read> Read for Utf16<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let n = self.text.read(buffer)?;
            if n > 0 || buffer.is_empty() || (self.is_last && self.at == self.end) {
                return Ok(n);
            }
            if self.at == self.end {
                self.at = 0;
                self.end = self.input.read(&mut self.raw)?;
                self.is_last = self.end == 0;
            }
            let mut text = std::mem::take(&mut self.text).into_inner();
            text.resize(64 * 1024, 0);
            let (result, read, written, _) =
                self.decoder.decode_to_utf8(&self.raw[self.at..self.end], &mut text, self.is_last);
            self.at += read;
            text.truncate(written);
            self.text = Cursor::new(text);
            if self.is_last && result == CoderResult::InputEmpty {
                self.at = self.end;
            }
        }
    }
}

//! Where answers go, and what the program's exit status says.

use std::io::{self, BufWriter, Write};

use serde::Serialize;

/// Standard output, buffered.
pub(crate) type Out = BufWriter<io::Stdout>;

/// What a command found, for the exit status.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Answer {
    /// It was done: 0.
    Done,
    /// It was done and the answer is a no, such as an illegal move or a file with faults: 1.
    No,
}

/// Opens standard output.
pub(crate) fn open() -> Out {
    BufWriter::with_capacity(1 << 16, io::stdout())
}

/// Writes one JSON object and ends the line.
pub(crate) fn json_line(out: &mut impl Write, value: &impl Serialize) -> anyhow::Result<()> {
    serde_json::to_writer(&mut *out, value).map_err(io::Error::from)?;
    out.write_all(b"\n")?;
    Ok(())
}

/// Returns true when an error only says that nobody reads the output any more, as with `| head`.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

//! Judge files: the names are read from stdin, one a line, and a line is written for each:
//!
//!     accept
//!     reject CODE RULE BYTE: MESSAGE
//!     error: MESSAGE
//!
//! `corpus/run.py --batch` reads these lines.
use assay::{CheckedFile, Error, Limits};
use std::io::{BufRead, Write};

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    for path in std::io::stdin().lock().lines() {
        match CheckedFile::open(path?, &Limits::NONE) {
            Ok(_) => writeln!(out, "accept")?,
            Err(Error::Invalid(why)) => {
                let byte = why.byte().map_or(String::new(), |byte| byte.to_string());
                writeln!(out, "reject {} {} {byte}: {why}", why.code(), why.rule())?;
            }
            Err(Error::NotJudged(why)) => writeln!(out, "error: {why}")?,
        }
    }
    Ok(())
}

//! Judges files with the reference implementation.
//!
//! stdin: records of file size (u64, little-endian), count of bytes (u64, little-endian), those bytes: the
//! beginning of a file whose other bytes are zero. stdout: one line a record, in order:
//!     accept {"tensors":[{"name","dtype","shape","begin","end"},...],"metadata":{...} or null}
//!     reject <variant of SafeTensorError>
//!     panic
//!     skip            (the file is too large to be made in memory)

use safetensors::{SafeTensorError, SafeTensors};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::panic;

const LARGEST: u64 = 1 << 26;

fn variant(error: &SafeTensorError) -> String {
    let text = format!("{error:?}");
    text.chars().take_while(char::is_ascii_alphanumeric).collect()
}

fn accepted(file: &[u8]) -> String {
    let (_, metadata) = SafeTensors::read_metadata(file).expect("deserialize accepted it");
    let tensors: Vec<_> = metadata
        .offset_keys()
        .iter()
        .map(|name| {
            let info = metadata.info(name).expect("the name is one of the keys");
            serde_json::json!({"name": name, "dtype": info.dtype.to_string(), "shape": info.shape,
                               "begin": info.data_offsets.0, "end": info.data_offsets.1})
        })
        .collect();
    serde_json::json!({"tensors": tensors, "metadata": metadata.metadata()}).to_string()
}

fn judge(file: &[u8]) -> String {
    match SafeTensors::deserialize(file) {
        Ok(_) => format!("accept {}", accepted(file)),
        Err(error) => format!("reject {}", variant(&error)),
    }
}

fn read_u64(input: &mut impl Read) -> io::Result<Option<u64>> {
    let mut bytes = [0; 8];
    match input.read_exact(&mut bytes) {
        Ok(()) => Ok(Some(u64::from_le_bytes(bytes))),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
        Err(error) => Err(error),
    }
}

fn main() -> io::Result<()> {
    panic::set_hook(Box::new(|_| {}));
    let mut input = BufReader::new(io::stdin().lock());
    let mut output = BufWriter::new(io::stdout().lock());
    while let Some(file_size) = read_u64(&mut input)? {
        let count = read_u64(&mut input)?.ok_or(io::ErrorKind::UnexpectedEof)?;
        let mut file = Vec::new();
        input.by_ref().take(count).read_to_end(&mut file)?;
        if file_size > LARGEST {
            writeln!(output, "skip")?;
            continue;
        }
        file.resize(file_size as usize, 0);
        let line = panic::catch_unwind(|| judge(&file)).unwrap_or_else(|_| "panic".to_string());
        writeln!(output, "{line}")?;
    }
    output.flush()
}

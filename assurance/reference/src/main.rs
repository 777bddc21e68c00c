//! Judge files with the reference implementation.
//!
//! stdin: records of file size (u64, little-endian), count of bytes (u64, little-endian), those bytes: the
//! beginning of a file whose other bytes are zero. stdout: one line for each record, in order:
//!     accept {"tensors":[{"name","dtype","shape","begin","end"},...],"metadata":{...} or null}
//!     reject <variant of SafeTensorError>
//!     panic
//!     skip            (the file is too large for the address space)

use safetensors::{SafeTensorError, SafeTensors};
use std::ffi::c_void;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::panic;

const LARGEST: u64 = 1 << 46;

extern "C" {
    fn mmap(at: *mut c_void, size: usize, protection: i32, flags: i32, file: i32, offset: i64) -> *mut c_void;
    fn munmap(at: *mut c_void, size: usize) -> i32;
}

/// Zeros that take memory only where they are touched.
struct Zeros {
    at: *mut c_void,
    size: usize,
}

impl Zeros {
    fn new(size: usize) -> Option<Zeros> {
        const READ_WRITE: i32 = 1 | 2;
        const PRIVATE_ANONYMOUS_NORESERVE: i32 = 0x2 | 0x20 | 0x4000; // Linux
        let at = unsafe { mmap(std::ptr::null_mut(), size, READ_WRITE, PRIVATE_ANONYMOUS_NORESERVE, -1, 0) };
        (at as isize != -1).then_some(Zeros { at, size })
    }

    fn bytes(&mut self) -> &mut [u8] {
        unsafe { std::slice::from_raw_parts_mut(self.at.cast(), self.size) }
    }
}

impl Drop for Zeros {
    fn drop(&mut self) {
        unsafe { munmap(self.at, self.size) };
    }
}

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
        let mut head = Vec::new();
        input.by_ref().take(count).read_to_end(&mut head)?;
        head.truncate(usize::try_from(file_size).unwrap_or(usize::MAX));
        let zeros = if file_size <= LARGEST { Zeros::new(file_size as usize + 1) } else { None };
        let Some(mut zeros) = zeros else {
            writeln!(output, "skip")?;
            continue;
        };
        let file = &mut zeros.bytes()[..file_size as usize];
        file[..head.len()].copy_from_slice(&head);
        let line = panic::catch_unwind(|| judge(file)).unwrap_or_else(|_| "panic".to_string());
        writeln!(output, "{line}")?;
    }
    output.flush()
}

//! Judge files with the version of the crate that the argument names. ../../python_reader.py describes the records and
//! lines.

use std::ffi::c_void;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::panic;

const LARGEST: u64 = 1 << 46;

extern "C" {
    fn mmap(at: *mut c_void, size: usize, protection: i32, flags: i32, file: i32, offset: i64) -> *mut c_void;
}

/// The function that judges a file with one version of the crate.
macro_rules! judge {
    ($crate_name:ident) => {
        |file: &[u8]| -> Result<String, String> {
            use $crate_name::SafeTensors;
            SafeTensors::deserialize(file).map_err(|error| format!("{error:?}"))?;
            let (_, header) = SafeTensors::read_metadata(file).expect("deserialize accepted it");
            let tensors: Vec<_> = header.tensors().iter().map(|(name, tensor)| {
                serde_json::json!({"name": name, "dtype": format!("{:?}", tensor.dtype), "shape": tensor.shape,
                                   "begin": tensor.data_offsets.0, "end": tensor.data_offsets.1})
            }).collect();
            let pairs = header.metadata().clone().unwrap_or_default();
            Ok(serde_json::json!({"tensors": tensors, "pairs": pairs}).to_string())
        }
    };
}

fn read_u64(input: &mut impl Read) -> Option<u64> {
    let mut bytes = [0; 8];
    input.read_exact(&mut bytes).ok()?;
    Some(u64::from_le_bytes(bytes))
}

/// Zeros that take memory only where they are touched; mapped once.
fn zeros() -> &'static mut [u8] {
    const READ_WRITE: i32 = 1 | 2;
    const PRIVATE_ANONYMOUS_NORESERVE: i32 = 0x2 | 0x20 | 0x4000; // Linux
    let at = unsafe {
        mmap(std::ptr::null_mut(), LARGEST as usize, READ_WRITE, PRIVATE_ANONYMOUS_NORESERVE, -1, 0)
    };
    assert!(at as isize != -1, "no room for the file");
    unsafe { std::slice::from_raw_parts_mut(at.cast(), LARGEST as usize) }
}

fn main() -> io::Result<()> {
    let version = std::env::args().nth(1).expect("a version");
    let judge: fn(&[u8]) -> Result<String, String> = match version.as_str() {
        "0.8.0" => judge!(v0_8_0),
        "0.7.0" => judge!(v0_7_0),
        "0.5.3" => judge!(v0_5_3),
        "0.3.3" => judge!(v0_3_3),
        _ => panic!("no such version here"),
    };
    panic::set_hook(Box::new(|_| {}));
    let (mut input, mut output) = (BufReader::new(io::stdin().lock()), BufWriter::new(io::stdout().lock()));
    let room = zeros();
    while let Some(size) = read_u64(&mut input) {
        let count = read_u64(&mut input).ok_or(io::ErrorKind::UnexpectedEof)?;
        let mut head = Vec::new();
        input.by_ref().take(count).read_to_end(&mut head)?;
        if size > LARGEST {
            writeln!(output, "skip too large")?;
            continue;
        }
        room[..head.len()].copy_from_slice(&head);
        let file = &room[..size as usize];
        match panic::catch_unwind(|| judge(file)).unwrap_or_else(|_| Err("panic".to_string())) {
            Ok(table) => writeln!(output, "accept {table}")?,
            Err(why) => writeln!(output, "reject {}", why.replace('\n', " "))?,
        }
        room[..head.len()].fill(0);
    }
    output.flush()
}

//! The readers that are crates, with the interface of ../bench.h.

use bintensors::tensor::{Dtype as BinDtype, TensorInfo as BinInfo};
use bintensors::BinTensors;
use safetensors::{Dtype, SafeTensors};
use std::collections::BTreeMap;
use std::ffi::{c_char, c_void};
use std::ptr;

#[repr(C)]
pub struct File {
    file: *const u8,
    file_size: u64,
    head_size: u64,
    json: *const c_char,
    json_size: u64,
    own: *const u8,
    own_size: u64,
}

#[repr(C)]
pub struct Reader {
    name: *const c_char,
    version: extern "C" fn() -> *const c_char,
    convert: Option<unsafe extern "C" fn(*mut File) -> bool>,
    prepare: Option<unsafe extern "C" fn(*const File) -> bool>,
    open: unsafe extern "C" fn(*const File) -> *mut c_void,
    close: Option<unsafe extern "C" fn(*mut c_void)>,
    count: unsafe extern "C" fn(*mut c_void) -> u64,
    walk: unsafe extern "C" fn(*mut c_void) -> u64,
    find: Option<unsafe extern "C" fn(*mut c_void, *const u8, usize) -> bool>,
    first: Option<unsafe extern "C" fn(*mut c_void, *const u8, usize) -> *const u8>,
}

unsafe impl Sync for Reader {}

/// The functions that both crates have under the same names.
macro_rules! reader {
    ($export:ident, $name:literal, $version:literal, $parsed:ident, $convert:expr, $file:ident, $size:ident) => {
        #[no_mangle]
        pub static $export: Reader = {
            extern "C" fn version() -> *const c_char {
                concat!($version, "\0").as_ptr().cast()
            }
            unsafe extern "C" fn open(file: *const File) -> *mut c_void {
                let bytes = unsafe { std::slice::from_raw_parts((*file).$file, (*file).$size as usize) };
                match $parsed::deserialize(bytes) {
                    Ok(parsed) => Box::into_raw(Box::new(parsed)).cast(),
                    Err(_) => ptr::null_mut(),
                }
            }
            unsafe extern "C" fn close(parsed: *mut c_void) {
                drop(unsafe { Box::from_raw(parsed.cast::<$parsed<'static>>()) });
            }
            unsafe extern "C" fn count(parsed: *mut c_void) -> u64 {
                unsafe { &*parsed.cast::<$parsed<'static>>() }.len() as u64
            }
            unsafe extern "C" fn walk(parsed: *mut c_void) -> u64 {
                let parsed = unsafe { &*parsed.cast::<$parsed<'static>>() };
                let mut sum = 0u64;
                for (name, tensor) in parsed.iter() {
                    sum += name.bytes().map(u64::from).sum::<u64>();
                    sum += tensor.shape().iter().map(|dim| *dim as u64).sum::<u64>();
                }
                sum
            }
            unsafe extern "C" fn find(parsed: *mut c_void, name: *const u8, size: usize) -> bool {
                let name = unsafe { std::str::from_utf8_unchecked(std::slice::from_raw_parts(name, size)) };
                unsafe { &*parsed.cast::<$parsed<'static>>() }.tensor(name).is_ok()
            }
            unsafe extern "C" fn first(parsed: *mut c_void, name: *const u8, size: usize) -> *const u8 {
                let name = unsafe { std::str::from_utf8_unchecked(std::slice::from_raw_parts(name, size)) };
                let found = unsafe { &*parsed.cast::<$parsed<'static>>() }.tensor(name);
                found.map_or(ptr::null(), |tensor| tensor.data().as_ptr())
            }
            Reader {
                name: concat!($name, "\0").as_ptr().cast(),
                version,
                convert: $convert,
                prepare: None,
                open,
                close: Some(close),
                count,
                walk,
                find: Some(find),
                first: Some(first),
            }
        };
    };
}

reader!(bench_crate, "crate", "0.8.0", SafeTensors, None, file, file_size);
reader!(bench_bintensors, "bintensors", "0.1.1", BinTensors, Some(convert), own, own_size);

fn bin_dtype(dtype: Dtype) -> Option<BinDtype> {
    Some(match dtype {
        Dtype::F64 => BinDtype::F64,
        Dtype::F32 => BinDtype::F32,
        Dtype::F16 => BinDtype::F16,
        Dtype::BF16 => BinDtype::BF16,
        Dtype::I64 => BinDtype::I64,
        Dtype::I32 => BinDtype::I32,
        Dtype::U8 => BinDtype::U8,
        Dtype::F8_E4M3 => BinDtype::F8_E4M3,
        _ => return None,
    })
}

/// The same tensors and metadata in the format of bintensors, in layout order, which it requires. Only the head is
/// made: own_size counts the data too, for which reader_main.c makes room.
unsafe extern "C" fn convert(file: *mut File) -> bool {
    let file = unsafe { &mut *file };
    let bytes = unsafe { std::slice::from_raw_parts(file.file, file.file_size as usize) };
    let Ok((_, header)) = SafeTensors::read_metadata(bytes) else { return false };
    let mut tensors = Vec::new();
    for name in header.offset_keys() {
        let tensor = header.info(&name).expect("the name is one of the keys");
        let Some(dtype) = bin_dtype(tensor.dtype) else { return false };
        tensors.push((name, BinInfo { dtype, shape: tensor.shape.clone(), data_offsets: tensor.data_offsets }));
    }
    let metadata: Option<BTreeMap<String, String>> =
        header.metadata().as_ref().map(|pairs| pairs.iter().map(|(k, v)| (k.clone(), v.clone())).collect());
    let Ok(mut encoded) = bincode::encode_to_vec((metadata, tensors), bincode::config::standard()) else {
        return false;
    };
    encoded.resize(encoded.len().next_multiple_of(8), b' ');
    let mut own = (encoded.len() as u64).to_le_bytes().to_vec();
    own.extend(encoded);
    file.own_size = own.len() as u64 + file.file_size - file.head_size;
    file.own = own.leak().as_ptr();
    true
}

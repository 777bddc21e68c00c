//! The reference with a C interface; reference.h describes the functions.

use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use std::cell::RefCell;
use std::ffi::c_char;
use std::fmt;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

type Judge = fn(&[u8], &mut Vec<u8>) -> bool;

/// The name and version of each reader, for C, and its result.
static READERS: &[(&[u8], Judge)] = &[(b"safetensors 0.8.0\0", pinned::judge)];

/// A reader of one version of the crate.
macro_rules! reader {
    ($name:ident, $library:ident) => {
        mod $name {
            use super::{put, put_text};
            use $library::SafeTensors;

            pub fn judge(file: &[u8], table: &mut Vec<u8>) -> bool {
                if SafeTensors::deserialize(file).is_err() {
                    return false;
                }
                let (_, header) = SafeTensors::read_metadata(file).expect("deserialize accepted it");
                let names = header.offset_keys();
                put(table, names.len());
                for name in &names {
                    let tensor = header.info(name).expect("the name is one of the keys");
                    put_text(table, name);
                    put_text(table, &tensor.dtype.to_string());
                    put(table, tensor.shape.len());
                    tensor.shape.iter().for_each(|dim| put(table, *dim));
                    put(table, tensor.data_offsets.0);
                    put(table, tensor.data_offsets.1);
                }
                put(table, header.metadata().as_ref().map_or(usize::MAX, |pairs| pairs.len()));
                for (key, value) in header.metadata().iter().flatten() {
                    put_text(table, key);
                    put_text(table, value);
                }
                true
            }
        }
    };
}

reader!(pinned, safetensors);

fn put(table: &mut Vec<u8>, number: usize) {
    table.extend((number as u64).to_ne_bytes());
}

fn put_text(table: &mut Vec<u8>, text: &str) {
    put(table, text.len());
    table.extend(text.as_bytes());
}

thread_local! {
    static TABLE: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

#[no_mangle]
pub extern "C" fn reference_count() -> usize {
    READERS.len()
}

#[no_mangle]
pub extern "C" fn reference_name(reader: usize) -> *const c_char {
    READERS[reader].0.as_ptr().cast()
}

/// # Safety
/// file points to size bytes, table and table_size can be written.
#[no_mangle]
pub unsafe extern "C" fn reference_accepts(
    reader: usize,
    file: *const u8,
    size: usize,
    table: *mut *const u8,
    table_size: *mut usize,
) -> bool {
    static QUIET: Once = Once::new();
    QUIET.call_once(|| panic::set_hook(Box::new(|_| {})));
    let file = unsafe { bytes(file, size) };
    TABLE.with_borrow_mut(|room| {
        room.clear();
        let accepts = panic::catch_unwind(AssertUnwindSafe(|| READERS[reader].1(file, room))).unwrap_or(false);
        unsafe {
            *table = room.as_ptr();
            *table_size = room.len();
        }
        accepts
    })
}

unsafe fn bytes<'a>(file: *const u8, size: usize) -> &'a [u8] {
    if size == 0 {
        return &[];
    }
    unsafe { std::slice::from_raw_parts(file, size) }
}

/// # Safety
/// file points to offset bytes, at least 8.
#[no_mangle]
pub unsafe extern "C" fn reference_member_of_root(file: *const u8, offset: usize) -> bool {
    let mut text = unsafe { bytes(file, offset) }[8..].to_vec();
    text.extend(b"0}");
    serde_json::from_slice::<IgnoredAny>(&text).is_ok()
}

/// The names of the tensors in the order of the header.
struct Names(Vec<String>);

impl<'de> Visitor<'de> for Names {
    type Value = Names;

    fn expecting(&self, out: &mut fmt::Formatter) -> fmt::Result {
        write!(out, "an object")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut members: A) -> Result<Names, A::Error> {
        while let Some((name, _)) = members.next_entry::<String, IgnoredAny>()? {
            if name != "__metadata__" {
                self.0.push(name);
            }
        }
        Ok(self)
    }
}

/// # Safety
/// file points to size bytes, at least 8 + N of them.
#[no_mangle]
pub unsafe extern "C" fn reference_name_again(file: *const u8, size: usize, place: u64) -> bool {
    let file = unsafe { bytes(file, size) };
    let length = u64::from_le_bytes(file[..8].try_into().expect("they are eight")) as usize;
    let mut json = serde_json::Deserializer::from_slice(&file[8..8 + length]);
    let names = json.deserialize_map(Names(Vec::new())).map_or(Vec::new(), |names| names.0);
    let place = place as usize;
    place < names.len() && names[place + 1..].contains(&names[place])
}

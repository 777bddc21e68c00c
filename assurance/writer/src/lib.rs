//! The writer and the reader of the reference implementation for written_heads.c. The structs are those of
//! include/assay_write.h.
use safetensors::tensor::{serialize, Dtype, SafeTensors, View};
use std::borrow::Cow;
use std::collections::HashMap;

#[repr(C)]
pub struct Chars {
    byte: *const u8,
    size: u64,
}

#[repr(C)]
pub struct NewTensor {
    name: Chars,
    dtype: u64,
    dim: *const u64,
    rank: u64,
}

#[repr(C)]
pub struct NewPair {
    key: Chars,
    value: Chars,
}

#[repr(C)]
pub struct Description {
    tensor: *const NewTensor,
    tensors: u64,
    pair: *const NewPair,
    pairs: u64,
}

/// In the order of the codes of spec/dtypes.tsv.
const DTYPES: [Dtype; 22] = [
    Dtype::BOOL, Dtype::U8, Dtype::I8, Dtype::F8_E5M2, Dtype::F8_E4M3, Dtype::F8_E8M0, Dtype::F8_E4M3FNUZ,
    Dtype::F8_E5M2FNUZ, Dtype::F4, Dtype::F6_E2M3, Dtype::F6_E3M2, Dtype::I16, Dtype::U16, Dtype::F16, Dtype::BF16,
    Dtype::I32, Dtype::U32, Dtype::F32, Dtype::I64, Dtype::U64, Dtype::F64, Dtype::C64,
];

unsafe fn slice<'a, T>(at: *const T, count: u64) -> &'a [T] {
    if count == 0 { &[] } else { std::slice::from_raw_parts(at, count as usize) }
}

unsafe fn text(chars: &Chars) -> String {
    String::from_utf8(slice(chars.byte, chars.size).to_vec()).expect("the caller describes UTF-8")
}

/// A tensor whose data are not looked at.
struct Described {
    dtype: Dtype,
    shape: Vec<usize>,
}

impl View for Described {
    fn dtype(&self) -> Dtype {
        self.dtype
    }
    fn shape(&self) -> &[usize] {
        &self.shape
    }
    fn data(&self) -> Cow<'_, [u8]> {
        Cow::Borrowed(&[])
    }
    fn data_len(&self) -> usize {
        self.shape.iter().product::<usize>() * self.dtype.bitsize() / 8
    }
}

unsafe fn described(what: &Description) -> (Vec<(String, Described)>, HashMap<String, String>) {
    let tensors = slice(what.tensor, what.tensors).iter().map(|tensor| {
        let shape = slice(tensor.dim, tensor.rank).iter().map(|dim| *dim as usize).collect();
        (text(&tensor.name), Described { dtype: DTYPES[tensor.dtype as usize - 1], shape })
    });
    let pairs = slice(what.pair, what.pairs).iter().map(|pair| (text(&pair.key), text(&pair.value)));
    (tensors.collect(), pairs.collect())
}

/// Write the head with the reference, and sort its metadata pairs. Return its size, 0 if the reference refuses.
///
/// # Safety
/// The description is as include/assay_write.h requires; `out` has `capacity` bytes.
#[no_mangle]
pub unsafe extern "C" fn reference_write(what: *const Description, metadata: bool, out: *mut u8, capacity: u64) -> u64 {
    let (tensors, pairs) = described(&*what);
    let mut texts: Vec<_> = pairs.iter().map(|(key, value)| {
        (key.clone(), serde_json::to_string(key).unwrap() + ":" + &serde_json::to_string(value).unwrap())
    }).collect();
    texts.sort();
    let texts: Vec<_> = texts.into_iter().map(|(_, text)| text).collect();
    let sorted = format!("{{\"__metadata__\":{{{}}}", texts.join(","));
    let some = metadata || !pairs.is_empty();
    let Ok(mut head) = serialize(tensors, some.then_some(pairs)) else {
        return 0;
    };
    if some {
        head[8..8 + sorted.len()].copy_from_slice(sorted.as_bytes()); // the same pairs: as many bytes
    }
    assert!(head.len() as u64 <= capacity);
    std::ptr::copy_nonoverlapping(head.as_ptr(), out, head.len());
    head.len() as u64
}

/// Does the reference read exactly this from the head of a file of that size?
///
/// # Safety
/// The description is as include/assay_write.h requires; `head` has `size` bytes.
#[no_mangle]
pub unsafe extern "C" fn reference_reads(what: *const Description, head: *const u8, size: u64, file_size: u64) -> bool {
    let (tensors, pairs) = described(&*what);
    let mut file = vec![0u8; file_size as usize];
    file[..size as usize].copy_from_slice(slice(head, size));
    let Ok((_, table)) = SafeTensors::read_metadata(&file) else {
        return false;
    };
    let read = table.tensors();
    pairs == table.metadata().clone().unwrap_or_default()
        && read.len() == tensors.len()
        && tensors.iter().all(|(name, tensor)| {
            read.get(name).is_some_and(|info| {
                info.dtype == tensor.dtype
                    && info.shape == tensor.shape
                    && info.data_offsets.1 - info.data_offsets.0 == tensor.data_len()
            })
        })
}

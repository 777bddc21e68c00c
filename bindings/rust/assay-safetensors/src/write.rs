//! Writing: heads that the core makes and judges, and files that take their name in one step.
use crate::dtype::Dtype;
use alloc::vec::Vec;
use assay_sys as sys;
use core::ffi::CStr;
use core::fmt;
use core::mem::MaybeUninit;
use core::ops::Range;

/// A tensor that is to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewTensor<'a> {
    /// Its name: no NUL, not `__metadata__`.
    pub name: &'a str,
    /// The type of its elements.
    pub dtype: Dtype,
    /// Its dims in elements, outermost first.
    pub shape: &'a [u64],
}

/// How a head is written. [`WriteOptions::CANONICAL`] is the default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WriteOptions {
    /// Tensors and pairs in the order of the description. Otherwise in canonical order: tensors by dtype, then by name;
    /// pairs by key.
    pub given_order: bool,
    /// 8 + N is a multiple of this: a power of two from 8 to 2^26.
    pub align: u64,
    /// The header has at least this many bytes: room for later edits.
    pub reserve: u64,
    /// Write `__metadata__` even if there is no pair.
    pub metadata: bool,
}

impl WriteOptions {
    /// The canonical form: the bytes that the official crate writes for the same tensors, if there is at most one pair.
    pub const CANONICAL: WriteOptions = WriteOptions { given_order: false, align: 8, reserve: 0, metadata: false };
}

impl Default for WriteOptions {
    fn default() -> WriteOptions {
        WriteOptions::CANONICAL
    }
}

/// Why a head was not written. `Display` describes it in one line, without bytes of the description.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WriteError {
    /// What is wrong.
    pub kind: WriteErrorKind,
    /// The index of the tensor that is concerned.
    pub tensor: Option<usize>,
    /// The index of the other tensor of the same name, or of the metadata pair.
    pub other: Option<usize>,
}

macro_rules! kinds {
    ($($name:ident $code:ident $doc:literal,)+) => {
        /// What is wrong with a description.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum WriteErrorKind {
            $(#[doc = $doc] $name,)+
            /// There is not enough memory.
            Memory,
        }

        impl WriteErrorKind {
            fn of(status: sys::assay_status) -> WriteErrorKind {
                match status {
                    $(sys::$code => WriteErrorKind::$name,)+
                    _ => WriteErrorKind::Memory,
                }
            }

            fn code(self) -> sys::assay_status {
                match self {
                    $(WriteErrorKind::$name => sys::$code,)+
                    WriteErrorKind::Memory => sys::ASSAY_WORKSPACE,
                }
            }
        }
    };
}

kinds! {
    Usage ASSAY_USAGE "An option is not valid.",
    Nul ASSAY_W_NUL "A name, key or value has a NUL character.",
    Reserved ASSAY_W_RESERVED "A tensor has the reserved name `__metadata__`.",
    Twice ASSAY_W_TWICE "Two tensors have the same name, or two pairs the same key.",
    Tensor ASSAY_W_TENSOR "The size of a tensor overflows, or is no whole number of bytes.",
    DataLarge ASSAY_W_DATA_LARGE "The tensors are too large for one file.",
    HeaderLarge ASSAY_W_HEADER_LARGE "The header would exceed the format's limit.",
    Differs ASSAY_W_DIFFERS "The head that was written does not state what was described: a fault in the writer.",
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // SAFETY: the result is a constant that ends with a NUL.
        let text = unsafe { CStr::from_ptr(sys::assay_status_text(self.kind.code())) };
        f.write_str(text.to_str().unwrap_or("the head was not written"))?;
        match (self.tensor, self.other) {
            (Some(tensor), Some(other)) => write!(f, ": tensors {other} and {tensor}"),
            (Some(tensor), None) => write!(f, ": tensor {tensor}"),
            (None, Some(pair)) => write!(f, ": metadata pair {pair}"),
            (None, None) => Ok(()),
        }
    }
}

impl core::error::Error for WriteError {}

/// The head of a file that is to be written, 8 + N bytes, and where the data of each tensor go.
///
/// The core has made it, judged it with the proved parser, and compared it with the description.
///
/// # Examples
///
/// ```
/// use assay::{Dtype, NewHead, NewTensor, WriteOptions};
/// let tensors = [NewTensor { name: "weight", dtype: Dtype::U8, shape: &[2] }];
/// let head = NewHead::new(&tensors, &[("format", "pt")], &WriteOptions::CANONICAL)?;
/// let mut file = head.bytes().to_vec();
/// for (index, range) in head.pieces() {
///     assert_eq!((index, range.end - range.start), (0, 2));
///     file.extend_from_slice(&[7, 8]); // the data of tensors[index]
/// }
/// assert!(assay::judge(&file, head.file_size(), &assay::Limits::NONE).is_ok());
/// # Ok::<(), assay::WriteError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct NewHead {
    bytes: Vec<u8>,
    pieces: Vec<(u32, u64)>, // the tensor, and where its data end
    file_size: u64,
}

impl NewHead {
    /// Describe a file by its tensors and metadata pairs, and make its head. O(N log n).
    ///
    /// # Errors
    ///
    /// No valid file holds this, or there is not enough memory.
    pub fn new(
        tensors: &[NewTensor<'_>],
        metadata: &[(&str, &str)],
        options: &WriteOptions,
    ) -> Result<NewHead, WriteError> {
        let chars = |text: &str| sys::assay_chars { byte: text.as_ptr(), size: text.len() as u64 };
        let mut tensor = room(tensors.len())?;
        tensor.extend(tensors.iter().map(|one| sys::assay_new_tensor {
            name: chars(one.name),
            dtype: one.dtype as u64,
            dim: one.shape.as_ptr(),
            rank: one.shape.len() as u64,
        }));
        let mut pair = room(metadata.len())?;
        pair.extend(metadata.iter().map(|one| sys::assay_new_pair { key: chars(one.0), value: chars(one.1) }));
        let what = sys::assay_description {
            tensor: tensor.as_ptr(),
            tensors: tensor.len() as u64,
            pair: pair.as_ptr(),
            pairs: pair.len() as u64,
        };
        let options = sys::assay_write_options {
            api: sys::ASSAY_API,
            order: if options.given_order { sys::ASSAY_ORDER_GIVEN } else { sys::ASSAY_ORDER_CANONICAL },
            align: options.align,
            reserve: options.reserve,
            metadata: u64::from(options.metadata),
        };
        made(&what, &options)
    }

    /// Return the bytes: 8 + N.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Return the size of the whole file in bytes.
    pub fn file_size(&self) -> u64 {
        self.file_size
    }

    /// Return which tensor's data follow, by its index in the description, and from and to which byte of the file they
    /// are: one after the other, the first after the head.
    pub fn pieces(&self) -> impl ExactSizeIterator<Item = (usize, Range<u64>)> + '_ {
        let mut begin = self.bytes.len() as u64;
        self.pieces.iter().map(move |&(tensor, end)| {
            let range = begin..end;
            begin = end;
            (tensor as usize, range)
        })
    }
}

impl fmt::Debug for NewHead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NewHead").field("head", &self.bytes.len()).field("file_size", &self.file_size).finish()
    }
}

fn room<T>(size: usize) -> Result<Vec<T>, WriteError> {
    let mut memory = Vec::new();
    match memory.try_reserve_exact(size) {
        Ok(()) => Ok(memory),
        Err(_) => Err(WriteError { kind: WriteErrorKind::Memory, tensor: None, other: None }),
    }
}

fn error_of(error: &sys::assay_error) -> WriteError {
    let index = |bit: u64, number: u64| if error.has & bit != 0 { usize::try_from(number).ok() } else { None };
    WriteError {
        kind: WriteErrorKind::of(u32::try_from(error.status).unwrap_or(sys::ASSAY_USAGE)),
        tensor: index(sys::ASSAY_HAS_TENSOR, error.tensor),
        other: index(sys::ASSAY_HAS_OTHER, error.other),
    }
}

fn made(what: &sys::assay_description, options: &sys::assay_write_options) -> Result<NewHead, WriteError> {
    let (tensors, pairs) = (what.tensors as usize, what.pairs as usize); // lengths of slices
    let mut order: Vec<u32> = room(tensors.saturating_add(pairs).saturating_mul(2))?;
    let mut entry: Vec<MaybeUninit<sys::assay_entry>> = room(tensors)?;
    let words = tensors.saturating_mul(6).saturating_add(pairs.saturating_mul(8));
    let mut word: Vec<MaybeUninit<u32>> = room(words)?;
    let input = sys::assay_input { head: core::ptr::null(), head_size: 0, file_size: 0 };
    let mut plan = sys::assay_file_plan { head: 0, data: 0, file: 0, input };
    let mut error = sys::assay_error::default();
    // SAFETY: `what` points to slices that are borrowed by the caller; order has 2 * (tensors + pairs) elements.
    let status = unsafe { sys::assay_head_plan(what, options, order.as_mut_ptr(), &mut plan, &mut error) };
    if status != sys::ASSAY_OK {
        return Err(error_of(&error));
    }
    let mut bytes: Vec<u8> = room(plan.head as usize)?; // at most 100,000,008
    bytes.resize(plan.head as usize, 0);
    let head = sys::assay_head_buffer { byte: bytes.as_mut_ptr(), size: plan.head };
    let workspace = sys::assay_workspace {
        entry: entry.as_mut_ptr().cast(),
        entries: tensors as u64,
        word: word.as_mut_ptr().cast(),
        words: words as u64,
    };
    let mut result = MaybeUninit::<sys::assay_result>::zeroed();
    // SAFETY: as above; the head and the workspace have the sizes that are stated, and overlap nothing. Zeroes are a
    // result.
    let (status, result) = unsafe {
        let order = order.as_mut_ptr();
        let status = sys::assay_head_make(what, options, order, &head, &workspace, &mut plan, result.as_mut_ptr());
        (status, result.assume_init())
    };
    if status != sys::ASSAY_OK {
        return Err(error_of(&result.error));
    }
    let mut pieces = room(tensors)?;
    let mut piece = sys::assay_piece::default();
    // SAFETY: order and plan are those of assay_head_make.
    while unsafe { sys::assay_piece_next(what, order.as_ptr(), &plan, &mut piece) } {
        pieces.push((piece.tensor as u32, piece.end)); // an index below 2^24
    }
    Ok(NewHead { bytes, pieces, file_size: plan.file })
}

//! The calls that judge: measure, validate, parse.
use crate::error::Error;
use crate::view::View;
use assay_sys as sys;
use core::mem::MaybeUninit;
use core::ptr;

/// Limits of your own. A file that exceeds one is not judged. `None` is no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Header length in bytes.
    pub header: Option<u64>,
    /// Number of tensors.
    pub tensors: Option<u64>,
    /// Dims of one shape.
    pub rank: Option<u64>,
    /// Bytes of one tensor name, as it is between its quotes.
    pub name: Option<u64>,
    /// Number of metadata pairs.
    pub metadata: Option<u64>,
}

impl Limits {
    /// No limits.
    pub const NONE: Limits = Limits { header: None, tensors: None, rank: None, name: None, metadata: None };

    fn options(&self) -> sys::assay_options {
        sys::assay_options {
            api: sys::ASSAY_API,
            relax: 0,
            max_header: self.header.unwrap_or(sys::ASSAY_NONE),
            max_tensors: self.tensors.unwrap_or(sys::ASSAY_NONE),
            max_rank: self.rank.unwrap_or(sys::ASSAY_NONE),
            max_name: self.name.unwrap_or(sys::ASSAY_NONE),
            max_metadata: self.metadata.unwrap_or(sys::ASSAY_NONE),
        }
    }
}

/// What a file needs, by [`measure`], or at most needs, by [`bound`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Need {
    /// Bytes of the file's beginning: 8 + N.
    pub head: u64,
    /// Number of tensors.
    pub tensors: u64,
    /// Number of metadata pairs.
    pub pairs: u64,
    /// Elements of the workspace's entries.
    pub entries: usize,
    /// Elements of the workspace's words.
    pub words: usize,
}

impl Need {
    pub(crate) fn of(need: &sys::assay_need) -> Need {
        // What does not fit in usize is larger than the address space: no allocation of that size succeeds.
        let size = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        Need {
            head: need.head,
            tensors: need.tensors,
            pairs: need.pairs,
            entries: size(need.entries),
            words: size(need.words),
        }
    }
}

/// A tensor in the workspace: 32 bytes, opaque.
pub type Entry = sys::assay_entry;

/// Memory for one judgement and its view. Its contents need no initialization and are lost in each call.
#[derive(Debug)]
pub struct Workspace<'w> {
    entries: &'w mut [MaybeUninit<Entry>],
    words: &'w mut [MaybeUninit<u32>],
}

impl<'w> Workspace<'w> {
    /// Use this memory. [`measure`] returns how much a file needs.
    pub fn new(entries: &'w mut [MaybeUninit<Entry>], words: &'w mut [MaybeUninit<u32>]) -> Workspace<'w> {
        Workspace { entries, words }
    }

    /// Use the same memory for a shorter time, so that it serves again after this judgement.
    pub fn reborrow(&mut self) -> Workspace<'_> {
        Workspace { entries: self.entries, words: self.words }
    }

    fn raw(&mut self) -> sys::assay_workspace {
        // MaybeUninit<T> is laid out as T. A slice's pointer is never null, even if the slice is empty.
        sys::assay_workspace {
            entry: self.entries.as_mut_ptr().cast(),
            entries: self.entries.len() as u64,
            word: self.words.as_mut_ptr().cast(),
            words: self.words.len() as u64,
        }
    }
}

const NO_TEXT: sys::assay_text = sys::assay_text { at: 0, end: 0 };

fn no_result() -> sys::assay_result {
    sys::assay_result {
        error: sys::assay_error {
            status: u64::from(sys::ASSAY_USAGE),
            offset: sys::ASSAY_NONE,
            tensor: sys::ASSAY_NONE,
            other: sys::ASSAY_NONE,
            expected: sys::ASSAY_NONE,
            found: sys::ASSAY_NONE,
            has: 0,
            name: NO_TEXT,
            other_name: NO_TEXT,
        },
        need: sys::assay_need::default(),
        view: head_view(&[]),
    }
}

/// Return a view of a head alone, without tensors. It suffices for texts, dims and slices.
pub(crate) fn head_view(head: &[u8]) -> sys::assay_view {
    sys::assay_view {
        head: head.as_ptr(),
        entry: ptr::null(),
        by_name: ptr::null(),
        order: ptr::null(),
        key: ptr::null(),
        by_key: ptr::null(),
        value: ptr::null(),
        tensors: 0,
        pairs: 0,
        metadata: 0,
        data_begin: head.len() as u64,
        data_size: 0,
    }
}

fn input(head: &[u8], file_size: u64) -> sys::assay_input {
    sys::assay_input { head: head.as_ptr(), head_size: head.len() as u64, file_size }
}

/// Return an upper bound of what a file needs whose header has this length, before the header is read: less than 6.4
/// bytes of workspace for each byte of header. A length above 100,000,000, which is never valid, counts as that.
pub fn bound(header_length: u64) -> Need {
    let mut need = sys::assay_need::default();
    // SAFETY: `need` is valid for the write.
    unsafe { sys::assay_bound(header_length, &mut need) };
    Need::of(&need)
}

/// Judge the length and the header, and return what [`parse`] needs. `head` is the beginning of the file, any number of
/// bytes. `Ok` does not mean that the file is valid: names and layout are not judged yet.
///
/// # Errors
///
/// [`NotJudged::NeedMore`](crate::NotJudged::NeedMore): provide that many bytes of the file. Otherwise a limit, or the
/// rule that the header breaks.
pub fn measure(head: &[u8], file_size: u64, limits: &Limits) -> Result<Need, Error> {
    let mut result = no_result();
    // SAFETY: the input points to the bytes of `head`, which nobody writes while it is borrowed; options and result are
    // valid, and none of them overlap.
    let status = unsafe { sys::assay_measure(&input(head, file_size), &limits.options(), &mut result) };
    match status {
        sys::ASSAY_OK => Ok(Need::of(&result.need)),
        _ => Err(Error::of(&result, head)),
    }
}

/// Judge the whole file without making a view.
///
/// # Errors
///
/// Those of [`parse`].
pub fn validate(head: &[u8], file_size: u64, limits: &Limits, mut workspace: Workspace<'_>) -> Result<(), Error> {
    let mut result = no_result();
    // SAFETY: the input points to the bytes of `head`, which nobody writes while it is borrowed; the workspace is
    // borrowed exclusively; options and result are valid, and none of them overlap.
    let status =
        unsafe { sys::assay_validate(&input(head, file_size), &limits.options(), &workspace.raw(), &mut result) };
    match status {
        sys::ASSAY_OK => Ok(()),
        _ => Err(Error::of(&result, head)),
    }
}

/// Judge the whole file, and make a view of it in the workspace. `head` is the beginning of the file: 8 + N bytes or
/// more, of which no more are read. `file_size` must come from elsewhere than the bytes of the file.
///
/// # Errors
///
/// [`Error::Invalid`]: the file breaks a rule. [`Error::NotJudged`]: `head` is too short
/// ([`NeedMore`](crate::NotJudged::NeedMore)), the workspace is too small
/// ([`Workspace`](crate::NotJudged::Workspace)), or the file exceeds a limit.
///
/// # Examples
///
/// Without an allocator:
///
/// ```
/// use assay::{parse, Entry, Limits, Workspace};
/// use core::mem::MaybeUninit;
///
/// let file = b"\x3c\0\0\0\0\0\0\0{\"weight\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,2]}}  \x07\x08";
/// let mut entries = [MaybeUninit::<Entry>::uninit(); 8];
/// let mut words = [MaybeUninit::<u32>::uninit(); 64];
/// let view = parse(file, file.len() as u64, &Limits::NONE, Workspace::new(&mut entries, &mut words)).unwrap();
/// let weight = view.tensor("weight").unwrap();
/// assert_eq!(weight.bytes(file), Some(&[7, 8][..]));
/// ```
pub fn parse<'head, 'workspace>(
    head: &'head [u8],
    file_size: u64,
    limits: &Limits,
    mut workspace: Workspace<'workspace>,
) -> Result<View<'head, 'workspace>, Error> {
    let raw = parse_raw(head, file_size, limits, &mut workspace)?;
    // SAFETY: assay_parse has made the view, from `head` and from the workspace, whose borrow `workspace` gives up
    // here: nobody can write it for 'workspace.
    Ok(unsafe { View::from_raw(raw, head, file_size) })
}

/// Judge as [`parse`] does, and return a view that points into the head and the workspace without borrowing them.
pub(crate) fn parse_raw(
    head: &[u8],
    file_size: u64,
    limits: &Limits,
    workspace: &mut Workspace<'_>,
) -> Result<sys::assay_view, Error> {
    let mut result = no_result();
    // SAFETY: the input points to the bytes of `head`, which nobody writes while it is borrowed; the workspace is
    // borrowed exclusively; options and result are valid, and none of them overlap.
    let status = unsafe { sys::assay_parse(&input(head, file_size), &limits.options(), &workspace.raw(), &mut result) };
    match status {
        sys::ASSAY_OK => Ok(result.view),
        _ => Err(Error::of(&result, head)),
    }
}

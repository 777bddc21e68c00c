//! Workspaces and heads that own their memory.
use crate::error::{Error, NotJudged};
use crate::judge::{parse_raw, validate, Entry, Limits, Workspace};
use crate::view::View;
use alloc::vec::Vec;
use assay_sys as sys;
use core::fmt;
use core::mem::MaybeUninit;

/// Judge a file whose beginning, or all of it, is in memory.
///
/// # Errors
///
/// [`Error::Invalid`] with the rule and the byte, or [`Error::NotJudged`].
///
/// # Examples
///
/// ```
/// let file = b"\x08\0\0\0\0\0\0\0{\"a\":[]}";
/// let error = assay::judge(file, file.len() as u64, &assay::Limits::NONE).unwrap_err();
/// let invalid = error.invalid().unwrap();
/// assert_eq!((invalid.rule().id(), invalid.byte()), ("H14", Some(13)));
/// ```
pub fn judge(head: &[u8], file_size: u64, limits: &Limits) -> Result<(), Error> {
    Memory::new().judge(head, file_size, limits)
}

/// A workspace that owns its memory, grows as needed, and serves for any number of files, one after the other.
#[derive(Default)]
pub struct Memory {
    entries: Vec<MaybeUninit<Entry>>,
    words: Vec<MaybeUninit<u32>>,
}

impl Memory {
    /// Make an empty one. It allocates when it judges.
    pub const fn new() -> Memory {
        Memory { entries: Vec::new(), words: Vec::new() }
    }

    /// Judge a file, and make a view of it.
    ///
    /// # Errors
    ///
    /// Those of [`parse`](crate::parse), but not [`NotJudged::Workspace`]; [`NotJudged::Memory`] if there is too
    /// little.
    ///
    /// # Examples
    ///
    /// ```
    /// let file = b"\x3c\0\0\0\0\0\0\0{\"weight\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,2]}}  \x07\x08";
    /// let mut memory = assay::Memory::new();
    /// let view = memory.parse(file, file.len() as u64, &assay::Limits::NONE)?;
    /// for tensor in &view {
    ///     assert_eq!((&*tensor.name(), tensor.dtype(), tensor.range()), ("weight", assay::Dtype::U8, 68..70));
    /// }
    /// # Ok::<(), assay::Error>(())
    /// ```
    pub fn parse<'head>(
        &mut self,
        head: &'head [u8],
        file_size: u64,
        limits: &Limits,
    ) -> Result<View<'head, '_>, Error> {
        let raw = self.parse_raw(head, file_size, limits)?;
        // SAFETY: assay_parse has made the view, from `head` and from this workspace, which the view borrows from here
        // on and which nothing has written since.
        Ok(unsafe { View::from_raw(raw, head, file_size) })
    }

    /// Judge a file without making a view.
    ///
    /// # Errors
    ///
    /// Those of [`Memory::parse`].
    pub fn judge(&mut self, head: &[u8], file_size: u64, limits: &Limits) -> Result<(), Error> {
        self.with_room(head, |workspace| validate(head, file_size, limits, workspace.reborrow()))
    }

    fn parse_raw(&mut self, head: &[u8], file_size: u64, limits: &Limits) -> Result<sys::assay_view, Error> {
        self.with_room(head, |workspace| parse_raw(head, file_size, limits, workspace))
    }

    /// Call with a workspace that suffices for nearly all files with this head; if it does not, again with what it
    /// needs.
    fn with_room<T>(
        &mut self,
        head: &[u8],
        mut call: impl FnMut(&mut Workspace<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let tensors = head.len().min(HEAD_MAX) / 64 + 1;
        self.grow(tensors, 6 * tensors + 64)?;
        match call(&mut Workspace::new(&mut self.entries, &mut self.words)) {
            Err(Error::NotJudged(NotJudged::Workspace(need))) => {
                self.grow(need.entries, need.words)?;
                call(&mut Workspace::new(&mut self.entries, &mut self.words))
            }
            result => result,
        }
    }

    fn grow(&mut self, entries: usize, words: usize) -> Result<(), NotJudged> {
        grow(&mut self.entries, entries)?;
        grow(&mut self.words, words)
    }
}

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Memory").field("entries", &self.entries.len()).field("words", &self.words.len()).finish()
    }
}

/// The largest head of a valid file.
const HEAD_MAX: usize = 100_000_008;

fn grow<T>(memory: &mut Vec<MaybeUninit<T>>, size: usize) -> Result<(), NotJudged> {
    if size > memory.len() {
        memory.try_reserve_exact(size - memory.len()).map_err(|_| NotJudged::Memory)?;
        // SAFETY: the capacity suffices, and MaybeUninit needs no initialization.
        unsafe { memory.set_len(size) };
    }
    Ok(())
}

/// The header of a valid file, with the memory that its view needs.
pub struct Header {
    // The view points into the heap memory of `head` and `_memory`. Neither is written or reallocated after it is made.
    raw: sys::assay_view,
    head: Vec<u8>,
    _memory: Memory,
    file_size: u64,
}

// SAFETY: the pointers of the view are to memory that the header owns and nobody writes.
unsafe impl Send for Header {}
// SAFETY: as for Send. The header is only read.
unsafe impl Sync for Header {}

impl Header {
    /// Judge a file of which `head` is the beginning, 8 + N bytes or more.
    ///
    /// # Errors
    ///
    /// Those of [`Memory::parse`].
    pub fn parse(head: Vec<u8>, file_size: u64, limits: &Limits) -> Result<Header, Error> {
        let mut memory = Memory::new();
        let raw = memory.parse_raw(&head, file_size, limits)?;
        Ok(Header { raw, head, _memory: memory, file_size })
    }

    /// Return the view of the file.
    pub fn view(&self) -> View<'_, '_> {
        // SAFETY: assay_parse has made the view, from `head` and `_memory`, which nobody writes while `self` is
        // borrowed. Both are where they were: moving a Vec does not move its elements.
        unsafe { View::from_raw(self.raw, &self.head, self.file_size) }
    }

    /// Return the head, as it was passed.
    pub fn head(&self) -> &[u8] {
        &self.head
    }
}

impl fmt::Debug for Header {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Header").field(&self.view()).finish()
    }
}

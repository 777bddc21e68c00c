//! Other metadata for a file that exists.
use crate::file::CheckedFile;
use crate::judge::Limits;
use crate::save::{invalid, replace};
use crate::Error;
use assay_sys as sys;
use core::fmt;
use std::collections::hash_map::RandomState;
use std::fs;
use std::hash::{BuildHasher, Hasher};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// A step of an edit. Steps are applied in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Step<'a> {
    /// Replace the value of a key, or add the pair after all others.
    Set(&'a str, &'a str),
    /// Remove the pair of a key.
    Delete(&'a str),
    /// Give the pair of the first key the second key. It keeps its position.
    Rename(&'a str, &'a str),
    /// Remove all pairs. If no pair is added afterwards, `__metadata__` goes too.
    Clear,
}

/// Why metadata were not edited. `Display` describes it in one line, without bytes of the steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EditError {
    /// What is wrong.
    pub kind: EditErrorKind,
    /// The index of the step that is concerned.
    pub step: Option<usize>,
}

/// What is wrong with an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EditErrorKind {
    /// There are more than 4096 steps, or their texts have more than 100,000,000 bytes.
    Steps,
    /// A key or value has a NUL character.
    Nul,
    /// A step deletes or renames a key that is not there.
    NoKey,
    /// A step renames to a key that is there.
    KeyExists,
    /// The header or the file would exceed the format's limit.
    Large,
    /// The new head is not what was requested: a fault in the library.
    Differs,
}

impl EditErrorKind {
    fn of(status: u32) -> EditErrorKind {
        match status {
            sys::ASSAY_W_NUL => EditErrorKind::Nul,
            sys::ASSAY_FLAT_NO_KEY => EditErrorKind::NoKey,
            sys::ASSAY_W_TWICE => EditErrorKind::KeyExists,
            sys::ASSAY_W_HEADER_LARGE | sys::ASSAY_W_DATA_LARGE => EditErrorKind::Large,
            sys::ASSAY_USAGE => EditErrorKind::Steps,
            _ => EditErrorKind::Differs,
        }
    }
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.kind {
            EditErrorKind::Steps => "there are more than 4096 steps, or their texts are too long",
            EditErrorKind::Nul => "a key or value has a NUL character",
            EditErrorKind::NoKey => "the metadata have no such key",
            EditErrorKind::KeyExists => "the metadata already have the new key",
            EditErrorKind::Large => "the header or the file would exceed the format's limit",
            EditErrorKind::Differs => "the new head is not what was requested, because of a bug: please report it",
        })?;
        match self.step {
            Some(step) => write!(f, ": step {step}"),
            None => Ok(()),
        }
    }
}

impl core::error::Error for EditError {}

/// A header that has no room grows by a multiple of this, so that the data keep their alignment.
const BLOCK: u64 = 4096;

/// Change the metadata of a file, and nothing else: the text of each tensor in the header and every byte of the data
/// stay.
///
/// The file is judged. The new head is judged too, and compared with the old one and the steps. Then the new file is
/// written beside the old one, brought to the disk, and takes its place in one step: whatever happens, the old file or
/// the new one is there, whole. A symbolic link stays, and what it points to is replaced. Permissions are kept as by
/// [`save_file`](crate::save_file).
///
/// # Errors
///
/// `InvalidData`, with an [`Error`] inside, if the file is invalid or not judged. `InvalidInput`, with an [`EditError`]
/// inside, if the steps can't be applied; `InvalidInput` too for what is refused: a file with several names (hard
/// links), a blob of a hub cache, a file beside which is the journal of an edit in place. Otherwise those of the system,
/// or if the file changes meanwhile. Nothing has changed then.
///
/// # Examples
///
/// ```
/// use assay::{CheckedFile, Limits, Step};
/// let path = std::env::temp_dir().join("assay-edit.safetensors");
/// assay::save_file(&path, &[], &[("format", "pt"), ("note", "a draft")], &assay::WriteOptions::CANONICAL)?;
/// assay::edit_metadata(&path, &[Step::Delete("note"), Step::Set("license", "MIT")])?;
/// let file = CheckedFile::open(&path, &Limits::NONE)?;
/// assert_eq!(file.view().metadata_value("license").unwrap().to_cow(), "MIT");
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn edit_metadata(path: impl AsRef<Path>, steps: &[Step<'_>]) -> io::Result<()> {
    edited(&fs::canonicalize(path)?, steps, || {})
}

/// Edit; `meanwhile` is called when the data have been copied.
fn edited(path: &Path, steps: &[Step<'_>], meanwhile: impl FnOnce()) -> io::Result<()> {
    let before = fs::metadata(path)?;
    if before.is_file() && names(&before) > 1 {
        return Err(invalid("the file has several names (hard links): copy it, and edit the copy"));
    }
    let old = CheckedFile::open(path, &Limits::NONE).map_err(unjudged)?;
    let (tensors, begin, data) = (old.view().len(), old.view().data_begin(), old.view().data_size());
    let head = new_head(&old.header().head()[..begin as usize], old.view().file_size(), steps)?;
    let mut source = old.file();
    if state(&source.metadata()?) != state(&before) {
        return Err(changed());
    }
    replace(path, |file, beside| {
        file.write_all(&head)?;
        source.seek(SeekFrom::Start(begin))?;
        let copied = io::copy(&mut source.take(data), file)?;
        meanwhile();
        if copied != data || state(&fs::metadata(path)?) != state(&before) {
            return Err(changed());
        }
        let new = CheckedFile::open(beside, &Limits::NONE).map_err(unjudged)?;
        if new.view().len() != tensors || new.view().file_size() != head.len() as u64 + data {
            return Err(EditError { kind: EditErrorKind::Differs, step: None }.into());
        }
        Ok(())
    })
}

fn unjudged(error: Error) -> io::Error {
    match error {
        Error::NotJudged(crate::NotJudged::Io(error)) => error,
        error => io::Error::new(io::ErrorKind::InvalidData, error),
    }
}

fn changed() -> io::Error {
    io::Error::other("the file changed while it was edited: try again when nothing writes to it")
}

impl From<EditError> for io::Error {
    fn from(error: EditError) -> io::Error {
        invalid(error)
    }
}

/// Return what tells one state of a file from the next.
#[cfg(unix)]
fn state(file: &fs::Metadata) -> impl PartialEq {
    use std::os::unix::fs::MetadataExt;
    (file.dev(), file.ino(), file.size(), (file.mtime(), file.mtime_nsec()), (file.ctime(), file.ctime_nsec()))
}

#[cfg(not(unix))]
fn state(file: &fs::Metadata) -> impl PartialEq {
    (file.len(), file.modified().ok())
}

/// Return how many names a file has.
fn names(file: &fs::Metadata) -> u64 {
    #[cfg(unix)]
    return std::os::unix::fs::MetadataExt::nlink(file);
    #[cfg(not(unix))]
    {
        let _ = file;
        1
    }
}

/// Return the new head of a valid file.
fn new_head(head: &[u8], file_size: u64, steps: &[Step<'_>]) -> io::Result<Vec<u8>> {
    if steps.len() as u64 > sys::ASSAY_FLAT_STEPS {
        return Err(EditError { kind: EditErrorKind::Steps, step: None }.into());
    }
    let seed = RandomState::new().build_hasher().finish();
    let (mut text, mut number) = (Vec::new(), vec![file_size, 0, BLOCK, seed]);
    for step in steps {
        let (kind, key, value) = match *step {
            Step::Set(key, value) => (sys::ASSAY_FLAT_STEP_SET, key, value),
            Step::Delete(key) => (sys::ASSAY_FLAT_STEP_DELETE, key, ""),
            Step::Rename(key, value) => (sys::ASSAY_FLAT_STEP_RENAME, key, value),
            Step::Clear => (sys::ASSAY_FLAT_STEP_CLEAR, "", ""),
        };
        number.push(kind);
        for word in [key, value] {
            number.push(text.len() as u64);
            text.extend_from_slice(word.as_bytes());
            number.push(text.len() as u64);
        }
    }
    let (head_at, text_at, number_at) = (head.as_ptr(), text.as_ptr(), number.as_ptr());
    let (head_size, text_size, numbers) = (head.len() as u64, text.len() as u64, number.len() as u64);
    // SAFETY: pointers and sizes are those of slices.
    let size = unsafe { sys::assay_flat_edit_arena(head_at, head_size, text_at, text_size, number_at, numbers) };
    let mut arena: Vec<u64> = Vec::new();
    let words = usize::try_from(size / 8).map_err(|_| io::ErrorKind::OutOfMemory)?;
    arena.try_reserve_exact(words + 1).map_err(|_| io::ErrorKind::OutOfMemory)?;
    let mut out = [0u64; sys::ASSAY_FLAT_EDIT_OUT];
    // SAFETY: as above. The arena has `size` bytes, at a multiple of 8; it is written before it is read.
    let status = unsafe {
        let arena_at = arena.as_mut_ptr().cast();
        sys::assay_flat_edit(
            head_at,
            head_size,
            text_at,
            text_size,
            number_at,
            numbers,
            arena_at,
            size,
            out.as_mut_ptr(),
        )
    };
    if status != sys::ASSAY_OK {
        let step = usize::try_from(out[sys::ASSAY_FLAT_EDIT_STEP]).ok().filter(|&step| step < steps.len());
        return Err(EditError { kind: EditErrorKind::of(status), step }.into());
    }
    let (begin, size) = (out[sys::ASSAY_FLAT_EDIT_HEAD] as usize, out[sys::ASSAY_FLAT_EDIT_HEAD_SIZE] as usize);
    let mut made = Vec::new();
    made.try_reserve_exact(size).map_err(|_| io::ErrorKind::OutOfMemory)?;
    // SAFETY: assay_flat_edit has written the head to these bytes of the arena.
    made.extend_from_slice(unsafe { core::slice::from_raw_parts(arena.as_ptr().cast::<u8>().add(begin), size) });
    Ok(made)
}

#[cfg(test)]
mod tests {
    use super::{edited, Step};
    use crate::{save_file, WriteOptions};
    use std::io::Write;

    #[test]
    fn a_file_that_changes_meanwhile() {
        let path = std::env::temp_dir().join(format!("assay-edit-changes-{}.safetensors", std::process::id()));
        save_file(&path, &[], &[], &WriteOptions::CANONICAL).unwrap();
        let append = || {
            let mut file = std::fs::OpenOptions::new().append(true).open(&path).unwrap();
            file.write_all(b"x").unwrap();
        };
        let error = edited(&path, &[Step::Set("k", "v")], append).unwrap_err();
        let after = std::fs::read(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert!(error.to_string().contains("changed while"), "{error}");
        assert_eq!(after, b"\x08\0\0\0\0\0\0\0{}      x");
    }
}

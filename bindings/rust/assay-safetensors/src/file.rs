//! Files: a private copy of the head, the size from the open file, the same file handed on.
use crate::error::{Error, NotJudged};
use crate::judge::{measure, Limits};
use crate::memory::Header;
use crate::view::{Tensor, View};
use std::fs::File;
use std::io;
use std::path::Path;

/// A valid file, open.
///
/// The verdict is about the head as it was read, into a private copy that nobody can change, and about the size of the
/// open file. Read the tensors from the same open file: what has its name later can be another file. If others can
/// write the file, its data can still change; assay judges no data.
///
/// # Examples
///
/// ```no_run
/// let file = assay::CheckedFile::open("model.safetensors", &assay::Limits::NONE)?;
/// for tensor in &file.view() {
///     let bytes = file.read(&tensor)?;
///     println!("{:?}: {} bytes of {}", tensor.text(), bytes.len(), tensor.dtype());
/// }
/// # Ok::<(), assay::Error>(())
/// ```
#[derive(Debug)]
pub struct CheckedFile {
    file: File,
    header: Header,
}

impl CheckedFile {
    /// Open a file and judge it. It reads the head, 8 + N bytes, and nothing else.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`], or [`Error::NotJudged`]: [`NotJudged::Io`] if it can't be opened or read, or is no regular
    /// file.
    pub fn open(path: impl AsRef<Path>, limits: &Limits) -> Result<CheckedFile, Error> {
        let path = path.as_ref();
        // To open a pipe would wait for a writer. from_file looks again, at the open file.
        require_file(&std::fs::metadata(path)?)?;
        CheckedFile::from_file(File::open(path)?, limits)
    }

    /// Judge an open file. On Unix its cursor is neither used nor moved.
    ///
    /// # Errors
    ///
    /// Those of [`CheckedFile::open`].
    pub fn from_file(file: File, limits: &Limits) -> Result<CheckedFile, Error> {
        let metadata = file.metadata()?;
        require_file(&metadata)?;
        let mut head = Vec::new();
        // First 8 bytes, then 8 + N: at most 100,000,008.
        for _ in 0..2 {
            match measure(&head, metadata.len(), limits) {
                Err(Error::NotJudged(NotJudged::NeedMore { head: size })) => read_more(&file, &mut head, size)?,
                Err(error) => return Err(error),
                Ok(_) => break,
            }
        }
        let header = Header::parse(head, metadata.len(), limits)?;
        Ok(CheckedFile { file, header })
    }

    /// Return the view of the file.
    pub fn view(&self) -> View<'_, '_> {
        self.header.view()
    }

    /// Return the header with the private copy of the head.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Return the open file.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Return the open file and the header.
    pub fn into_parts(self) -> (File, Header) {
        (self.file, self.header)
    }

    /// Read a tensor's bytes.
    ///
    /// # Errors
    ///
    /// Those of the file. `UnexpectedEof`: it is now shorter than when it was judged.
    pub fn read(&self, tensor: &Tensor<'_>) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let size = usize::try_from(tensor.size()).map_err(|_| io::ErrorKind::OutOfMemory)?;
        bytes.try_reserve_exact(size).map_err(|_| io::ErrorKind::OutOfMemory)?;
        bytes.resize(size, 0);
        read_exact_at(&self.file, &mut bytes, tensor.range().start)?;
        Ok(bytes)
    }

    /// Map the file, for reading without copies.
    ///
    /// # Errors
    ///
    /// Those of the system; `UnexpectedEof`: the file is now shorter than when it was judged.
    ///
    /// # Safety
    ///
    /// Nobody may write or shorten the file while it is mapped: `&[u8]` promises that the bytes don't change, and to
    /// read a page that is gone ends the process. The verdict and the offsets are not at risk: they are of the private
    /// copy of the head.
    #[cfg(feature = "memmap2")]
    pub unsafe fn map(self) -> io::Result<MappedFile> {
        // SAFETY: the caller promises that nobody writes or shortens the file.
        let map = unsafe { memmap2::Mmap::map(&self.file)? };
        if (map.len() as u64) < self.view().file_size() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(MappedFile { map, header: self.header })
    }
}

/// A valid file, mapped.
#[cfg(feature = "memmap2")]
#[derive(Debug)]
pub struct MappedFile {
    map: memmap2::Mmap,
    header: Header,
}

#[cfg(feature = "memmap2")]
impl MappedFile {
    /// Return the view of the file.
    pub fn view(&self) -> View<'_, '_> {
        self.header.view()
    }

    /// Return the bytes of the whole file.
    pub fn bytes(&self) -> &[u8] {
        &self.map
    }

    /// Return the bytes of the tensor of this name.
    pub fn tensor_bytes(&self, name: &str) -> Option<&[u8]> {
        self.view().tensor(name)?.bytes(&self.map)
    }
}

fn require_file(metadata: &std::fs::Metadata) -> io::Result<()> {
    match metadata.is_file() {
        true => Ok(()),
        false => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "not a regular file: pass a file, no folder, pipe or device",
        )),
    }
}

/// Read the file up to `size` bytes. What is there of `head` is its beginning.
fn read_more(file: &File, head: &mut Vec<u8>, size: u64) -> Result<(), Error> {
    let (old, size) = (head.len(), usize::try_from(size).map_err(|_| NotJudged::Memory)?);
    head.try_reserve_exact(size.saturating_sub(old)).map_err(|_| NotJudged::Memory)?;
    head.resize(size, 0);
    Ok(read_exact_at(file, &mut head[old..], old as u64)?)
}

#[cfg(unix)]
fn read_exact_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, offset)
}

#[cfg(windows)]
fn read_exact_at(file: &File, mut bytes: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, bytes, offset) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(count) => {
                bytes = &mut bytes[count..];
                offset += count as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

#[cfg(not(any(unix, windows)))]
fn read_exact_at(mut file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    use io::{Read, Seek};
    file.seek(io::SeekFrom::Start(offset))?;
    file.read_exact(bytes)
}

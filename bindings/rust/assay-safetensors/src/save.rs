//! Files that take their name in one step.
use crate::write::{NewHead, NewTensor, WriteError, WriteOptions};
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// Write a file with these tensors and their data: little-endian elements in row-major order.
///
/// It is written beside the old file, brought to the disk, and takes its place in one step, with the permissions of the
/// old one: whatever happens, the old file or the new one is there, whole. A symbolic link stays, and what it points to
/// is replaced.
///
/// # Errors
///
/// `InvalidInput`, with a [`WriteError`] inside, if no valid file holds this; `InvalidInput` too if the data of a tensor
/// do not have the size that dtype and shape state. Otherwise those of the system. Nothing has changed then.
///
/// # Examples
///
/// ```
/// use assay::{Dtype, NewTensor, WriteOptions};
/// let path = std::env::temp_dir().join("assay-save.safetensors");
/// let weight = NewTensor { name: "weight", dtype: Dtype::U8, shape: &[2] };
/// assay::save_file(&path, &[(weight, &[7, 8])], &[("format", "pt")], &WriteOptions::CANONICAL)?;
/// assert_eq!(assay::CheckedFile::open(&path, &assay::Limits::NONE)?.view().tensors().count(), 1);
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn save_file(
    path: impl AsRef<Path>,
    tensors: &[(NewTensor<'_>, &[u8])],
    metadata: &[(&str, &str)],
    options: &WriteOptions,
) -> io::Result<()> {
    let described: Vec<_> = tensors.iter().map(|one| one.0).collect();
    let head = NewHead::new(&described, metadata, options).map_err(invalid::<WriteError>)?;
    for (index, range) in head.pieces() {
        if tensors[index].1.len() as u64 != range.end - range.start {
            return Err(invalid(format!(
                "tensor {index}: dtype and shape state {} bytes, and the data have {}",
                range.end - range.start,
                tensors[index].1.len()
            )));
        }
    }
    // The target of a link; a file that is not there yet has its own path.
    let path = fs::canonicalize(&path).unwrap_or_else(|_| path.as_ref().to_path_buf());
    let old = fs::metadata(&path).ok();
    if old.as_ref().is_some_and(|old| !old.is_file()) {
        return Err(invalid("not a regular file: name a file to write"));
    }
    let (beside, mut file) = beside(&path, old.is_some())?;
    let written = (|| {
        file.write_all(head.bytes())?;
        for (index, _) in head.pieces() {
            file.write_all(tensors[index].1)?;
        }
        if let Some(old) = old {
            file.set_permissions(old.permissions())?;
        }
        file.sync_all()?;
        fs::rename(&beside, &path)
    })();
    if written.is_err() {
        let _ = fs::remove_file(&beside);
        return written;
    }
    sync_folder(&path)
}

fn invalid<E: Into<Box<dyn std::error::Error + Send + Sync>>>(error: E) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, error)
}

/// Make a file beside another, under a name that nothing has. `private`: nobody else can open it, until it has the
/// permissions of the old one.
fn beside(path: &Path, private: bool) -> io::Result<(PathBuf, File)> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let name = path.file_name().ok_or_else(|| invalid("not a file name"))?;
    loop {
        let mut other = OsString::from(".");
        other.push(name);
        other.push(format!(".{}-{}.tmp", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed)));
        let other = path.with_file_name(other);
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        if private {
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        }
        #[cfg(not(unix))]
        let _ = private;
        match options.open(&other) {
            Ok(file) => return Ok((other, file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}

/// Bring the new name to the disk, where the system can.
fn sync_folder(path: &Path) -> io::Result<()> {
    if cfg!(unix) {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let _ = File::open(folder)?.sync_all(); // some file systems can't
    }
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use super::beside;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_draft_of_a_file_that_exists_is_private() {
        let path = std::env::temp_dir().join("assay-draft.safetensors");
        let (draft, file) = beside(&path, true).unwrap();
        let mode = file.metadata().unwrap().permissions().mode();
        std::fs::remove_file(draft).unwrap();
        assert_eq!(mode & 0o777, 0o600);
    }
}

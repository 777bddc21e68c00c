//! Files that take their name in one step.
use crate::write::{NewHead, NewTensor, WriteError, WriteOptions};
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// Write a file with these tensors and their data: little-endian elements in row-major order.
///
/// It is written beside the old file, brought to the disk, and takes its place in one step: whatever happens, the old
/// file or the new one is there, whole. A symbolic link stays, and what it points to is replaced. The new file has the
/// permissions of the old one, but for set-id bits, and, where the system permits it, its group; otherwise it gives no
/// rights to a group. Access control lists are not kept.
///
/// # Errors
///
/// `InvalidInput`, with a [`WriteError`] inside, if no valid file holds this; `InvalidInput` too if the data of a tensor
/// do not have the size that dtype and shape state, and for what is refused: a blob of a hub cache, whose name is the
/// hash of its bytes, and a file beside which is the journal of an edit in place. Otherwise those of the system. Nothing
/// has changed then.
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
    replace(&path, |file, _| {
        file.write_all(head.bytes())?;
        for (index, _) in head.pieces() {
            file.write_all(tensors[index].1)?;
        }
        Ok(())
    })
}

/// Write a file beside another, bring it to the disk, and let it take the place of that one, if there is one, in one
/// step. `write` gets the new file, open for writing, and its path. Its errors remove the new file.
pub(crate) fn replace(path: &Path, write: impl FnOnce(&mut File, &Path) -> io::Result<()>) -> io::Result<()> {
    let old = fs::metadata(path).ok();
    if old.as_ref().is_some_and(|old| !old.is_file()) {
        return Err(invalid("not a regular file: name a file to write"));
    }
    if old.is_some() && is_blob(path) {
        return Err(invalid("a file of a hub cache, whose name is the hash of its bytes: write another file"));
    }
    let mut journal = path.as_os_str().to_os_string();
    journal.push(".assay-journal");
    if fs::symlink_metadata(&journal).is_ok() {
        return Err(invalid(
            "an edit in place did not end: run assay edit --recover on it first, or remove the journal if the file was \
             replaced",
        ));
    }
    let (beside, mut file) = beside(path, old.is_some())?;
    let written = (|| {
        write(&mut file, &beside)?;
        if let Some(old) = old {
            keep_rights(&file, &old)?;
        }
        file.sync_all()?;
        fs::rename(&beside, path)
    })();
    if written.is_err() {
        let _ = fs::remove_file(&beside);
        return written;
    }
    sync_folder(path)
}

/// Return whether a file is one of those that a hub cache keeps for several names.
fn is_blob(path: &Path) -> bool {
    let folder = path.parent();
    let model = folder.and_then(Path::parent).and_then(Path::file_name);
    folder.and_then(Path::file_name).is_some_and(|name| name == "blobs")
        && model.is_some_and(|name| name.to_string_lossy().contains("--"))
}

/// Give a new file the permissions and the group of an old one. If it can't have the group, it gets no rights of one.
#[cfg(unix)]
fn keep_rights(file: &File, old: &fs::Metadata) -> io::Result<()> {
    use std::os::unix::fs::{fchown, MetadataExt, PermissionsExt};
    let same = file.metadata()?.gid() == old.gid() || fchown(file, None, Some(old.gid())).is_ok();
    file.set_permissions(fs::Permissions::from_mode(kept_mode(old.mode(), same)))
}

#[cfg(not(unix))]
fn keep_rights(file: &File, old: &fs::Metadata) -> io::Result<()> {
    file.set_permissions(old.permissions())
}

/// Return the mode of a new file. `same`: it has the group of the old one. Its owner may be another one, so no set-id bit
/// is kept.
#[cfg(unix)]
fn kept_mode(old: u32, same: bool) -> u32 {
    old & if same { 0o1777 } else { 0o1707 }
}

pub(crate) fn invalid<E: Into<Box<dyn std::error::Error + Send + Sync>>>(error: E) -> io::Error {
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
    use super::{beside, is_blob, kept_mode};
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_draft_of_a_file_that_exists_is_private() {
        let path = std::env::temp_dir().join("assay-draft.safetensors");
        let (draft, file) = beside(&path, true).unwrap();
        let mode = file.metadata().unwrap().permissions().mode();
        std::fs::remove_file(draft).unwrap();
        assert_eq!(mode & 0o777, 0o600);
    }

    #[test]
    fn no_rights_for_another_group() {
        assert_eq!((kept_mode(0o100664, true), kept_mode(0o102664, false)), (0o664, 0o604));
        assert_eq!((kept_mode(0o106755, true), kept_mode(0o106755, false)), (0o755, 0o705));
    }

    #[test]
    fn blobs_of_a_hub_cache() {
        let is = |path: &str| is_blob(std::path::Path::new(path));
        assert!(is("/h/models--a--b/blobs/0a"));
        assert!(!is("/h/models--a--b/snapshots/0a") && !is("/h/b/blobs/0a") && !is("blobs/0a") && !is("a"));
    }
}

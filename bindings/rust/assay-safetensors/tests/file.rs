//! Files: regular ones, and what is none.
#![cfg(feature = "std")]

use assay::{CheckedFile, Error, Limits, NotJudged};
use std::fs::File;
use std::io::ErrorKind;
use std::path::PathBuf;

const HEADER: &str = r#"{"a":{"dtype":"U8","shape":[3],"data_offsets":[0,3]}}"#;

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// Write a file with this header and data, and return its path.
fn written(name: &str, header: &str, data: &[u8]) -> PathBuf {
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend_from_slice(header.as_bytes());
    bytes.extend_from_slice(data);
    std::fs::write(path(name), bytes).expect("write the file");
    path(name)
}

fn not_judged(result: Result<CheckedFile, Error>) -> ErrorKind {
    match result {
        Err(Error::NotJudged(NotJudged::Io(error))) => error.kind(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_file_is_checked_and_read() {
    let checked = CheckedFile::open(written("good", HEADER, &[1, 2, 3]), &Limits::NONE).unwrap();
    let tensor = checked.view().tensor("a").unwrap();
    assert_eq!(checked.read(&tensor).unwrap(), [1, 2, 3]);
    assert_eq!(checked.header().head().len(), 8 + HEADER.len());
    let (file, header) = checked.into_parts();
    assert_eq!(file.metadata().unwrap().len(), header.view().file_size());
}

#[test]
fn a_file_that_is_exchanged_is_not_the_one_that_is_read() {
    let place = written("exchanged", HEADER, &[1, 2, 3]);
    let checked = CheckedFile::open(&place, &Limits::NONE).unwrap();
    std::fs::rename(written("other", HEADER, &[7, 8, 9]), &place).unwrap();
    assert_eq!(checked.read(&checked.view().tensor("a").unwrap()).unwrap(), [1, 2, 3]);
}

#[test]
fn a_file_that_shrinks_or_changes() {
    let place = written("shrinks", HEADER, &[1, 2, 3]);
    let checked = CheckedFile::open(&place, &Limits::NONE).unwrap();
    std::fs::write(&place, b"junk").unwrap(); // truncates: the same file
    let tensor = checked.view().tensor("a").unwrap();
    assert_eq!(checked.read(&tensor).unwrap_err().kind(), ErrorKind::UnexpectedEof);
    assert_eq!(tensor.dims().collect::<Vec<_>>(), [3]);
}

#[test]
fn invalid_files() {
    for (name, header, data, rule) in
        [("hole", HEADER, &[1, 2, 3, 4][..], "G5"), ("cut", HEADER, &[1, 2], "G3"), ("json", "[]", &[], "H2")]
    {
        let error = CheckedFile::open(written(name, header, data), &Limits::NONE).unwrap_err();
        assert_eq!(error.invalid().map(|why| why.rule().id()), Some(rule));
    }
    std::fs::write(path("short"), b"1234567").unwrap();
    let error = CheckedFile::open(path("short"), &Limits::NONE).unwrap_err();
    assert_eq!(error.invalid().map(|why| why.rule().id()), Some("F1"));
}

#[test]
fn what_is_no_file_is_not_judged() {
    assert_eq!(not_judged(CheckedFile::open(path("not there"), &Limits::NONE)), ErrorKind::NotFound);
    assert_eq!(not_judged(CheckedFile::open(path("."), &Limits::NONE)), ErrorKind::InvalidInput);
    #[cfg(unix)]
    {
        assert_eq!(not_judged(CheckedFile::open("/dev/zero", &Limits::NONE)), ErrorKind::InvalidInput);
        assert_eq!(
            not_judged(CheckedFile::from_file(File::open("/dev/zero").unwrap(), &Limits::NONE)),
            ErrorKind::InvalidInput
        );
        let pipe = path("pipe");
        let _ = std::fs::remove_file(&pipe);
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert_eq!(not_judged(CheckedFile::open(&pipe, &Limits::NONE)), ErrorKind::InvalidInput);
    }
}

/// A file of a terabyte, of which only the head is there.
#[test]
fn a_large_file_costs_its_head() {
    let header = r#"{"a":{"dtype":"U8","shape":[1000000000000],"data_offsets":[0,1000000000000]}}"#;
    let place = written("large", header, &[]);
    let size = 8 + header.len() as u64 + 1_000_000_000_000;
    if File::options().write(true).open(&place).unwrap().set_len(size).is_ok() {
        let checked = CheckedFile::open(&place, &Limits::NONE).unwrap();
        assert_eq!(checked.view().tensor("a").unwrap().size(), 1_000_000_000_000);
    }
    std::fs::remove_file(place).unwrap();
}

#[cfg(feature = "memmap2")]
#[test]
fn a_mapped_file() {
    let place = written("mapped", HEADER, &[1, 2, 3]);
    let checked = CheckedFile::open(&place, &Limits::NONE).unwrap();
    // SAFETY: nobody writes the file while it is mapped.
    let mapped = unsafe { checked.map() }.unwrap();
    assert_eq!(mapped.tensor_bytes("a"), Some(&[1, 2, 3][..]));
    assert_eq!((mapped.tensor_bytes("b"), mapped.bytes().len()), (None, 11 + HEADER.len()));
    assert_eq!(mapped.view().len(), 1);

    let checked = CheckedFile::open(&place, &Limits::NONE).unwrap();
    File::options().write(true).open(&place).unwrap().set_len(20).unwrap();
    // SAFETY: the file is now shorter, so that nothing is read from the map.
    assert_eq!(unsafe { checked.map() }.unwrap_err().kind(), ErrorKind::UnexpectedEof);
}

//! Writing: judged, the same bytes as the official crate, and every error.
#![cfg(feature = "safetensors")]

use assay::{Dtype, NewHead, NewTensor, WriteErrorKind, WriteOptions};
use proptest::prelude::*;
use safetensors::tensor::TensorView;
use std::collections::HashMap;

fn tensor<'a>(name: &'a str, dtype: Dtype, shape: &'a [u64]) -> NewTensor<'a> {
    NewTensor { name, dtype, shape }
}

fn kind(tensors: &[NewTensor<'_>], metadata: &[(&str, &str)]) -> (WriteErrorKind, Option<usize>, Option<usize>) {
    let error = NewHead::new(tensors, metadata, &WriteOptions::CANONICAL).unwrap_err();
    assert!(error.to_string().is_ascii() && !error.to_string().contains('\0'), "{error}");
    (error.kind, error.tensor, error.other)
}

/// Return the whole file. The data of tensor k are bytes k.
fn file(tensors: &[NewTensor<'_>], metadata: &[(&str, &str)], options: &WriteOptions) -> Vec<u8> {
    let head = NewHead::new(tensors, metadata, options).unwrap();
    let mut bytes = head.bytes().to_vec();
    for (index, range) in head.pieces() {
        assert_eq!(range.start, bytes.len() as u64);
        bytes.resize(range.end as usize, index as u8);
    }
    assert_eq!(head.file_size(), bytes.len() as u64);
    bytes
}

#[test]
fn what_no_file_holds() {
    let good = tensor("a", Dtype::U8, &[1]);
    let cases = [
        (vec![good, tensor("\0", Dtype::U8, &[1])], vec![], (WriteErrorKind::Nul, Some(1), None)),
        (vec![good], vec![("k", "v"), ("l", "\0")], (WriteErrorKind::Nul, None, Some(1))),
        (vec![good, tensor("__metadata__", Dtype::U8, &[1])], vec![], (WriteErrorKind::Reserved, Some(1), None)),
        (vec![good, tensor("b", Dtype::U8, &[]), good], vec![], (WriteErrorKind::Twice, Some(2), Some(0))),
        (vec![], vec![("k", "v"), ("k", "w")], (WriteErrorKind::Twice, None, Some(0))),
        (vec![good, tensor("b", Dtype::U64, &[1 << 40, 1 << 40])], vec![], (WriteErrorKind::Tensor, Some(1), None)),
        (vec![tensor("b", Dtype::F4, &[3])], vec![], (WriteErrorKind::Tensor, Some(0), None)),
    ];
    for (tensors, metadata, expected) in cases {
        assert_eq!(kind(&tensors, &metadata), expected);
    }
    let large: Vec<_> = ["a", "b", "c", "d", "e", "f", "g", "h"].map(|n| tensor(n, Dtype::U8, &[1 << 60])).into();
    assert_eq!(kind(&large, &[]), (WriteErrorKind::DataLarge, Some(7), None));
    assert_eq!(kind(&[], &[("k", &"x".repeat(100_000_000))]).0, WriteErrorKind::HeaderLarge);
    let mut options = WriteOptions::CANONICAL;
    options.align = 3;
    assert_eq!(NewHead::new(&[good], &[], &options).unwrap_err().kind, WriteErrorKind::Usage);
}

#[test]
fn options() {
    let tensors = [tensor("b", Dtype::U8, &[3]), tensor("a", Dtype::F32, &[2]), tensor("c", Dtype::U8, &[0, 7])];
    let mut options = WriteOptions::CANONICAL;
    assert_eq!(NewHead::new(&tensors, &[], &options).unwrap().pieces().map(|p| p.0).collect::<Vec<_>>(), [1, 0, 2]);
    options.given_order = true;
    options.align = 4096;
    options.reserve = 5000;
    let head = NewHead::new(&tensors, &[], &options).unwrap();
    assert_eq!(head.pieces().map(|p| p.0).collect::<Vec<_>>(), [0, 1, 2]);
    assert_eq!(head.bytes().len(), 8192);
    assert_eq!(file(&[], &[], &WriteOptions::CANONICAL), b"\x08\0\0\0\0\0\0\0{}      ");
}

#[test]
fn a_file_is_saved_in_one_step() {
    let folder = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("saved");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir(&folder).unwrap();
    let path = folder.join("x");
    let names = || std::fs::read_dir(&folder).unwrap().map(|one| one.unwrap().file_name()).collect::<Vec<_>>();
    let a = tensor("a", Dtype::U8, &[3]);
    let save = |tensors: &[(NewTensor<'_>, &[u8])], path: &std::path::Path| {
        assay::save_file(path, tensors, &[("k", "v")], &WriteOptions::CANONICAL)
    };
    save(&[(a, &[1, 2, 3])], &path).unwrap();
    let read = |path: &std::path::Path| {
        let file = assay::CheckedFile::open(path, &assay::Limits::NONE).unwrap();
        file.read(&file.view().tensor("a").unwrap()).unwrap()
    };
    assert_eq!(read(&path), [1, 2, 3]);
    for bad in [&[(a, &[1u8, 2][..])][..], &[(a, &[1, 2, 3]), (a, &[1, 2, 3])]] {
        assert_eq!(save(bad, &path).unwrap_err().kind(), std::io::ErrorKind::InvalidInput);
        assert_eq!((read(&path), names()), (vec![1, 2, 3], vec!["x".into()]));
    }
    assert_eq!(save(&[], &folder).unwrap_err().kind(), std::io::ErrorKind::InvalidInput);
    assert_eq!(save(&[], &folder.join("none/x")).unwrap_err().kind(), std::io::ErrorKind::NotFound);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o604)).unwrap();
        std::os::unix::fs::symlink("x", folder.join("link")).unwrap();
        save(&[(a, &[7, 8, 9])], &folder.join("link")).unwrap();
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o604);
        assert!(std::fs::symlink_metadata(folder.join("link")).unwrap().is_symlink());
        assert_eq!((read(&path), names().len()), (vec![7, 8, 9], 2));
    }
}

/// Make an empty folder.
#[cfg(unix)]
fn folder(name: &str) -> std::path::PathBuf {
    let folder = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Whatever writes refuses a blob of a hub cache and a file with a journal. An edit refuses hard links too.
#[test]
#[cfg(unix)]
fn what_is_not_replaced() {
    use assay::{edit_metadata, save_file, Step};
    let folder = folder("refused");
    let blobs = folder.join("models--a--b/blobs");
    std::fs::create_dir_all(&blobs).unwrap();
    let save = |path: &std::path::Path| save_file(path, &[], &[("k", "v")], &WriteOptions::CANONICAL);
    let edit = |path: &std::path::Path| edit_metadata(path, &[Step::Set("k", "new")]);
    let refuses = |result: std::io::Result<()>, why: &str| {
        let error = result.unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::InvalidInput);
        assert!(error.to_string().contains(why), "{error}");
    };
    let (file, blob, link) = (folder.join("x"), blobs.join("0a"), folder.join("link"));
    save(&file).unwrap();
    let old = std::fs::read(&file).unwrap();
    std::fs::copy(&file, &blob).unwrap();
    std::os::unix::fs::symlink(&blob, &link).unwrap();
    for path in [&blob, &link] {
        refuses(save(path), "hub cache");
        refuses(edit(path), "hub cache");
    }
    let journal = folder.join("x.assay-journal");
    std::fs::write(&journal, "").unwrap();
    refuses(save(&file), "did not end");
    refuses(edit(&file), "did not end");
    std::fs::remove_file(&journal).unwrap();
    std::fs::hard_link(&file, folder.join("y")).unwrap();
    refuses(edit(&file), "several names");
    assert_eq!((std::fs::read(&file).unwrap(), std::fs::read(&blob).unwrap()), (old.clone(), old));
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 4); // no draft is left
    std::fs::remove_file(folder.join("y")).unwrap();
    edit(&file).unwrap();
    save(&file).unwrap();
}

/// A file keeps its group, if the writer may set it: root may.
#[test]
#[cfg(unix)]
fn the_group_is_kept() {
    use std::os::unix::fs::{chown, MetadataExt, PermissionsExt};
    let path = folder("group").join("x");
    let save = || assay::save_file(&path, &[], &[("k", "v")], &WriteOptions::CANONICAL).unwrap();
    save();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o660)).unwrap();
    let group = std::fs::metadata(&path).unwrap().gid() + 1;
    if chown(&path, None, Some(group)).is_err() {
        return;
    }
    let kept = || {
        let now = std::fs::metadata(&path).unwrap();
        (now.gid(), now.mode() & 0o7777)
    };
    save();
    assert_eq!(kept(), (group, 0o660));
    assay::edit_metadata(&path, &[assay::Step::Clear]).unwrap();
    assert_eq!(kept(), (group, 0o660));
}

#[test]
fn edits() {
    use assay::{edit_metadata, EditErrorKind, Step};
    let path = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("edits.safetensors");
    let data: Vec<u8> = (0..=255).collect();
    let a = tensor("a", Dtype::U8, &[256]);
    assay::save_file(&path, &[(a, &data)], &[("k", "v"), ("l", "w")], &WriteOptions::CANONICAL).unwrap();
    let read = || {
        let file = assay::CheckedFile::open(&path, &assay::Limits::NONE).unwrap();
        let pairs = file.view().metadata().into_iter().flatten();
        let pairs: Vec<_> = pairs.map(|(k, v)| format!("{}={}", k.to_cow(), v.to_cow())).collect();
        assert_eq!(file.read(&file.view().tensor("a").unwrap()).unwrap(), data);
        pairs.join(" ")
    };
    let old = std::fs::read(&path).unwrap();
    let cases = [
        (vec![Step::Set("k", "1"), Step::Delete("m")], EditErrorKind::NoKey, Some(1)),
        (vec![Step::Rename("m", "n")], EditErrorKind::NoKey, Some(0)),
        (vec![Step::Rename("k", "l")], EditErrorKind::KeyExists, Some(0)),
        (vec![Step::Clear, Step::Clear, Step::Set("\0", "")], EditErrorKind::Nul, Some(2)),
        (vec![Step::Clear; 4097], EditErrorKind::Steps, None),
    ];
    for (steps, kind, step) in cases {
        let error = edit_metadata(&path, &steps).unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::InvalidInput);
        let error = *error.into_inner().unwrap().downcast::<assay::EditError>().unwrap();
        assert_eq!((error.kind, error.step), (kind, step));
    }
    let large = "x".repeat(100_000_000);
    let error = edit_metadata(&path, &[Step::Set("k", &large[1..])]).unwrap_err();
    assert!(error.to_string().contains("exceed the format's limit"), "{error}");
    assert_eq!(std::fs::read(&path).unwrap(), old);

    edit_metadata(&path, &[]).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), old);
    edit_metadata(&path, &[Step::Rename("k", "\u{e9}\"\n"), Step::Set("new", ""), Step::Set("l", "\u{1f600}")])
        .unwrap();
    assert_eq!(read(), "\u{e9}\"\n=v l=\u{1f600} new=");
    let size = std::fs::metadata(&path).unwrap().len();
    edit_metadata(&path, &[Step::Delete("l"), Step::Set("more", &"x".repeat(3000))]).unwrap();
    assert_eq!(std::fs::metadata(&path).unwrap().len(), size); // it had room
    edit_metadata(&path, &[Step::Clear]).unwrap();
    assert_eq!(read(), "");

    std::fs::write(&path, b"\x08\0\0\0\0\0\0\0{\"a\":[]}").unwrap();
    let error = edit_metadata(&path, &[Step::Clear]).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::InvalidData);
    assert!(error.into_inner().unwrap().downcast::<assay::Error>().is_ok());
    std::fs::remove_file(&path).unwrap();
    assert_eq!(edit_metadata(&path, &[Step::Clear]).unwrap_err().kind(), std::io::ErrorKind::NotFound);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// The bytes of the official crate, for at most one pair; and the official crate reads the same tensors.
    #[test]
    fn as_the_official_crate(
        names in prop::collection::btree_set("[a-z0-9._\"\\\\\n\u{e9}\u{1F600}]{0,6}", 0..8),
        dtypes in prop::collection::vec(0..Dtype::ALL.len(), 8),
        shapes in prop::collection::vec(prop::collection::vec(0u64..4, 0..4), 8),
        pair in prop::option::of(("[a-z\t]{0,4}", "[a-z\u{7f}/]{0,9}")),
    ) {
        let whole = |&(_, dtype, shape): &(&String, &usize, &Vec<u64>)| {
            shape.iter().product::<u64>() * u64::from(Dtype::ALL[*dtype].bits()) % 8 == 0
        };
        let rows: Vec<_> = names.iter().zip(&dtypes).zip(&shapes).map(|((n, d), s)| (n, d, s)).filter(whole).collect();
        let tensors: Vec<_> = rows.iter().map(|(n, d, s)| tensor(n, Dtype::ALL[**d], s)).collect();
        let metadata: Vec<_> = pair.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect();
        let bytes = file(&tensors, &metadata, &WriteOptions::CANONICAL);
        prop_assert!(assay::judge(&bytes, bytes.len() as u64, &assay::Limits::NONE).is_ok());

        let data: Vec<_> = rows.iter().enumerate().map(|(k, (_, d, s))| {
            vec![k as u8; (s.iter().product::<u64>() * u64::from(Dtype::ALL[**d].bits()) / 8) as usize]
        }).collect();
        let views = rows.iter().zip(&data).map(|((name, dtype, shape), data)| {
            let shape = shape.iter().map(|&dim| dim as usize).collect();
            (name.as_str(), TensorView::new(Dtype::ALL[**dtype].into(), shape, data).unwrap())
        });
        let info: Option<HashMap<String, String>> = pair.map(|pair| HashMap::from([pair]));
        prop_assert_eq!(&bytes, &safetensors::serialize(views, info).unwrap());
        let read = safetensors::SafeTensors::deserialize(&bytes).unwrap();
        prop_assert_eq!(read.len(), rows.len());
        for ((name, _, _), data) in rows.iter().zip(&data) {
            prop_assert_eq!(read.tensor(name).unwrap().data(), &data[..]);
        }
    }
}

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

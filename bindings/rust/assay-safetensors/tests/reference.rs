//! Properties against the official crate: the same tables of valid files, and nothing accepted that the crate refuses.
#![cfg(all(feature = "std", feature = "safetensors"))]

use assay::{Dtype, Header, Limits};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use safetensors::tensor::{serialize, TensorView};
use safetensors::SafeTensors;
use std::collections::{BTreeMap, HashMap};

const NAMES: &str = "[a-c.\"\\\\/\\n\u{7f}é\u{2028}\u{ffff}😀]{0,6}";

/// Bytes that mean something in a head.
const BYTES: &[u8] = b"{}[]:,\"\\0123456789aeUF u\n\0\x80\xff";

fn dtype() -> impl Strategy<Value = Dtype> {
    proptest::sample::select(Dtype::ALL.to_vec())
}

/// Tensors by name: dtype and shape of a whole number of bytes, of at most 4,000 elements.
fn tensors() -> impl Strategy<Value = BTreeMap<String, (Dtype, Vec<usize>)>> {
    let shape = vec(0..8usize, 0..4).prop_map(|mut shape| {
        shape.push(8);
        shape
    });
    let shape = prop_oneof![shape, Just(vec![0])];
    btree_map(NAMES, (dtype(), shape), 0..8)
}

fn metadata() -> impl Strategy<Value = Option<HashMap<String, String>>> {
    proptest::option::of(proptest::collection::hash_map(NAMES, NAMES, 0..5))
}

/// Return the file that the crate writes.
fn written(tensors: &BTreeMap<String, (Dtype, Vec<usize>)>, metadata: &Option<HashMap<String, String>>) -> Vec<u8> {
    let data: Vec<u8> = (0..40_000u32).map(|byte| byte as u8).collect();
    let views = tensors.iter().map(|(name, (dtype, shape))| {
        let bytes = shape.iter().product::<usize>() * dtype.bits() as usize / 8;
        (name, TensorView::new((*dtype).into(), shape.clone(), &data[..bytes]).expect("a tensor"))
    });
    serialize(views, metadata.clone()).expect("a file")
}

/// Compare all that assay reads with what the crate reads.
fn same_table(file: &[u8], header: &Header) {
    let (view, reference) = (header.view(), SafeTensors::deserialize(file).expect("the crate accepts it"));
    let (size, table) = SafeTensors::read_metadata(file).expect("the crate accepts it");
    assert_eq!((view.len(), view.data_begin()), (reference.len(), 8 + size as u64));
    for tensor in &view {
        let name = tensor.name();
        let there = reference.tensor(&name).expect("the same name");
        assert_eq!(there.dtype(), tensor.dtype().into());
        let shape: Vec<_> = tensor.dims().map(|dim| usize::try_from(dim).expect("a dim")).collect();
        assert_eq!(there.shape(), shape);
        let bytes = tensor.bytes(file).expect("in the file");
        assert_eq!((there.data().as_ptr(), there.data().len()), (bytes.as_ptr(), bytes.len()));
        assert_eq!(view.tensor(&name).map(|found| found.index()), Some(tensor.index()));
    }
    let pairs: Option<HashMap<_, _>> =
        view.metadata().map(|pairs| pairs.map(|(key, value)| (key.to_string(), value.to_string())).collect());
    assert_eq!(&pairs, table.metadata());
    for (key, value) in pairs.iter().flatten() {
        assert!(view.metadata_value(key).expect("the same key") == value.as_str());
    }
}

/// Judge; if assay accepts, the crate must, and read the same. Return whether assay accepted.
fn agree(file: &[u8]) -> bool {
    match Header::parse(file.to_vec(), file.len() as u64, &Limits::NONE) {
        Ok(header) => {
            same_table(file, &header);
            true
        }
        Err(error) => {
            assert!(error.invalid().is_some(), "a whole file gets a verdict: {error}");
            assert!(matches!(assay::gate::deserialize(file), Err(assay::gate::Error::Refused(_))));
            false
        }
    }
}

/// Write every character of the strings as an escape, as another writer may: the same file to a reader.
fn escaped(file: &[u8]) -> Vec<u8> {
    let size = u64::from_le_bytes(file[..8].try_into().expect("8 bytes")) as usize;
    let value: serde_json::Value = serde_json::from_slice(&file[8..8 + size]).expect("JSON");
    let mut header = String::new();
    let escape = |text: &str| {
        let units: String = text.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect();
        format!("\"{units}\"")
    };
    for (name, one) in value.as_object().expect("an object") {
        header += if header.is_empty() { "{" } else { " ,\n" };
        if name == "__metadata__" {
            let pairs: Vec<_> = one
                .as_object()
                .expect("an object")
                .iter()
                .map(|(key, value)| format!("{}:{}", escape(key), escape(value.as_str().expect("a string"))))
                .collect();
            header += &format!("\"{name}\":{{{}}}", pairs.join(","));
        } else {
            header += &format!("{}\t: {one}", escape(name));
        }
    }
    header += if header.is_empty() { "{}" } else { "}" };
    let mut out = (header.len() as u64).to_le_bytes().to_vec();
    out.extend_from_slice(header.as_bytes());
    out.extend_from_slice(&file[8 + size..]);
    out
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_file_of_the_crate_is_valid_and_read_the_same(tensors in tensors(), metadata in metadata()) {
        // Without tensors and with an empty metadata, the crate writes `{},"__metadata__":{}}`, which it refuses
        // itself.
        prop_assume!(!tensors.is_empty() || metadata.as_ref().map(HashMap::len) != Some(0));
        let file = written(&tensors, &metadata);
        prop_assert!(agree(&file), "{}", file.escape_ascii());
        prop_assert!(agree(&escaped(&file)), "{}", escaped(&file).escape_ascii());
    }

    /// Some bytes of the head are others: what assay still accepts, the crate accepts and reads the same.
    #[test]
    fn what_the_crate_refuses_is_not_accepted(
        tensors in tensors(),
        metadata in metadata(),
        changes in vec((any::<prop::sample::Index>(), proptest::sample::select(BYTES.to_vec())), 1..4),
        cut in proptest::option::weighted(0.2, any::<prop::sample::Index>()),
    ) {
        let mut file = written(&tensors, &metadata);
        let head = 8 + u64::from_le_bytes(file[..8].try_into().expect("8 bytes")) as usize;
        for (index, byte) in &changes {
            let at = index.index(head);
            file[at] = *byte;
        }
        if let Some(cut) = cut {
            file.truncate(cut.index(file.len()));
        }
        agree(&file);
    }

    /// Texts of JSON's bytes, which the crate may or may not accept.
    #[test]
    fn made_up_headers(
        parts in vec(proptest::sample::select(vec![
            "{", "}", ":", ",", "\"a\"", "\"b\"", "\"__metadata__\"", "\"dtype\"", "\"U8\"", "\"shape\"", "[", "]", "0",
            "1", "\"data_offsets\"", " ", "{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}",
            "{\"dtype\":\"U8\",\"shape\":[],\"data_offsets\":[1,2]}",
            "{\"x\":\"y\"}", "\"a\":", "\"c\":", "{\"a\":", "}",
        ]), 0..12),
        data in 0..4usize,
    ) {
        let header = parts.concat();
        let mut file = (header.len() as u64).to_le_bytes().to_vec();
        file.extend_from_slice(header.as_bytes());
        file.resize(file.len() + data, 1);
        agree(&file);
    }
}

//! The gate before the official crate.
#![cfg(all(feature = "std", feature = "safetensors", feature = "safetensors07"))]

use assay::{gate, gate07, Safe};
use std::error::Error as _;

fn file(header: &str, data: usize) -> Vec<u8> {
    let mut file = (header.len() as u64).to_le_bytes().to_vec();
    file.extend_from_slice(header.as_bytes());
    file.resize(file.len() + data, 7);
    file
}

const ONE: &str = r#"{"dtype":"U8","shape":[1],"data_offsets":"#;

#[test]
fn a_valid_file_is_the_crates_own_type() {
    let file = file(&format!(r#"{{"a":{ONE}[0,1]}}}}"#), 1);
    let tensors: safetensors::SafeTensors<'_> = gate::deserialize(&file).unwrap();
    assert_eq!(tensors.tensor("a").unwrap().data(), [7]);
    let tensors: safetensors07::SafeTensors<'_> = gate07::deserialize(&file).unwrap();
    assert_eq!(tensors.tensor("a").unwrap().data(), [7]);
    assert_eq!(gate::read_metadata(&file).unwrap().0, file.len() - 9);
    assert_eq!(Safe::read_metadata(&file).unwrap().1.tensors().len(), 1);
}

/// The crate loads it and keeps the last tensor.
#[test]
fn a_name_twice_is_refused() {
    let file = file(&format!(r#"{{"a":{ONE}[0,1]}},"a":{ONE}[0,1]}}}}"#), 1);
    assert_eq!(safetensors::SafeTensors::deserialize(&file).unwrap().len(), 1);
    assert_eq!(safetensors07::SafeTensors::deserialize(&file).unwrap().len(), 1);
    let Err(gate::Error::Refused(error)) = gate::deserialize(&file) else { panic!("loaded") };
    let why = error.invalid().unwrap();
    assert_eq!((why.rule().id(), why.byte(), why.tensor_name()), ("G2", Some(61), Some("a")));
    assert!(matches!(gate07::deserialize(&file), Err(gate07::Error::Refused(_))));
    assert!(gate::read_metadata(&file).is_err() && gate07::read_metadata(&file).is_err());
    assert!(Safe::deserialize(&file).is_err() && gate07::Safe::deserialize(&file).is_err());
}

#[test]
fn a_refusal_as_the_crates_error() {
    let file = file("[]", 0);
    let error = Safe::deserialize(&file).map(|_| ()).unwrap_err();
    assert_eq!(error.to_string(), format!("I/O error: {}", gate::deserialize(&file).map(|_| ()).unwrap_err()));
    let safetensors::SafeTensorError::IoError(error) = error else { panic!("{error}") };
    assert_eq!(error.kind(), std::io::ErrorKind::InvalidData);
    let inner = error.get_ref().unwrap().downcast_ref::<gate::Error>().unwrap();
    assert!(inner.source().is_none() && matches!(inner, gate::Error::Refused(assay::Error::Invalid(_))));
}

/// Version 0.7 does not know this dtype: its error comes back.
#[test]
fn what_the_crate_does_not_accept_is_its_error() {
    let file = file(r#"{"a":{"dtype":"F8_E4M3FNUZ","shape":[1],"data_offsets":[0,1]}}"#, 1);
    assert_eq!(gate::deserialize(&file).unwrap().len(), 1);
    let Err(gate07::Error::Reference(error)) = gate07::deserialize(&file) else { panic!("loaded") };
    let message = gate07::deserialize(&file).map(|_| ()).unwrap_err();
    assert_eq!(message.to_string(), format!("valid, but safetensors does not load it: {error}"));
    assert!(message.source().is_some());
}

#[test]
fn cuts_and_empty_buffers_are_refused() {
    let file = file(&format!(r#"{{"a":{ONE}[0,1]}}}}"#), 1);
    for cut in 0..file.len() {
        assert!(matches!(gate::deserialize(&file[..cut]), Err(gate::Error::Refused(assay::Error::Invalid(_)))));
    }
}

#[test]
fn dtypes_are_those_of_the_crate() {
    for &dtype in assay::Dtype::ALL {
        let there: safetensors::Dtype = dtype.into();
        assert_eq!((there.to_string(), there.bitsize()), (dtype.name().to_string(), dtype.bits() as usize));
    }
}

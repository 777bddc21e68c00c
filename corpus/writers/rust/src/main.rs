//! Write corpus/valid/written/rust-*: small files by the Rust writer of the reference.
//!
//!     cargo run --release -- DIRECTORY
//!
//! The files in the corpus were made once; the writer orders metadata pairs randomly, so another run makes
//! other bytes with the same meaning.

use safetensors::tensor::{serialize, Dtype, TensorView};
use std::collections::HashMap;
use std::path::Path;

type Tensor = (&'static str, Dtype, Vec<usize>);

fn metadata(pairs: &[(&str, &str)]) -> Option<HashMap<String, String>> {
    Some(pairs.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect())
}

fn write(folder: &str, name: &str, tensors: &[Tensor], metadata: Option<HashMap<String, String>>) {
    let sizes = tensors.iter().map(|(_, dtype, shape)| shape.iter().product::<usize>() * dtype.bitsize() / 8);
    let data: Vec<Vec<u8>> = sizes.map(|size| (0..size).map(|i| (i % 251) as u8).collect()).collect();
    let views = tensors.iter().zip(&data).map(|((name, dtype, shape), data)| {
        (*name, TensorView::new(*dtype, shape.clone(), data).expect("the data have the right size"))
    });
    let bytes = serialize(views, metadata).expect("the tensors are sound");
    std::fs::write(Path::new(folder).join(format!("rust-{name}.safetensors")), bytes).expect("the file is written");
}

fn main() {
    let folder = std::env::args().nth(1).expect("usage: corpus-writer DIRECTORY");
    let eight_bits = [
        ("a.e4m3", Dtype::F8_E4M3, vec![4, 4]),
        ("a.e5m2", Dtype::F8_E5M2, vec![4, 4]),
        ("a.e8m0", Dtype::F8_E8M0, vec![4]),
        ("a.e4m3fnuz", Dtype::F8_E4M3FNUZ, vec![3]),
        ("a.e5m2fnuz", Dtype::F8_E5M2FNUZ, vec![5]),
    ];
    write(&folder, "fp8", &eight_bits, metadata(&[("format", "pt")]));
    let narrow = [
        ("blocks", Dtype::F4, vec![2, 32]),
        ("scales", Dtype::F8_E8M0, vec![2]),
        ("six.a", Dtype::F6_E2M3, vec![4, 3]),
        ("six.b", Dtype::F6_E3M2, vec![8]),
    ];
    write(&folder, "fp4-fp6", &narrow, None);
    let complex = [("rope.freqs", Dtype::C64, vec![4, 2]), ("rope.base", Dtype::F64, vec![])];
    write(&folder, "complex", &complex, metadata(&[("format", "pt"), ("origin", "Zürich \u{1f600}")]));
    let every = [
        ("BOOL", Dtype::BOOL, vec![8]),
        ("F4", Dtype::F4, vec![8]),
        ("F6_E2M3", Dtype::F6_E2M3, vec![8]),
        ("F6_E3M2", Dtype::F6_E3M2, vec![8]),
        ("U8", Dtype::U8, vec![8]),
        ("I8", Dtype::I8, vec![8]),
        ("F8_E5M2", Dtype::F8_E5M2, vec![8]),
        ("F8_E4M3", Dtype::F8_E4M3, vec![8]),
        ("F8_E8M0", Dtype::F8_E8M0, vec![8]),
        ("F8_E4M3FNUZ", Dtype::F8_E4M3FNUZ, vec![8]),
        ("F8_E5M2FNUZ", Dtype::F8_E5M2FNUZ, vec![8]),
        ("I16", Dtype::I16, vec![8]),
        ("U16", Dtype::U16, vec![8]),
        ("F16", Dtype::F16, vec![8]),
        ("BF16", Dtype::BF16, vec![8]),
        ("I32", Dtype::I32, vec![8]),
        ("U32", Dtype::U32, vec![8]),
        ("F32", Dtype::F32, vec![8]),
        ("C64", Dtype::C64, vec![8]),
        ("F64", Dtype::F64, vec![8]),
        ("I64", Dtype::I64, vec![8]),
        ("U64", Dtype::U64, vec![8]),
    ];
    write(&folder, "every-dtype", &every, None);
}

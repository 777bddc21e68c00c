//! Views, texts, slices, workspaces.
#![cfg(feature = "std")]

use assay::{
    bound, measure, parse, validate, Axis, CheckedFile, Dtype, Entry, Error, Header, Invalid, Limit, Limits, Memory,
    NotJudged, Runs, SliceError, Tensor, Text, View, Workspace,
};
use std::mem::MaybeUninit;

/// Return a file with this header and this many bytes of data: 0, 1, 2, ...
fn file(header: &str, data: usize) -> Vec<u8> {
    let mut file = (header.len() as u64).to_le_bytes().to_vec();
    file.extend_from_slice(header.as_bytes());
    file.extend((0..data).map(|byte| byte as u8));
    file
}

fn parsed(file: &[u8]) -> Header {
    Header::parse(file.to_vec(), file.len() as u64, &Limits::NONE).expect("a valid file")
}

const TWO: &str = concat!(
    r#"{"__metadata__":{"format":"pt","\u006be\ty":"v\u00e4lue \ud83d\ude00"},"#,
    r#""se\u0063ond":{"dtype":"F4","shape":[2,3,4],"data_offsets":[4,16]},"#,
    r#""first":{"dtype":"BF16","shape":[2],"data_offsets":[0,4]}}"#
);

#[test]
fn tensors_are_in_the_order_of_their_data() {
    let bytes = file(TWO, 16);
    let header = parsed(&bytes);
    let view = header.view();
    assert_eq!((view.len(), view.data_size(), view.file_size()), (2, 16, bytes.len() as u64));
    let names: Vec<_> = view.tensors().map(|tensor| tensor.name().into_owned()).collect();
    assert_eq!(names, ["first", "second"]);
    let back: Vec<_> = view.tensors().rev().map(|tensor| tensor.index()).collect();
    assert_eq!(back, [0, 1]);
    let mut tensors = view.tensors();
    assert_eq!((tensors.len(), tensors.nth(1).map(|tensor| tensor.rank()), tensors.len()), (2, Some(3), 0));
    let second = view.tensor("second").expect("found");
    assert_eq!((second.dtype(), second.size(), second.dims().len()), (Dtype::F4, 12, 3));
    assert_eq!(second.dims().collect::<Vec<_>>(), [2, 3, 4]);
    assert_eq!(second.bytes(&bytes), Some(&bytes[bytes.len() - 12..]));
    assert_eq!(second.bytes(&bytes[..bytes.len() - 1]), None);
    assert_eq!(second.range().start, view.data_begin() + 4);
    assert!(view.tensor("").is_none() && view.tensor("secon").is_none() && view.tensor("se\\u0063ond").is_none());
    assert!(view.tensor_at(2).is_none() && view.tensor_at(usize::MAX).is_none());
    assert_eq!((&view).into_iter().count(), 2);
    let shown = format!("{:?}", view.tensor_at(0).expect("a tensor"));
    assert!(shown.starts_with("Tensor { name: \"first\", dtype: BF16, dims: [2], range: "), "{shown}");
}

#[test]
fn names_are_borrowed_if_they_have_no_escape() {
    let bytes = file(TWO, 16);
    let header = parsed(&bytes);
    let view = header.view();
    let (first, second) = (view.tensor("first").unwrap(), view.tensor("second").unwrap());
    assert!(matches!(first.name(), std::borrow::Cow::Borrowed("first")));
    assert!(matches!(second.name(), std::borrow::Cow::Owned(name) if name == "second"));
    assert_eq!((first.text().as_str(), second.text().as_str()), (Some("first"), None));
    assert_eq!(second.text().escaped(), br"se\u0063ond");
    assert!(first.text() == "first" && second.text() == *"second" && first.text() != "firs");
    assert!(first.text() < second.text());
}

#[test]
fn metadata_is_in_the_order_of_the_header() {
    let bytes = file(TWO, 16);
    let header = parsed(&bytes);
    let view = header.view();
    let pairs: Vec<_> = view.metadata().unwrap().map(|(key, value)| (key.to_string(), value.to_string())).collect();
    assert_eq!(pairs, [("format".into(), "pt".into()), ("ke\ty".into(), "välue 😀".into())]);
    assert_eq!(view.metadata_value("ke\ty").map(|value| value.to_cow()).as_deref(), Some("välue 😀"));
    assert_eq!(format!("{:?}", view.metadata().unwrap().next_back().unwrap().0), r#""ke\ty""#);
    assert!(view.metadata_value("ke").is_none());
    assert!(parsed(&file("{}", 0)).view().metadata().is_none());
    assert_eq!(parsed(&file(r#"{"__metadata__":{}}"#, 0)).view().metadata().map(|pairs| pairs.len()), Some(0));
}

/// Hostile names: control characters come out escaped by Debug; texts compare by code points.
#[test]
fn hostile_names() {
    let bytes = file(r#"{"\u001b[31m\u202e\u0085":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}}"#, 0);
    let header = parsed(&bytes);
    let name = header.view().tensor_at(0).unwrap().text();
    assert!(name == "\u{1b}[31m\u{202e}\u{85}");
    assert!(format!("{name:?}").is_ascii(), "{name:?}");
}

/// Slices: each element's bits, computed from the strides.
#[test]
fn slices_are_those_of_the_strides() {
    let header = file(r#"{"a":{"dtype":"U16","shape":[3,4,5],"data_offsets":[0,120]}}"#, 120);
    let file = header;
    let header = parsed(&file);
    let tensor = header.view().tensor("a").unwrap();
    let mut count = 0;
    let starts = [(0, 3, 1), (0, 3, 2), (1, 2, 1), (2, 2, 1), (0, 2, 5)];
    for a in starts {
        for b in [(0, 4, 1), (1, 4, 2), (0, 0, 1)] {
            for c in [(0, 5, 1), (2, 5, 1), (0, 5, 3)] {
                let walk = |(start, stop, step): (u64, u64, u64)| (start..stop).step_by(step as usize);
                let mut wanted = Vec::new();
                for i in walk(a) {
                    for j in walk(b) {
                        for k in walk(c) {
                            let at = tensor.range().start + 2 * (20 * i + 5 * j + k);
                            wanted.extend_from_slice(&file[at as usize..at as usize + 2]);
                        }
                    }
                }
                let mut axes = [a, b, c].map(|(start, stop, step)| Axis::new(start, stop).step(step));
                let runs: Runs<'_> = tensor.slice(&mut axes).unwrap();
                let found: Vec<_> = runs.flat_map(|run| run.bytes(&file).unwrap().to_vec()).collect();
                assert_eq!(found, wanted, "{a:?} {b:?} {c:?}");
                count += found.len();
            }
        }
    }
    assert!(count > 500);
    let whole: Vec<_> = tensor.slice(&mut [Axis::from(0..3), Axis::from(0..4), Axis::from(0..5)]).unwrap().collect();
    assert_eq!((whole.len(), whole[0].bits), (1, 960));
    for mut wrong in [
        vec![Axis::new(0, 3), Axis::new(0, 4)],
        vec![Axis::new(0, 3), Axis::new(0, 4), Axis::new(0, 6)],
        vec![Axis::new(0, 3), Axis::new(3, 2), Axis::new(0, 5)],
        vec![Axis::new(0, 3), Axis::new(0, 4), Axis::new(0, 5).step(0)],
        vec![],
    ] {
        assert_eq!(tensor.slice(&mut wrong).map(|_| ()), Err(SliceError));
    }
}

#[test]
fn a_slice_of_half_bytes() {
    let bytes = file(TWO, 16);
    let header = parsed(&bytes);
    let tensor = header.view().tensor("second").unwrap();
    let mut axes = [Axis::new(1, 2), Axis::new(1, 2), Axis::new(1, 3)];
    let runs: Vec<_> = tensor.slice(&mut axes).unwrap().collect();
    assert_eq!(runs.len(), 1);
    assert_eq!((runs[0].byte - tensor.range().start, runs[0].skip, runs[0].bits), (8, 4, 8)); // elements 17 and 18
    assert_eq!(runs[0].bytes(&bytes), None);
}

#[test]
fn a_workspace_that_is_too_small() {
    let bytes = file(TWO, 16);
    let need = measure(&bytes, bytes.len() as u64, &Limits::NONE).unwrap();
    assert_eq!((need.tensors, need.pairs, need.head), (2, 2, bytes.len() as u64 - 16));
    let most = bound(need.head - 8);
    assert!(most.entries >= need.entries && most.words >= need.words);
    let mut entries = vec![MaybeUninit::<Entry>::uninit(); need.entries];
    let mut words = vec![MaybeUninit::<u32>::uninit(); need.words];
    let mut memory = Workspace::new(&mut entries, &mut words[1..]);
    match parse(&bytes, bytes.len() as u64, &Limits::NONE, memory.reborrow()) {
        Err(Error::NotJudged(NotJudged::Workspace(again))) => assert_eq!(again, need),
        other => panic!("{other:?}"),
    }
    let mut memory = Workspace::new(&mut entries, &mut words);
    validate(&bytes, bytes.len() as u64, &Limits::NONE, memory.reborrow()).unwrap();
    assert_eq!(parse(&bytes, bytes.len() as u64, &Limits::NONE, memory).unwrap().len(), 2);
    // An empty workspace suffices for an empty file.
    let empty = file("{}", 0);
    assert!(parse(&empty, 10, &Limits::NONE, Workspace::new(&mut [], &mut [])).unwrap().is_empty());
    assert!(parse(&[], 10, &Limits::NONE, Workspace::new(&mut [], &mut [])).is_err());
}

/// More tensors a byte than Memory first expects: it grows.
#[test]
fn a_workspace_that_grows() {
    let pairs: Vec<_> = (0..3000).map(|k| format!("\"{k}\":\"\"")).collect();
    let bytes = file(&format!("{{\"__metadata__\":{{{}}}}}", pairs.join(",")), 0);
    let mut memory = Memory::new();
    let view = memory.parse(&bytes, bytes.len() as u64, &Limits::NONE).unwrap();
    assert_eq!(view.metadata().unwrap().len(), 3000);
    assert!(view.metadata_value("2999").is_some());
    assert!(memory.judge(&bytes, bytes.len() as u64, &Limits::NONE).is_ok());
}

#[test]
fn a_limit_is_no_verdict() {
    let bytes = file(TWO, 16);
    let mut limits = Limits::NONE;
    limits.rank = Some(2);
    let error = assay::judge(&bytes, bytes.len() as u64, &limits).unwrap_err();
    assert!(error.invalid().is_none());
    match error.not_judged() {
        Some(NotJudged::Limit { limit: Limit::Rank, allowed: 2, found: 3, tensor: Some(0), .. }) => {}
        other => panic!("{other:?}"),
    }
    assert!(error.to_string().starts_with("not judged: "), "{error}");
}

/// The names of an error, in the head; another head is no danger.
#[test]
fn names_of_an_error() {
    let one = r#"{"dtype":"U8","shape":[1],"data_offsets":"#;
    let bytes = file(&format!(r#"{{"\u0061":{one}[0,1]}},"b":{one}[1,2]}},"a":{one}[2,3]}}}}"#), 3);
    let error = assay::judge(&bytes, bytes.len() as u64, &Limits::NONE).unwrap_err();
    let why: &Invalid = error.invalid().unwrap();
    assert_eq!((why.rule().id(), why.tensor(), why.other()), ("G2", Some(2), Some(0)));
    assert_eq!((why.tensor_name(), why.other_name()), (Some("a"), Some("a")));
    let shown = format!("{why:?}");
    assert!(shown.starts_with("Invalid { rule: NameTwice, byte: Some("), "{shown}");
    assert!(shown.ends_with("tensor_name: Some(\"a\"), other_name: Some(\"a\"), .. }"), "{shown}");
    assert_eq!(why.other_text(&bytes).unwrap().escaped(), br"\u0061");
    for other in [&b""[..], b"\0\0\0\0\0\0\0\0", b"\x02\0\0\0\0\0\0\0{}", &[0xff; 200], &bytes[..40]] {
        assert_eq!(why.tensor_text(other).map_or(0, |text| text.chars().count()), 0);
    }
    let mut broken = bytes.clone();
    broken[8..].fill(0xff);
    assert!(why.tensor_text(&broken).unwrap().chars().all(|c| c == char::REPLACEMENT_CHARACTER));
}

#[test]
fn all_types_can_go_to_other_threads() {
    fn both<T: Send + Sync>() {}
    both::<View<'_, '_>>();
    both::<Tensor<'_>>();
    both::<Text<'_>>();
    both::<Header>();
    both::<CheckedFile>();
    both::<Memory>();
    both::<Error>();
    both::<Runs<'_>>();
    let bytes = file(TWO, 16);
    let header = parsed(&bytes);
    let view = header.view();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(move || {
                for _ in 0..500 {
                    assert_eq!(view.tensors().map(|tensor| tensor.name().len()).sum::<usize>(), 11);
                    assert!(view.tensor("second").is_some());
                }
            });
        }
    });
    // A header that is moved keeps its view.
    let moved = std::thread::spawn(move || header.view().tensor("second").map(|tensor| tensor.size()));
    assert_eq!(moved.join().unwrap(), Some(12));
}

#[test]
fn errors_are_small() {
    assert!(std::mem::size_of::<Error>() < 128, "{}", std::mem::size_of::<Error>());
}

//! The corpus: verdict, rule, byte and all other fields of corpus/manifest.tsv and options.tsv.
#![cfg(feature = "std")]

use assay::{CheckedFile, Error, Header, Limits, Memory, NotJudged};
use std::collections::HashMap;
use std::path::PathBuf;

fn corpus() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../corpus")
}

/// Return the rows of a table by column.
fn rows(table: &str) -> Vec<HashMap<String, String>> {
    let text = std::fs::read_to_string(corpus().join(table)).expect("read the table");
    let mut lines = text.lines().map(|line| line.split('\t').map(str::to_string).collect::<Vec<_>>());
    let head = lines.next().expect("a head");
    lines.map(|cells| head.iter().cloned().zip(cells).collect()).collect()
}

const COLUMNS: [&str; 8] = ["verdict", "code", "rule", "offset", "tensor", "other", "expected", "found"];

fn wanted(row: &HashMap<String, String>) -> Vec<String> {
    COLUMNS.iter().map(|&column| row[column].clone()).collect()
}

fn cell(number: Option<u64>) -> String {
    number.map_or(String::new(), |number| number.to_string())
}

/// Return the columns of a verdict. The core reports the size of the head as `found` of NEED_MORE; the caller knows it.
fn found(verdict: Result<(), &Error>, head_size: usize) -> Vec<String> {
    let (verdict, code, rule, numbers) = match verdict {
        Ok(()) => ("valid", 0, "", [None; 5]),
        Err(Error::Invalid(why)) => (
            "invalid",
            why.code(),
            why.rule().id(),
            [why.byte(), why.tensor(), why.other(), why.expected(), why.found()],
        ),
        Err(Error::NotJudged(why)) => {
            let numbers = match *why {
                NotJudged::NeedMore { head } => [None, None, None, Some(head), Some(head_size as u64)],
                NotJudged::Limit { allowed, found, byte, tensor, .. } => {
                    [Some(byte), tensor, None, Some(allowed), Some(found)]
                }
                _ => [None; 5],
            };
            ("not judged", why.code().unwrap_or(0), why.id().unwrap_or(""), numbers)
        }
    };
    let mut cells = vec![verdict.to_string(), code.to_string(), rule.to_string()];
    cells.extend(numbers.map(cell));
    cells
}

/// Judge in each way; return the verdict, and check that all agree and that texts are those of the error.
fn judged(head: &[u8], file_size: u64, limits: &Limits, memory: &mut Memory) -> Vec<String> {
    let parsed = Header::parse(head.to_vec(), file_size, limits);
    let verdict = found(parsed.as_ref().map(|_| ()), head.len());
    assert_eq!(found(memory.judge(head, file_size, limits).as_ref().copied(), head.len()), verdict);
    assert_eq!(found(memory.parse(head, file_size, limits).as_ref().map(|_| ()), head.len()), verdict);
    if let Err(error) = &parsed {
        let text = error.to_string();
        let (kind, id) = match error {
            Error::Invalid(why) => ("invalid: rule ", why.rule().id()),
            Error::NotJudged(_) => ("not judged: ", ""),
        };
        assert!(text.starts_with(&format!("{kind}{id}")) && text.is_ascii(), "{text}");
    }
    if let Some(why) = parsed.as_ref().err().and_then(Error::invalid) {
        assert_eq!(why.tensor().is_some(), why.tensor_name().is_some());
        assert_eq!(why.other().is_some(), why.other_name().is_some());
        assert_eq!(why.tensor_text(head).map(|text| text.to_string()).as_deref(), why.tensor_name());
        assert_eq!(why.other_text(head).map(|text| text.to_string()).as_deref(), why.other_name());
        if why.rule() == assay::Rule::NameTwice {
            assert_eq!(why.tensor_name(), why.other_name());
        }
        if let Some(byte) = why.byte() {
            assert!(why.to_string().contains(&format!("at byte {byte}")));
        }
    }
    verdict
}

#[test]
fn manifest() {
    let (mut memory, rows) = (Memory::new(), rows("manifest.tsv"));
    assert!(rows.len() > 1900, "{} rows", rows.len());
    for row in &rows {
        let path = corpus().join(&row["file"]);
        let file = std::fs::read(&path).expect("read the file");
        assert_eq!(judged(&file, file.len() as u64, &Limits::NONE, &mut memory), wanted(row), "{}", row["file"]);
        let opened = CheckedFile::open(&path, &Limits::NONE);
        assert_eq!(found(opened.as_ref().map(|_| ()), 0), wanted(row), "{}", row["file"]);
    }
}

#[test]
fn options() {
    let (mut memory, mut count) = (Memory::new(), 0);
    for row in rows("options.tsv") {
        let file = std::fs::read(corpus().join(&row["file"])).expect("read the file");
        let (mut limits, mut head, mut size, mut possible) = (Limits::NONE, file.len(), file.len() as u64, true);
        for setting in row["options"].split(' ').filter_map(|one| one.split_once('=')) {
            let number: u64 = setting.1.parse().expect("a number");
            match setting.0 {
                "head" => head = number as usize,
                "file_size" => size = number,
                "max_header" => limits.header = Some(number),
                "max_tensors" => limits.tensors = Some(number),
                "max_rank" => limits.rank = Some(number),
                "max_name" => limits.name = Some(number),
                "max_metadata" => limits.metadata = Some(number),
                "api" | "relax" => possible = false, // not with these types
                other => panic!("option {other}"),
            }
        }
        if possible {
            count += 1;
            assert_eq!(judged(&file[..head], size, &limits, &mut memory), wanted(&row), "{row:?}");
        }
    }
    assert!(count >= 25, "{count} rows");
}

/// Every cut of a head: NEED_MORE until it is whole, then the verdict; never another.
#[test]
fn every_cut_of_a_head() {
    let mut memory = Memory::new();
    for row in rows("manifest.tsv") {
        let file = std::fs::read(corpus().join(&row["file"])).expect("read the file");
        let last = found(memory.judge(&file, file.len() as u64, &Limits::NONE).as_ref().copied(), 0);
        for cut in 0..file.len().min(2000) {
            match memory.judge(&file[..cut], file.len() as u64, &Limits::NONE) {
                Err(Error::NotJudged(NotJudged::NeedMore { head })) => {
                    assert!(head > cut as u64 && head <= file.len() as u64, "{} cut at {cut}", row["file"]);
                }
                verdict => assert_eq!(found(verdict.as_ref().copied(), 0), last, "{} cut at {cut}", row["file"]),
            }
        }
    }
}

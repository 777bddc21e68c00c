//! Checks a [safetensors](https://github.com/huggingface/safetensors) file before you load it.
//!
//! A file that assay accepts obeys every rule of the format, so programs that follow the format read the same tensors
//! from it. The parser is a C core that Frama-C proves: no memory error, and a file is accepted exactly if the formal
//! specification calls it valid. This crate compiles the core and gives it types that keep its preconditions.
//!
//! | you have | call | feature |
//! | --- | --- | --- |
//! | a path or an open file | [`CheckedFile::open`], [`CheckedFile::from_file`] | `std` |
//! | a file in memory | [`judge`]; [`gate::deserialize`] for the official crate's type | `alloc`; `safetensors` |
//! | the head (8 + N bytes) and the file size, from a server say | [`Header::parse`], [`Memory::parse`] | `alloc` |
//! | tensors to write | [`save_file`]; [`NewHead::new`] for the head alone | `std`; `alloc` |
//! | a file whose metadata change | [`edit_metadata`] | `std` |
//! | no allocator | [`parse`] with a [`Workspace`] of your own | none |
//!
//! # Verdicts
//!
//! `Ok` means valid. [`Error::Invalid`] means that the file breaks a rule: reject it. [`Error::NotJudged`] means that
//! there is no verdict: too few bytes, a limit of yours, too little memory, a read error. Load nothing without `Ok`.
//!
//! # Features
//!
//! `std` is the default and includes `alloc`. `memmap2` adds [`CheckedFile::map`]; `safetensors` adds [`gate`] for
//! version 0.8 of the official crate, `safetensors07` adds [`gate07`] for 0.7. Without features the crate is `no_std`,
//! allocates nothing, and needs only a C compiler to build.
//!
//! # Threads
//!
//! All types are `Send` and `Sync`: a [`View`] is only read, and the core keeps no state.
//!
//! # What must not change
//!
//! `&[u8]` promises that the bytes don't change. A mapped file that another process can write breaks this promise. So
//! judge a private copy of the head, as [`CheckedFile`] does, and not the mapped bytes.
#![cfg_attr(not(feature = "std"), no_std)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(missing_docs, unsafe_op_in_unsafe_fn, clippy::undocumented_unsafe_blocks)]

#[cfg(feature = "alloc")]
extern crate alloc;

mod dtype;
#[cfg(feature = "std")]
mod edit;
mod error;
#[cfg(feature = "std")]
mod file;
#[cfg(any(feature = "safetensors", feature = "safetensors07"))]
mod gates;
mod judge;
#[cfg(feature = "alloc")]
mod memory;
#[cfg(feature = "std")]
mod save;
mod slice;
mod text;
mod view;
#[cfg(feature = "alloc")]
mod write;

pub use dtype::Dtype;
#[cfg(feature = "std")]
pub use edit::{edit_metadata, EditError, EditErrorKind, Step};
pub use error::{Error, Invalid, Limit, NotJudged, Rule};
#[cfg(feature = "std")]
pub use file::CheckedFile;
#[cfg(feature = "memmap2")]
pub use file::MappedFile;
#[cfg(feature = "safetensors")]
pub use gates::gate;
#[cfg(feature = "safetensors07")]
pub use gates::gate07;
#[cfg(all(feature = "safetensors", feature = "std"))]
pub use gates::Safe;
pub use judge::{bound, measure, parse, validate, Entry, Limits, Need, Workspace};
#[cfg(feature = "alloc")]
pub use memory::{judge, Header, Memory};
#[cfg(feature = "std")]
pub use save::save_file;
pub use slice::{Axis, Run, Runs, SliceError};
pub use text::{Chars, Text};
pub use view::{Dims, Metadata, Tensor, Tensors, View};
#[cfg(feature = "alloc")]
pub use write::{NewHead, NewTensor, WriteError, WriteErrorKind, WriteOptions};

/// The README's examples are tests.
#[cfg(all(doctest, feature = "std", feature = "safetensors"))]
#[doc = include_str!("../README.md")]
struct Readme;

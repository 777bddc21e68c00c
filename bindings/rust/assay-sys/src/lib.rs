//! The C core of [assay](https://crates.io/crates/assay-safetensors), compiled from its one source file, and its
//! declarations. Use the crate `assay-safetensors` unless you need these.
//!
//! `assay.h` and `assay_write.h` document every function, type and field, and what is proved of it; its folder is
//! `DEP_ASSAY_INCLUDE` in the build script of a crate that depends on this one. The core allocates nothing and calls
//! nothing; a compiler may add calls of `memcpy`, `memmove`, `memset` and `memcmp`. The feature `edit` adds
//! `assay_flat_edit.h`, which needs a C library.
//!
//! The declarations are written by hand. The tests compare every struct, field, offset, constant and function with
//! what a C compiler makes of them.
#![no_std]
#![allow(non_camel_case_types)]
#![warn(missing_docs)]

#[cfg(feature = "edit")]
use core::ffi::c_void;
use core::ffi::{c_char, c_int};

/// `ASSAY_OK`: valid. 1 to 31: not judged. From `ASSAY_E_FIRST` on: invalid, the number of the broken rule.
pub type assay_status = u32;

/// The version of the options.
pub const ASSAY_API: u64 = 1;
/// A number that is not set.
pub const ASSAY_NONE: u64 = u64::MAX;

/// The field `offset` of an error is set.
pub const ASSAY_HAS_OFFSET: u64 = 1;
/// The fields `tensor` and `name` of an error are set.
pub const ASSAY_HAS_TENSOR: u64 = 2;
/// The fields `other` and `other_name` of an error are set.
pub const ASSAY_HAS_OTHER: u64 = 4;
/// The field `expected` of an error is set.
pub const ASSAY_HAS_EXPECTED: u64 = 8;
/// The field `found` of an error is set.
pub const ASSAY_HAS_FOUND: u64 = 16;
/// A buffer of this size holds every text of `assay_error_format`.
pub const ASSAY_ERROR_TEXT: u64 = 320;

/// A step that sets the value of a key.
pub const ASSAY_FLAT_STEP_SET: u64 = 0;
/// A step that removes the pair of a key.
pub const ASSAY_FLAT_STEP_DELETE: u64 = 1;
/// A step that gives a pair another key.
pub const ASSAY_FLAT_STEP_RENAME: u64 = 2;
/// A step that removes all pairs.
pub const ASSAY_FLAT_STEP_CLEAR: u64 = 3;
/// The most steps of an edit.
pub const ASSAY_FLAT_STEPS: u64 = 4096;
/// A status of `assay_flat_edit`: a step deletes or renames a key that is not there.
pub const ASSAY_FLAT_NO_KEY: assay_status = 31;
/// The numbers that `assay_flat_edit` sets: the first is the status, ...
pub const ASSAY_FLAT_EDIT_OUT: usize = 24;
/// ... and these: the step that the status is about, ...
pub const ASSAY_FLAT_EDIT_STEP: usize = 21;
/// ... at which byte of the arena the new head is, ...
pub const ASSAY_FLAT_EDIT_HEAD: usize = 22;
/// ... and its bytes.
pub const ASSAY_FLAT_EDIT_HEAD_SIZE: usize = 23;

/// VALID, or done
pub const ASSAY_OK: assay_status = 0;
/// N1 more bytes of the file are needed
pub const ASSAY_NEED_MORE: assay_status = 1;
/// N2 the workspace is too small
pub const ASSAY_WORKSPACE: assay_status = 2;
/// N3 an argument or option is not valid
pub const ASSAY_USAGE: assay_status = 3;
/// N5 the header is longer than the caller allows
pub const ASSAY_LIMIT_HEADER: assay_status = 5;
/// N6 there are more tensors than the caller allows
pub const ASSAY_LIMIT_TENSORS: assay_status = 6;
/// N7 a shape has more dims than the caller allows
pub const ASSAY_LIMIT_RANK: assay_status = 7;
/// N8 a tensor name is longer than the caller allows
pub const ASSAY_LIMIT_NAME: assay_status = 8;
/// N9 there are more metadata pairs than the caller allows
pub const ASSAY_LIMIT_METADATA: assay_status = 9;
/// the first of them
pub const ASSAY_W_FIRST: assay_status = 16;
/// W1 a name, key or value is not well-formed UTF-8
pub const ASSAY_W_UTF8: assay_status = 16;
/// W2 a name, key or value has a NUL character
pub const ASSAY_W_NUL: assay_status = 17;
/// W3 a tensor has the reserved name __metadata__
pub const ASSAY_W_RESERVED: assay_status = 18;
/// W4 two tensors have the same name, or two pairs the same key
pub const ASSAY_W_TWICE: assay_status = 19;
/// W5 a tensor's dtype is unknown, or its size overflows or is no whole number of bytes
pub const ASSAY_W_TENSOR: assay_status = 20;
/// W6 the tensors are too large for one file
pub const ASSAY_W_DATA_LARGE: assay_status = 21;
/// W7 the header would exceed the format's limit
pub const ASSAY_W_HEADER_LARGE: assay_status = 22;
/// W8 the buffer is too small for the head
pub const ASSAY_W_BUFFER: assay_status = 23;
/// W9 the head that was written does not state what was described
pub const ASSAY_W_DIFFERS: assay_status = 24;
/// tensors and pairs in canonical order
pub const ASSAY_ORDER_CANONICAL: u64 = 0;
/// tensors and pairs as they come
pub const ASSAY_ORDER_GIVEN: u64 = 1;
/// the first code that says INVALID
pub const ASSAY_E_FIRST: assay_status = 32;
/// F1 the file is too short to hold a header length
pub const ASSAY_E_FILE_SHORT: assay_status = 32;
/// F2 the header length exceeds the format's limit
pub const ASSAY_E_HEADER_LARGE: assay_status = 33;
/// F3 the header extends past the end of the file
pub const ASSAY_E_HEADER_CUT: assay_status = 34;
/// H1 the header ends before its JSON does
pub const ASSAY_E_HEADER_EARLY: assay_status = 35;
/// H2 the header does not begin with {
pub const ASSAY_E_START: assay_status = 36;
/// H3 a byte that is not allowed here
pub const ASSAY_E_UNEXPECTED: assay_status = 37;
/// H4 something other than spaces follows the JSON object
pub const ASSAY_E_TRAILING: assay_status = 38;
/// H5 a raw control byte in a string
pub const ASSAY_E_CONTROL: assay_status = 39;
/// H6 a string is not well-formed UTF-8
pub const ASSAY_E_UTF8: assay_status = 40;
/// H7 an escape sequence that JSON does not define
pub const ASSAY_E_ESCAPE: assay_status = 41;
/// H8 an unpaired surrogate escape
pub const ASSAY_E_SURROGATE: assay_status = 42;
/// H9 an escaped NUL character
pub const ASSAY_E_NUL: assay_status = 43;
/// H10 a keyword written with escapes
pub const ASSAY_E_KEYWORD_ESCAPED: assay_status = 44;
/// H11 a second __metadata__
pub const ASSAY_E_METADATA_TWICE: assay_status = 45;
/// H12 a tensor has an unknown member
pub const ASSAY_E_MEMBER_UNKNOWN: assay_status = 46;
/// H13 a tensor has the same member twice
pub const ASSAY_E_MEMBER_TWICE: assay_status = 47;
/// H14 a value of the wrong type
pub const ASSAY_E_TYPE: assay_status = 48;
/// H15 a number that is not a plain integer
pub const ASSAY_E_NUMBER_FORM: assay_status = 49;
/// H16 an integer above 2^64 - 1
pub const ASSAY_E_NUMBER_RANGE: assay_status = 50;
/// H17 an unknown dtype
pub const ASSAY_E_DTYPE_UNKNOWN: assay_status = 51;
/// H18 data_offsets does not hold exactly two integers
pub const ASSAY_E_OFFSETS_COUNT: assay_status = 52;
/// H19 a tensor lacks dtype, shape or data_offsets
pub const ASSAY_E_MEMBER_MISSING: assay_status = 53;
/// H20 the tensor is too large for 64-bit arithmetic
pub const ASSAY_E_SHAPE_OVERFLOW: assay_status = 54;
/// H21 the tensor's size is not a whole number of bytes
pub const ASSAY_E_SHAPE_SUBBYTE: assay_status = 55;
/// H22 data_offsets ends before it begins
pub const ASSAY_E_OFFSETS_ORDER: assay_status = 56;
/// H23 data_offsets spans a different size than dtype and shape imply
pub const ASSAY_E_OFFSETS_SIZE: assay_status = 57;
/// G1 two metadata keys are equal
pub const ASSAY_E_METADATA_KEY_TWICE: assay_status = 58;
/// G2 two tensors have the same name
pub const ASSAY_E_NAME_TWICE: assay_status = 59;
/// G3 the data section is too short for the tensors
pub const ASSAY_E_TRUNCATED: assay_status = 60;
/// G4 two tensors share a byte
pub const ASSAY_E_OVERLAP: assay_status = 61;
/// G5 a data byte belongs to no tensor
pub const ASSAY_E_HOLE: assay_status = 62;
/// G6 an empty tensor lies inside another
pub const ASSAY_E_EMPTY_INSIDE: assay_status = 63;
/// 8 bits
pub const ASSAY_DTYPE_BOOL: u64 = 1;
/// 8 bits
pub const ASSAY_DTYPE_U8: u64 = 2;
/// 8 bits
pub const ASSAY_DTYPE_I8: u64 = 3;
/// 8 bits
pub const ASSAY_DTYPE_F8_E5M2: u64 = 4;
/// 8 bits
pub const ASSAY_DTYPE_F8_E4M3: u64 = 5;
/// 8 bits
pub const ASSAY_DTYPE_F8_E8M0: u64 = 6;
/// 8 bits
pub const ASSAY_DTYPE_F8_E4M3FNUZ: u64 = 7;
/// 8 bits
pub const ASSAY_DTYPE_F8_E5M2FNUZ: u64 = 8;
/// 4 bits
pub const ASSAY_DTYPE_F4: u64 = 9;
/// 6 bits
pub const ASSAY_DTYPE_F6_E2M3: u64 = 10;
/// 6 bits
pub const ASSAY_DTYPE_F6_E3M2: u64 = 11;
/// 16 bits
pub const ASSAY_DTYPE_I16: u64 = 12;
/// 16 bits
pub const ASSAY_DTYPE_U16: u64 = 13;
/// 16 bits
pub const ASSAY_DTYPE_F16: u64 = 14;
/// 16 bits
pub const ASSAY_DTYPE_BF16: u64 = 15;
/// 32 bits
pub const ASSAY_DTYPE_I32: u64 = 16;
/// 32 bits
pub const ASSAY_DTYPE_U32: u64 = 17;
/// 32 bits
pub const ASSAY_DTYPE_F32: u64 = 18;
/// 64 bits
pub const ASSAY_DTYPE_I64: u64 = 19;
/// 64 bits
pub const ASSAY_DTYPE_U64: u64 = 20;
/// 64 bits
pub const ASSAY_DTYPE_F64: u64 = 21;
/// 64 bits
pub const ASSAY_DTYPE_C64: u64 = 22;
/// the greatest dtype number
pub const ASSAY_DTYPE_LAST: u64 = 22;

/// The file to judge.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // in assay.h
pub struct assay_input {
    pub head: *const u8,
    pub head_size: u64,
    pub file_size: u64,
}

/// Limits of the caller.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[allow(missing_docs)] // in assay.h
pub struct assay_options {
    pub api: u64,
    pub relax: u64,
    pub max_header: u64,
    pub max_tensors: u64,
    pub max_rank: u64,
    pub max_name: u64,
    pub max_metadata: u64,
}

/// A string of the header, as it is between its quotes: `head[at .. end)`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[allow(missing_docs)] // in assay.h
pub struct assay_text {
    pub at: u64,
    pub end: u64,
}

/// Why a file was not accepted.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[allow(missing_docs)] // in assay.h
pub struct assay_error {
    pub status: u64,
    pub offset: u64,
    pub tensor: u64,
    pub other: u64,
    pub expected: u64,
    pub found: u64,
    pub has: u64,
    pub name: assay_text,
    pub other_name: assay_text,
}

/// A tensor in the workspace. Private to the core.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[allow(missing_docs)] // in assay.h
pub struct assay_entry {
    pub begin: u64,
    pub end: u64,
    pub name: u64,
    pub shape: u64,
}

/// Memory for one judgement and its view.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // in assay.h
pub struct assay_workspace {
    pub entry: *mut assay_entry,
    pub entries: u64,
    pub word: *mut u32,
    pub words: u64,
}

/// What a file needs.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[allow(missing_docs)] // in assay.h
pub struct assay_need {
    pub head: u64,
    pub tensors: u64,
    pub pairs: u64,
    pub entries: u64,
    pub words: u64,
}

/// A valid file. Only the last five members are part of the interface.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // in assay.h
pub struct assay_view {
    pub head: *const u8,
    pub entry: *const assay_entry,
    pub by_name: *const u32,
    pub order: *const u32,
    pub key: *const u32,
    pub by_key: *const u32,
    pub value: *const u32,
    pub tensors: u64,
    pub pairs: u64,
    pub metadata: u64,
    pub data_begin: u64,
    pub data_size: u64,
}

/// What a call has found.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // in assay.h
pub struct assay_result {
    pub error: assay_error,
    pub need: assay_need,
    pub view: assay_view,
}

/// The dims of a shape that are still to be read.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[allow(missing_docs)] // in assay.h
pub struct assay_dims {
    pub at: u64,
    pub left: u64,
}

/// One tensor.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[allow(missing_docs)] // in assay.h
pub struct assay_tensor {
    pub index: u64,
    pub begin: u64,
    pub end: u64,
    pub dtype: u64,
    pub bits: u64,
    pub rank: u64,
    pub name: assay_text,
    pub dims: assay_dims,
}

/// One axis of a slice. The caller sets `start`, `stop` and `step`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[allow(missing_docs)] // in assay.h
pub struct assay_axis {
    pub start: u64,
    pub stop: u64,
    pub step: u64,
    pub dim: u64,
    pub span: u64,
    pub jump: u64,
    pub gone: u64,
}

/// The state of an iteration over a slice. Private to the core.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[allow(missing_docs)] // in assay.h
pub struct assay_slice {
    pub begin: u64,
    pub bits: u64,
    pub axes: u64,
    pub run: u64,
    pub first: u64,
}

/// A contiguous run of a slice.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[allow(missing_docs)] // in assay.h
pub struct assay_run {
    pub byte: u64,
    pub skip: u64,
    pub bits: u64,
}

/// Bytes of the caller.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // in assay_write.h
pub struct assay_chars {
    pub byte: *const u8,
    pub size: u64,
}

/// A tensor of the file that is to be written.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // in assay_write.h
pub struct assay_new_tensor {
    pub name: assay_chars,
    pub dtype: u64,
    pub dim: *const u64,
    pub rank: u64,
}

/// A metadata pair of the file that is to be written.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // in assay_write.h
pub struct assay_new_pair {
    pub key: assay_chars,
    pub value: assay_chars,
}

/// What the file is to hold.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // in assay_write.h
pub struct assay_description {
    pub tensor: *const assay_new_tensor,
    pub tensors: u64,
    pub pair: *const assay_new_pair,
    pub pairs: u64,
}

/// How to write it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[allow(missing_docs)] // in assay_write.h
pub struct assay_write_options {
    pub api: u64,
    pub order: u64,
    pub align: u64,
    pub reserve: u64,
    pub metadata: u64,
}

/// The sizes of the file, in bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // in assay_write.h
pub struct assay_file_plan {
    pub head: u64,
    pub data: u64,
    pub file: u64,
    pub input: assay_input,
}

/// Memory for the head.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // in assay_write.h
pub struct assay_head_buffer {
    pub byte: *mut u8,
    pub size: u64,
}

/// The data of one tensor: where they are in the file.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[allow(missing_docs)] // in assay_write.h
pub struct assay_piece {
    pub next: u64,
    pub tensor: u64,
    pub begin: u64,
    pub end: u64,
}

#[allow(missing_docs)] // in assay.h, assay_write.h and assay_flat_edit.h
extern "C" {
    pub fn assay_bound(header_length: u64, need: *mut assay_need);
    pub fn assay_measure(
        input: *const assay_input,
        options: *const assay_options,
        result: *mut assay_result,
    ) -> assay_status;
    pub fn assay_parse(
        input: *const assay_input,
        options: *const assay_options,
        workspace: *const assay_workspace,
        result: *mut assay_result,
    ) -> assay_status;
    pub fn assay_validate(
        input: *const assay_input,
        options: *const assay_options,
        workspace: *const assay_workspace,
        result: *mut assay_result,
    ) -> assay_status;
    pub fn assay_tensor_count(view: *const assay_view) -> u64;
    pub fn assay_tensor_at(view: *const assay_view, index: u64, tensor: *mut assay_tensor) -> bool;
    pub fn assay_tensor_find(view: *const assay_view, name: *const u8, size: u64, tensor: *mut assay_tensor) -> bool;
    pub fn assay_tensor_dims(view: *const assay_view, tensor: *const assay_tensor, dims: *mut u64, size: u64) -> u64;
    pub fn assay_dim_next(view: *const assay_view, dims: *mut assay_dims, dim: *mut u64) -> bool;
    pub fn assay_tensor_data(tensor: *const assay_tensor, file: *const u8, file_size: u64) -> *const u8;
    pub fn assay_text_next(view: *const assay_view, text: *mut assay_text, code_point: *mut u32) -> bool;
    pub fn assay_text_compare(view: *const assay_view, text: assay_text, bytes: *const u8, size: u64) -> c_int;
    pub fn assay_metadata_count(view: *const assay_view) -> u64;
    pub fn assay_metadata_at(view: *const assay_view, index: u64, key: *mut assay_text, value: *mut assay_text)
        -> bool;
    pub fn assay_metadata_find(view: *const assay_view, key: *const u8, size: u64, value: *mut assay_text) -> bool;
    pub fn assay_slice_begin(
        view: *const assay_view,
        tensor: *const assay_tensor,
        axis: *mut assay_axis,
        axes: u64,
        slice: *mut assay_slice,
    ) -> assay_status;
    pub fn assay_slice_next(slice: *mut assay_slice, axis: *mut assay_axis, run: *mut assay_run) -> bool;

    pub fn assay_version() -> *const c_char;
    pub fn assay_status_name(status: assay_status) -> *const c_char;
    pub fn assay_status_rule(status: assay_status) -> *const c_char;
    pub fn assay_status_text(status: assay_status) -> *const c_char;
    pub fn assay_dtype_name(dtype: u64) -> *const c_char;
    pub fn assay_dtype_parse(name: *const c_char, size: u64) -> u64;
    pub fn assay_error_format(buffer: *mut c_char, size: u64, error: *const assay_error) -> u64;
    pub fn assay_text_utf8(view: *const assay_view, text: assay_text, buffer: *mut c_char, size: u64) -> u64;

    pub fn assay_head_plan(
        what: *const assay_description,
        options: *const assay_write_options,
        order: *mut u32,
        plan: *mut assay_file_plan,
        error: *mut assay_error,
    ) -> assay_status;
    pub fn assay_head_write(
        what: *const assay_description,
        options: *const assay_write_options,
        order: *const u32,
        plan: *const assay_file_plan,
        head: *const assay_head_buffer,
        error: *mut assay_error,
    ) -> assay_status;
    pub fn assay_head_make(
        what: *const assay_description,
        options: *const assay_write_options,
        order: *mut u32,
        head: *const assay_head_buffer,
        workspace: *const assay_workspace,
        plan: *mut assay_file_plan,
        result: *mut assay_result,
    ) -> assay_status;
    pub fn assay_piece_next(
        what: *const assay_description,
        order: *const u32,
        plan: *const assay_file_plan,
        piece: *mut assay_piece,
    ) -> bool;
    pub fn assay_view_matches(view: *const assay_view, what: *const assay_description, order: *const u32) -> bool;
    pub fn assay_same_tensors(one: *const assay_view, other: *const assay_view) -> bool;
    pub fn assay_pairs_kept(
        one: *const assay_view,
        other: *const assay_view,
        text: *const assay_new_pair,
        where_: *const u32,
        key: *const assay_chars,
        keys: u64,
    ) -> bool;

    #[cfg(feature = "edit")]
    pub fn assay_flat_edit_arena(
        head: *const u8,
        head_size: u64,
        text: *const u8,
        text_size: u64,
        number: *const u64,
        numbers: u64,
    ) -> u64;
    #[cfg(feature = "edit")]
    pub fn assay_flat_edit(
        head: *const u8,
        head_size: u64,
        text: *const u8,
        text_size: u64,
        number: *const u64,
        numbers: u64,
        arena: *mut c_void,
        arena_size: u64,
        out: *mut u64,
    ) -> u32;
}

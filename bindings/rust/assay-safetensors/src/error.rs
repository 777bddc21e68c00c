//! Why a file was not accepted.
use crate::judge::Need;
use crate::text::Text;
use assay_sys as sys;
use core::ffi::{c_char, CStr};
use core::fmt;

/// Why a file was not accepted: it is invalid, or there is no verdict. Load it in neither case.
#[derive(Debug)]
pub enum Error {
    /// The file breaks a rule of the format. No call will accept it.
    Invalid(Invalid),
    /// The file was not judged: it is neither valid nor invalid.
    NotJudged(NotJudged),
}

impl Error {
    /// Return the error of a result of the core, whose status is not `ASSAY_OK`.
    pub(crate) fn of(result: &sys::assay_result, head: &[u8]) -> Error {
        let error = &result.error;
        let number = |bit: u64, number: u64| (error.has & bit != 0).then_some(number);
        let limit = |limit: Limit| {
            Error::NotJudged(NotJudged::Limit {
                limit,
                allowed: error.expected,
                found: error.found,
                byte: error.offset,
                tensor: number(sys::ASSAY_HAS_TENSOR, error.tensor),
            })
        };
        match u32::try_from(error.status).unwrap_or(sys::ASSAY_USAGE) {
            sys::ASSAY_NEED_MORE => Error::NotJudged(NotJudged::NeedMore { head: result.need.head }),
            sys::ASSAY_WORKSPACE => Error::NotJudged(NotJudged::Workspace(Need::of(&result.need))),
            sys::ASSAY_LIMIT_HEADER => limit(Limit::Header),
            sys::ASSAY_LIMIT_TENSORS => limit(Limit::Tensors),
            sys::ASSAY_LIMIT_RANK => limit(Limit::Rank),
            sys::ASSAY_LIMIT_NAME => limit(Limit::Name),
            sys::ASSAY_LIMIT_METADATA => limit(Limit::Metadata),
            code => match Rule::from_code(code) {
                Some(rule) => Error::Invalid(Invalid::new(rule, error, head)),
                None => Error::NotJudged(NotJudged::Usage),
            },
        }
    }

    /// Return the broken rule, or `None` if the file was not judged.
    pub fn invalid(&self) -> Option<&Invalid> {
        match self {
            Error::Invalid(invalid) => Some(invalid),
            Error::NotJudged(_) => None,
        }
    }

    /// Return why there is no verdict, or `None` if the file is invalid.
    pub fn not_judged(&self) -> Option<&NotJudged> {
        match self {
            Error::Invalid(_) => None,
            Error::NotJudged(reason) => Some(reason),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Invalid(invalid) => invalid.fmt(f),
            Error::NotJudged(reason) => reason.fmt(f),
        }
    }
}

impl core::error::Error for Error {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Error::Invalid(_) => None,
            Error::NotJudged(reason) => core::error::Error::source(reason),
        }
    }
}

impl From<Invalid> for Error {
    fn from(invalid: Invalid) -> Error {
        Error::Invalid(invalid)
    }
}

impl From<NotJudged> for Error {
    fn from(reason: NotJudged) -> Error {
        Error::NotJudged(reason)
    }
}

/// The rule that a file breaks, and where. `Display` describes it in one line of ASCII, without bytes of the file.
#[derive(Clone, PartialEq, Eq)]
pub struct Invalid {
    rule: Rule,
    has: u8,
    numbers: [u64; 5], // byte, tensor, other, expected, found
    texts: [sys::assay_text; 2],
    #[cfg(feature = "alloc")]
    names: Option<alloc::boxed::Box<[Option<alloc::string::String>; 2]>>,
}

impl Invalid {
    fn new(rule: Rule, error: &sys::assay_error, head: &[u8]) -> Invalid {
        #[cfg(not(feature = "alloc"))]
        let _ = head;
        let mut invalid = Invalid {
            rule,
            has: error.has as u8,
            numbers: [error.offset, error.tensor, error.other, error.expected, error.found],
            texts: [error.name, error.other_name],
            #[cfg(feature = "alloc")]
            names: None,
        };
        #[cfg(feature = "alloc")]
        if invalid.tensor().is_some() || invalid.other().is_some() {
            let owned = |text: Option<Text<'_>>| text.and_then(owned);
            invalid.names =
                Some(alloc::boxed::Box::new([owned(invalid.tensor_text(head)), owned(invalid.other_text(head))]));
        }
        #[cfg(not(feature = "alloc"))]
        let _ = &mut invalid;
        invalid
    }

    fn number(&self, index: usize, bit: u64) -> Option<u64> {
        (u64::from(self.has) & bit != 0).then_some(self.numbers[index])
    }

    fn text<'head>(&self, index: usize, bit: u64, head: &'head [u8]) -> Option<Text<'head>> {
        // An error that has a name is one of a whole head of 8 + N bytes. The caller may pass another head.
        let length = <[u8; 8]>::try_from(head.get(..8)?).map(u64::from_le_bytes).ok()?;
        if !(2..=100_000_000).contains(&length) {
            return None;
        }
        let head = head.get(..8 + length as usize)?;
        (u64::from(self.has) & bit != 0).then_some(Text::new(head, self.texts[index]))
    }

    /// Return the broken rule.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// Return the number of the rule, which never changes: 59 for G2.
    pub fn code(&self) -> u32 {
        self.rule.code()
    }

    /// Return the offset in the file of the byte at which the rule is broken.
    pub fn byte(&self) -> Option<u64> {
        self.number(0, sys::ASSAY_HAS_OFFSET)
    }

    /// Return the index of the tensor in the header.
    pub fn tensor(&self) -> Option<u64> {
        self.number(1, sys::ASSAY_HAS_TENSOR)
    }

    /// Return the index of the other tensor, or of the other metadata pair.
    pub fn other(&self) -> Option<u64> {
        self.number(2, sys::ASSAY_HAS_OTHER)
    }

    /// Return what the rule requires.
    pub fn expected(&self) -> Option<u64> {
        self.number(3, sys::ASSAY_HAS_EXPECTED)
    }

    /// Return what the file has.
    pub fn found(&self) -> Option<u64> {
        self.number(4, sys::ASSAY_HAS_FOUND)
    }

    /// Return the name of the tensor, if there is one and memory for it. It is text from a stranger.
    #[cfg(feature = "alloc")]
    pub fn tensor_name(&self) -> Option<&str> {
        self.names.as_ref()?[0].as_deref()
    }

    /// Return the name of the other tensor, or the metadata key. It is text from a stranger.
    #[cfg(feature = "alloc")]
    pub fn other_name(&self) -> Option<&str> {
        self.names.as_ref()?[1].as_deref()
    }

    /// Return the name of the tensor in the head that was judged.
    pub fn tensor_text<'head>(&self, head: &'head [u8]) -> Option<Text<'head>> {
        self.text(0, sys::ASSAY_HAS_TENSOR, head)
    }

    /// Return the name of the other tensor, or the metadata key, in the head that was judged.
    pub fn other_text<'head>(&self, head: &'head [u8]) -> Option<Text<'head>> {
        self.text(1, sys::ASSAY_HAS_OTHER, head)
    }
}

#[cfg(feature = "alloc")]
fn owned(text: Text<'_>) -> Option<alloc::string::String> {
    let mut name = alloc::string::String::new();
    name.try_reserve_exact(text.escaped().len()).ok()?; // escapes are longer than what they mean
    name.extend(text.chars());
    Some(name)
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [offset, tensor, other, expected, found] = self.numbers;
        let [name, other_name] = self.texts;
        let has = u64::from(self.has);
        let status = u64::from(self.code());
        describe(f, &sys::assay_error { status, offset, tensor, other, expected, found, has, name, other_name })
    }
}

impl fmt::Debug for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fields = f.debug_struct("Invalid");
        fields.field("rule", &self.rule).field("byte", &self.byte());
        fields.field("tensor", &self.tensor()).field("other", &self.other());
        fields.field("expected", &self.expected()).field("found", &self.found());
        #[cfg(feature = "alloc")]
        fields.field("tensor_name", &self.tensor_name()).field("other_name", &self.other_name());
        fields.finish_non_exhaustive()
    }
}

impl core::error::Error for Invalid {}

/// Write the core's text of an error.
fn describe(f: &mut fmt::Formatter<'_>, error: &sys::assay_error) -> fmt::Result {
    let mut text = [0; sys::ASSAY_ERROR_TEXT as usize];
    // SAFETY: the buffer has the size that is stated; the error is valid; they do not overlap.
    let size = unsafe { sys::assay_error_format(text.as_mut_ptr().cast::<c_char>(), text.len() as u64, error) };
    let size = usize::try_from(size).map_or(0, |size| size.min(text.len() - 1));
    f.write_str(core::str::from_utf8(&text[..size]).unwrap_or("not accepted"))
}

/// A limit of [`Limits`](crate::Limits).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Limit {
    /// Header length in bytes.
    Header,
    /// Number of tensors.
    Tensors,
    /// Dims of one shape.
    Rank,
    /// Bytes of one tensor name.
    Name,
    /// Number of metadata pairs.
    Metadata,
}

/// Why there is no verdict.
#[derive(Debug)]
#[non_exhaustive]
pub enum NotJudged {
    /// Provide the first `head` bytes of the file.
    NeedMore {
        /// 8, then 8 + N; never more than the file size.
        head: u64,
    },
    /// The workspace is too small: provide this one.
    Workspace(Need),
    /// The file exceeds a limit of the caller.
    Limit {
        /// Which one.
        limit: Limit,
        /// What the caller allows.
        allowed: u64,
        /// What the file has, as far as it was read.
        found: u64,
        /// The offset in the file at which the limit is exceeded.
        byte: u64,
        /// The index of the tensor in the header.
        tensor: Option<u64>,
    },
    /// The core does not know the options. This crate makes no such call.
    Usage,
    /// There is too little memory.
    #[cfg(feature = "alloc")]
    Memory,
    /// The file cannot be opened or read, or it is no regular file.
    #[cfg(feature = "std")]
    Io(std::io::Error),
}

impl NotJudged {
    /// Return the number of the core's status, which never changes: 1 for N1. `None` if the core was not asked.
    pub fn code(&self) -> Option<u32> {
        Some(match self {
            NotJudged::NeedMore { .. } => sys::ASSAY_NEED_MORE,
            NotJudged::Workspace(_) => sys::ASSAY_WORKSPACE,
            NotJudged::Usage => sys::ASSAY_USAGE,
            NotJudged::Limit { limit, .. } => match limit {
                Limit::Header => sys::ASSAY_LIMIT_HEADER,
                Limit::Tensors => sys::ASSAY_LIMIT_TENSORS,
                Limit::Rank => sys::ASSAY_LIMIT_RANK,
                Limit::Name => sys::ASSAY_LIMIT_NAME,
                Limit::Metadata => sys::ASSAY_LIMIT_METADATA,
            },
            #[cfg(feature = "alloc")]
            NotJudged::Memory => return None,
            #[cfg(feature = "std")]
            NotJudged::Io(_) => return None,
        })
    }

    /// Return the id of the core's status: `"N1"`. `None` if the core was not asked.
    pub fn id(&self) -> Option<&'static str> {
        self.code().map(rule_id)
    }
}

impl fmt::Display for NotJudged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let status = match self {
            #[cfg(feature = "alloc")]
            NotJudged::Memory => return f.write_str("not judged: too little memory"),
            #[cfg(feature = "std")]
            NotJudged::Io(error) => return write!(f, "not judged: {error}"),
            _ => u64::from(self.code().unwrap_or(sys::ASSAY_USAGE)),
        };
        let none = sys::ASSAY_NONE;
        let mut error = sys::assay_error {
            status,
            offset: none,
            tensor: none,
            other: none,
            expected: none,
            found: none,
            has: 0,
            name: sys::assay_text { at: 0, end: 0 },
            other_name: sys::assay_text { at: 0, end: 0 },
        };
        match *self {
            NotJudged::NeedMore { head } => {
                error.expected = head;
                error.has = sys::ASSAY_HAS_EXPECTED;
            }
            NotJudged::Limit { allowed, found, byte, tensor, .. } => {
                error.expected = allowed;
                error.found = found;
                error.offset = byte;
                error.has = sys::ASSAY_HAS_EXPECTED | sys::ASSAY_HAS_FOUND | sys::ASSAY_HAS_OFFSET;
                if let Some(tensor) = tensor {
                    error.tensor = tensor;
                    error.has |= sys::ASSAY_HAS_TENSOR;
                }
            }
            _ => {}
        }
        describe(f, &error)
    }
}

impl core::error::Error for NotJudged {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            #[cfg(feature = "std")]
            NotJudged::Io(error) => Some(error),
            _ => None,
        }
    }
}

#[cfg(feature = "std")]
impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Error {
        Error::NotJudged(NotJudged::Io(error))
    }
}

macro_rules! rules {
    ($($name:ident $code:ident $text:literal,)+) => {
        /// A rule of the format.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        #[repr(u32)]
        pub enum Rule {
            $(#[doc = $text] $name = sys::$code,)+
        }

        impl Rule {
            /// All of them.
            pub const ALL: &'static [Rule] = &[$(Rule::$name,)+];
        }
    };
}

rules! {
    FileShort ASSAY_E_FILE_SHORT "F1 the file is too short to hold a header length",
    HeaderLarge ASSAY_E_HEADER_LARGE "F2 the header length exceeds the format's limit",
    HeaderCut ASSAY_E_HEADER_CUT "F3 the header extends past the end of the file",
    HeaderEarly ASSAY_E_HEADER_EARLY "H1 the header ends before its JSON does",
    Start ASSAY_E_START "H2 the header does not begin with {",
    Unexpected ASSAY_E_UNEXPECTED "H3 a byte that is not allowed here",
    Trailing ASSAY_E_TRAILING "H4 something other than spaces follows the JSON object",
    Control ASSAY_E_CONTROL "H5 a raw control byte in a string",
    Utf8 ASSAY_E_UTF8 "H6 a string is not well-formed UTF-8",
    Escape ASSAY_E_ESCAPE "H7 an escape sequence that JSON does not define",
    Surrogate ASSAY_E_SURROGATE "H8 an unpaired surrogate escape",
    Nul ASSAY_E_NUL "H9 an escaped NUL character",
    KeywordEscaped ASSAY_E_KEYWORD_ESCAPED "H10 a keyword written with escapes",
    MetadataTwice ASSAY_E_METADATA_TWICE "H11 a second __metadata__",
    MemberUnknown ASSAY_E_MEMBER_UNKNOWN "H12 a tensor has an unknown member",
    MemberTwice ASSAY_E_MEMBER_TWICE "H13 a tensor has the same member twice",
    Type ASSAY_E_TYPE "H14 a value of the wrong type",
    NumberForm ASSAY_E_NUMBER_FORM "H15 a number that is not a plain integer",
    NumberRange ASSAY_E_NUMBER_RANGE "H16 an integer above 2^64 - 1",
    DtypeUnknown ASSAY_E_DTYPE_UNKNOWN "H17 an unknown dtype",
    OffsetsCount ASSAY_E_OFFSETS_COUNT "H18 data_offsets does not hold exactly two integers",
    MemberMissing ASSAY_E_MEMBER_MISSING "H19 a tensor lacks dtype, shape or data_offsets",
    ShapeOverflow ASSAY_E_SHAPE_OVERFLOW "H20 the tensor is too large for 64-bit arithmetic",
    ShapeSubbyte ASSAY_E_SHAPE_SUBBYTE "H21 the tensor's size is not a whole number of bytes",
    OffsetsOrder ASSAY_E_OFFSETS_ORDER "H22 data_offsets ends before it begins",
    OffsetsSize ASSAY_E_OFFSETS_SIZE "H23 data_offsets spans a different size than dtype and shape imply",
    MetadataKeyTwice ASSAY_E_METADATA_KEY_TWICE "G1 two metadata keys are equal",
    NameTwice ASSAY_E_NAME_TWICE "G2 two tensors have the same name",
    Truncated ASSAY_E_TRUNCATED "G3 the data section is too short for the tensors",
    Overlap ASSAY_E_OVERLAP "G4 two tensors share a byte",
    Hole ASSAY_E_HOLE "G5 a data byte belongs to no tensor",
    EmptyInside ASSAY_E_EMPTY_INSIDE "G6 an empty tensor lies inside another",
}

impl Rule {
    fn from_code(code: u32) -> Option<Rule> {
        let index = usize::try_from(code.checked_sub(sys::ASSAY_E_FIRST)?).ok()?;
        Rule::ALL.get(index).copied()
    }

    /// Return the number of the rule, which never changes: 59 for G2.
    pub const fn code(self) -> u32 {
        self as u32
    }

    /// Return the id of the rule in the specification: `"G2"`.
    pub fn id(self) -> &'static str {
        rule_id(self.code())
    }

    /// Return the identifier of the rule, which never changes: `"E_NAME_TWICE"`.
    pub fn name(self) -> &'static str {
        // SAFETY: assay_status_name returns a constant that ends with a NUL.
        constant(unsafe { CStr::from_ptr(sys::assay_status_name(self.code())) })
    }

    /// Return the rule as a phrase: `"two tensors have the same name"`. The words may change from version to version.
    pub fn text(self) -> &'static str {
        // SAFETY: assay_status_text returns a constant that ends with a NUL.
        constant(unsafe { CStr::from_ptr(sys::assay_status_text(self.code())) })
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

fn rule_id(code: u32) -> &'static str {
    // SAFETY: assay_status_rule returns a constant that ends with a NUL.
    constant(unsafe { CStr::from_ptr(sys::assay_status_rule(code)) })
}

/// Return a constant of the core, which is ASCII.
fn constant(text: &'static CStr) -> &'static str {
    text.to_str().unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_of_the_core_has_a_variant() {
        for (index, &rule) in Rule::ALL.iter().enumerate() {
            assert_eq!(rule.code(), sys::ASSAY_E_FIRST + index as u32);
            assert_eq!(Rule::from_code(rule.code()), Some(rule));
            assert!(!rule.id().is_empty() && rule.name().starts_with("E_") && !rule.text().is_empty());
        }
        let next = sys::ASSAY_E_FIRST + Rule::ALL.len() as u32;
        assert_eq!(rule_id(next), "", "a rule of the core is missing");
        assert_eq!(Rule::from_code(next), None);
    }
}

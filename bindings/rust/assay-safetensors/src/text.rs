//! Names, metadata keys and values.
use crate::judge::head_view;
use assay_sys as sys;
use core::cmp::Ordering;
use core::fmt::{self, Write};

/// A tensor name, metadata key or value, in the head. It is text from a stranger: it may hold control characters, so
/// print it with care (`{:?}` escapes them).
#[derive(Clone, Copy)]
pub struct Text<'head> {
    head: &'head [u8], // the first 8 + N bytes of the file
    raw: sys::assay_text,
}

impl<'head> Text<'head> {
    pub(crate) fn new(head: &'head [u8], raw: sys::assay_text) -> Text<'head> {
        Text { head, raw }
    }

    /// Return the text as it is between its quotes, with escapes.
    pub fn escaped(&self) -> &'head [u8] {
        let size = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        self.head.get(size(self.raw.at)..size(self.raw.end)).unwrap_or(&[])
    }

    /// Return the text, or `None` if it has escapes. Cost: a scan.
    pub fn as_str(&self) -> Option<&'head str> {
        let bytes = self.escaped();
        if bytes.contains(&b'\\') {
            return None;
        }
        core::str::from_utf8(bytes).ok()
    }

    /// Iterate over the characters, without escapes.
    pub fn chars(&self) -> Chars<'head> {
        Chars { text: *self }
    }

    /// Return the text without escapes: borrowed if it has none.
    #[cfg(feature = "alloc")]
    pub fn to_cow(&self) -> alloc::borrow::Cow<'head, str> {
        match self.as_str() {
            Some(text) => text.into(),
            None => {
                let mut text = alloc::string::String::with_capacity(self.escaped().len()); // escapes are longer
                text.extend(self.chars());
                text.into()
            }
        }
    }
}

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.chars().try_for_each(|c| f.write_char(c))
    }
}

impl fmt::Debug for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        self.chars().flat_map(char::escape_debug).try_for_each(|c| f.write_char(c))?;
        f.write_char('"')
    }
}

impl Ord for Text<'_> {
    /// Compare by code points, without escapes.
    fn cmp(&self, other: &Self) -> Ordering {
        self.chars().cmp(other.chars())
    }
}

impl PartialOrd for Text<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Text<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Text<'_> {}

impl PartialEq<str> for Text<'_> {
    fn eq(&self, other: &str) -> bool {
        self.chars().eq(other.chars())
    }
}

impl PartialEq<&str> for Text<'_> {
    fn eq(&self, other: &&str) -> bool {
        *self == **other
    }
}

/// The characters of a [`Text`], without escapes.
#[derive(Clone, Debug)]
pub struct Chars<'head> {
    text: Text<'head>,
}

impl Iterator for Chars<'_> {
    type Item = char;

    fn next(&mut self) -> Option<char> {
        let mut code_point = 0;
        // SAFETY: the view has the bytes of `head` and no tensors, which suffices for texts; nobody writes `head`. The
        // outputs are valid and apart.
        let more = unsafe { sys::assay_text_next(&head_view(self.text.head), &mut self.text.raw, &mut code_point) };
        more.then(|| char::from_u32(code_point).unwrap_or(char::REPLACEMENT_CHARACTER))
    }
}

impl core::iter::FusedIterator for Chars<'_> {}

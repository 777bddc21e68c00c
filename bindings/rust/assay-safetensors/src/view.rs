//! A valid file: its tensors and its metadata.
use crate::dtype::Dtype;
use crate::judge::head_view;
use crate::slice::{Axis, Runs, SliceError};
use crate::text::Text;
use assay_sys as sys;
use core::fmt;
use core::iter::FusedIterator;
use core::marker::PhantomData;
use core::ops::Range;

/// A valid file. It borrows the head and the workspace, and copies neither.
///
/// It can't outlive them:
///
/// ```compile_fail,E0597
/// let mut memory = assay::Memory::new();
/// let view = {
///     let head = b"\x08\0\0\0\0\0\0\0{}      ".to_vec();
///     memory.parse(&head, 16, &assay::Limits::NONE).unwrap()
/// };
/// assert!(view.is_empty());
/// ```
///
/// The workspace can't be used again while the view lives:
///
/// ```compile_fail,E0499
/// let mut memory = assay::Memory::new();
/// let head = b"\x08\0\0\0\0\0\0\0{}      ".to_vec();
/// let first = memory.parse(&head, 16, &assay::Limits::NONE).unwrap();
/// let second = memory.parse(&head, 16, &assay::Limits::NONE).unwrap();
/// assert_eq!(first.len(), second.len());
/// ```
#[derive(Clone, Copy)]
pub struct View<'head, 'workspace> {
    raw: sys::assay_view,
    head: &'head [u8], // the first 8 + N bytes of the file
    file_size: u64,
    workspace: PhantomData<&'workspace [sys::assay_entry]>,
}

// SAFETY: a view is only read. Its pointers are borrows of the head and the workspace: nobody writes these for 'head
// and 'workspace, and reading them from several threads is fine.
unsafe impl Send for View<'_, '_> {}
// SAFETY: as for Send. The core keeps no state.
unsafe impl Sync for View<'_, '_> {}

impl<'head, 'workspace> View<'head, 'workspace> {
    /// # Safety
    ///
    /// assay_parse has made `raw` from `head` and from a workspace that nobody writes for 'workspace.
    pub(crate) unsafe fn from_raw(raw: sys::assay_view, head: &'head [u8], file_size: u64) -> Self {
        let end = usize::try_from(raw.data_begin).map_or(head.len(), |end| end.min(head.len()));
        View { raw, head: &head[..end], file_size, workspace: PhantomData }
    }

    /// Return the number of tensors.
    pub fn len(&self) -> usize {
        self.raw.tensors as usize // less than 2^24
    }

    /// Return whether there are no tensors.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Return 8 + N: where the header ends and the data section begins.
    pub fn data_begin(&self) -> u64 {
        self.raw.data_begin
    }

    /// Return the bytes of the data section.
    pub fn data_size(&self) -> u64 {
        self.raw.data_size
    }

    /// Return the file size that was judged.
    pub fn file_size(&self) -> u64 {
        self.file_size
    }

    /// Iterate over the tensors in the order of their data. Neighbours in this order are neighbours in the file.
    pub fn tensors(&self) -> Tensors<'head, 'workspace> {
        Tensors { view: *self, range: 0..self.len() }
    }

    /// Return the tensor at this position of the order of the data.
    pub fn tensor_at(&self, index: usize) -> Option<Tensor<'head>> {
        let mut raw = sys::assay_tensor::default();
        // SAFETY: assay_parse has made the view; nobody writes what it points to. The output is valid and apart.
        let found = unsafe { sys::assay_tensor_at(&self.raw, index as u64, &mut raw) };
        found.then_some(Tensor { head: self.head, raw })
    }

    /// Find the tensor of this name, by bisection. There is at most one.
    pub fn tensor(&self, name: &str) -> Option<Tensor<'head>> {
        let mut raw = sys::assay_tensor::default();
        // SAFETY: assay_parse has made the view; nobody writes what it points to. `name` has the size that is stated.
        // The output is valid and apart.
        let found = unsafe { sys::assay_tensor_find(&self.raw, name.as_ptr(), name.len() as u64, &mut raw) };
        found.then_some(Tensor { head: self.head, raw })
    }

    /// Return the metadata, or `None` if the header has no `__metadata__`. It may be empty.
    pub fn metadata(&self) -> Option<Metadata<'head, 'workspace>> {
        (self.raw.metadata == 1).then_some(Metadata { view: *self, range: 0..self.raw.pairs as usize })
    }

    /// Find the metadata value of this key, by bisection. There is at most one.
    pub fn metadata_value(&self, key: &str) -> Option<Text<'head>> {
        let mut value = sys::assay_text::default();
        // SAFETY: assay_parse has made the view; nobody writes what it points to. `key` has the size that is stated.
        // The output is valid and apart.
        let found = unsafe { sys::assay_metadata_find(&self.raw, key.as_ptr(), key.len() as u64, &mut value) };
        found.then_some(Text::new(self.head, value))
    }
}

impl fmt::Debug for View<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("View").field("tensors", &self.len()).field("file_size", &self.file_size).finish_non_exhaustive()
    }
}

impl<'head, 'workspace> IntoIterator for &View<'head, 'workspace> {
    type Item = Tensor<'head>;
    type IntoIter = Tensors<'head, 'workspace>;

    fn into_iter(self) -> Self::IntoIter {
        self.tensors()
    }
}

macro_rules! iterate {
    ($name:ident, $item:ty, $at:ident) => {
        impl<'head> Iterator for $name<'head, '_> {
            type Item = $item;

            fn next(&mut self) -> Option<Self::Item> {
                self.range.next().and_then(|index| $at(&self.view, index))
            }

            fn size_hint(&self) -> (usize, Option<usize>) {
                self.range.size_hint()
            }

            fn nth(&mut self, n: usize) -> Option<Self::Item> {
                self.range.nth(n).and_then(|index| $at(&self.view, index))
            }
        }

        impl DoubleEndedIterator for $name<'_, '_> {
            fn next_back(&mut self) -> Option<Self::Item> {
                self.range.next_back().and_then(|index| $at(&self.view, index))
            }
        }

        impl ExactSizeIterator for $name<'_, '_> {}
        impl FusedIterator for $name<'_, '_> {}
    };
}

/// The tensors of a [`View`], in the order of their data.
#[derive(Clone, Debug)]
pub struct Tensors<'head, 'workspace> {
    view: View<'head, 'workspace>,
    range: Range<usize>,
}

fn tensor_at<'head>(view: &View<'head, '_>, index: usize) -> Option<Tensor<'head>> {
    view.tensor_at(index)
}

iterate!(Tensors, Tensor<'head>, tensor_at);

/// The metadata of a [`View`], key and value, in the order of the header.
#[derive(Clone, Debug)]
pub struct Metadata<'head, 'workspace> {
    view: View<'head, 'workspace>,
    range: Range<usize>,
}

fn pair_at<'head>(view: &View<'head, '_>, index: usize) -> Option<(Text<'head>, Text<'head>)> {
    let (mut key, mut value) = (sys::assay_text::default(), sys::assay_text::default());
    // SAFETY: assay_parse has made the view; nobody writes what it points to. The outputs are valid and apart.
    let found = unsafe { sys::assay_metadata_at(&view.raw, index as u64, &mut key, &mut value) };
    found.then_some((Text::new(view.head, key), Text::new(view.head, value)))
}

iterate!(Metadata, (Text<'head>, Text<'head>), pair_at);

/// One tensor of a valid file. It borrows the head alone.
#[derive(Clone, Copy)]
pub struct Tensor<'head> {
    head: &'head [u8], // the first 8 + N bytes of the file
    raw: sys::assay_tensor,
}

impl<'head> Tensor<'head> {
    /// Return the name without escapes: borrowed if it has none. It is text from a stranger.
    #[cfg(feature = "alloc")]
    pub fn name(&self) -> alloc::borrow::Cow<'head, str> {
        self.text().to_cow()
    }

    /// Return the name as it is in the head.
    pub fn text(&self) -> Text<'head> {
        Text::new(self.head, self.raw.name)
    }

    /// Return the index in the header.
    pub fn index(&self) -> usize {
        self.raw.index as usize // less than 2^24
    }

    /// Return the type of the elements.
    pub fn dtype(&self) -> Dtype {
        // A view has no other dtypes (rule H17), and ALL has as many as the core (dtype.rs).
        Dtype::from_code(self.raw.dtype).expect("the dtype of a valid file")
    }

    /// Return the number of dims: 0 for a scalar.
    pub fn rank(&self) -> usize {
        self.raw.rank as usize // less than 2^27
    }

    /// Iterate over the dims, in elements, outermost first.
    pub fn dims(&self) -> Dims<'head> {
        Dims { head: self.head, raw: self.raw.dims }
    }

    /// Return the tensor's bytes as offsets in the file.
    pub fn range(&self) -> Range<u64> {
        self.raw.begin..self.raw.end
    }

    /// Return the number of the tensor's bytes.
    pub fn size(&self) -> u64 {
        self.raw.end - self.raw.begin
    }

    /// Return the tensor's bytes in `file`, the whole file: little-endian elements in row-major order. `None` if the
    /// file is shorter than the one that was judged. The format promises no alignment.
    pub fn bytes<'file>(&self, file: &'file [u8]) -> Option<&'file [u8]> {
        file.get(usize::try_from(self.raw.begin).ok()?..usize::try_from(self.raw.end).ok()?)
    }

    /// Begin a slice: start, stop and step on each axis, as basic slicing in NumPy. It is read as contiguous runs:
    /// whole rows are a single one.
    ///
    /// # Errors
    ///
    /// [`SliceError`]: the axes do not fit the shape.
    pub fn slice<'axes>(&self, axes: &'axes mut [Axis]) -> Result<Runs<'axes>, SliceError> {
        Runs::begin(self.head, &self.raw, axes)
    }
}

impl fmt::Debug for Tensor<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        struct List<'head>(Dims<'head>);
        impl fmt::Debug for List<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_list().entries(self.0.clone()).finish()
            }
        }
        f.debug_struct("Tensor")
            .field("name", &self.text())
            .field("dtype", &self.dtype())
            .field("dims", &List(self.dims()))
            .field("range", &self.range())
            .finish()
    }
}

/// The dims of a [`Tensor`], in elements, outermost first.
#[derive(Clone, Debug)]
pub struct Dims<'head> {
    head: &'head [u8],
    raw: sys::assay_dims,
}

impl Iterator for Dims<'_> {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let mut dim = 0;
        // SAFETY: the view has the bytes of `head` and no tensors, which suffices for dims; nobody writes `head`. The
        // outputs are valid and apart.
        let more = unsafe { sys::assay_dim_next(&head_view(self.head), &mut self.raw, &mut dim) };
        more.then_some(dim)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.raw.left as usize, Some(self.raw.left as usize)) // less than 2^27
    }
}

impl ExactSizeIterator for Dims<'_> {}
impl FusedIterator for Dims<'_> {}

//! Slices: start, stop and step on each axis, as contiguous runs.
use crate::judge::head_view;
use assay_sys as sys;
use core::fmt;
use core::ops::Range;

/// One axis of a slice: the elements `start`, `start + step`, ... below `stop`.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Axis(sys::assay_axis);

impl Axis {
    /// Take every element from `start` to `stop`, exclusive.
    pub const fn new(start: u64, stop: u64) -> Axis {
        Axis(sys::assay_axis { start, stop, step: 1, dim: 0, span: 0, jump: 0, gone: 0 })
    }

    /// Take only every `step`-th element.
    pub const fn step(mut self, step: u64) -> Axis {
        self.0.step = step;
        self
    }
}

impl From<Range<u64>> for Axis {
    fn from(range: Range<u64>) -> Axis {
        Axis::new(range.start, range.end)
    }
}

/// The axes do not fit the tensor: their number is not the rank, or on one of them not start <= stop <= dim and
/// step >= 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SliceError;

impl fmt::Display for SliceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the slice does not fit the shape: give each dim an axis with start <= stop <= dim and step >= 1")
    }
}

impl core::error::Error for SliceError {}

/// A contiguous run of a slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Run {
    /// Offset in the file of the byte that holds the first bit.
    pub byte: u64,
    /// Bits of that byte before the run: 0 unless the dtype is narrower than a byte.
    pub skip: u64,
    /// Length of the run.
    pub bits: u64,
}

impl Run {
    /// Return the run's bytes in `file`, the whole file. `None` if the file is shorter, or the run is no whole number
    /// of bytes.
    pub fn bytes<'file>(&self, file: &'file [u8]) -> Option<&'file [u8]> {
        if self.skip != 0 || self.bits % 8 != 0 {
            return None;
        }
        let begin = usize::try_from(self.byte).ok()?;
        let end = begin.checked_add(usize::try_from(self.bits / 8).ok()?)?;
        file.get(begin..end)
    }
}

/// The runs of a slice, in the order of its elements. All have the same length.
#[derive(Debug)]
pub struct Runs<'axes> {
    slice: sys::assay_slice,
    axes: &'axes mut [Axis],
}

impl<'axes> Runs<'axes> {
    pub(crate) fn begin(
        head: &[u8],
        tensor: &sys::assay_tensor,
        axes: &'axes mut [Axis],
    ) -> Result<Runs<'axes>, SliceError> {
        let mut slice = sys::assay_slice::default();
        // SAFETY: the view has the bytes of `head` and no tensors, which suffices for slices; nobody writes `head`.
        // Axis is laid out as assay_axis, and `axes` is borrowed exclusively. The outputs are valid and apart.
        let status = unsafe {
            let axis = axes.as_mut_ptr().cast::<sys::assay_axis>();
            sys::assay_slice_begin(&head_view(head), tensor, axis, axes.len() as u64, &mut slice)
        };
        match status {
            sys::ASSAY_OK => Ok(Runs { slice, axes }),
            _ => Err(SliceError),
        }
    }
}

impl Iterator for Runs<'_> {
    type Item = Run;

    fn next(&mut self) -> Option<Run> {
        let mut run = sys::assay_run::default();
        // SAFETY: slice.axes is not above the length of `axes`: assay_slice_begin has set it, and nothing else writes
        // it. Axis is laid out as assay_axis, and `axes` is borrowed exclusively. The outputs are valid and apart.
        let more = unsafe {
            let axis = self.axes.as_mut_ptr().cast::<sys::assay_axis>();
            sys::assay_slice_next(&mut self.slice, axis, &mut run)
        };
        more.then_some(Run { byte: run.byte, skip: run.skip, bits: run.bits })
    }
}

impl core::iter::FusedIterator for Runs<'_> {}

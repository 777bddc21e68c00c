package assay

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"sync"
)

// File is a valid file: its tensors and its metadata. It keeps no part of the header.
type File struct {
	report Report
	table  *table
	byName func() map[string]int
	closer io.Closer
}

// Open judges a file, and returns its tensors. It reads only the header; later calls read the data from r. The error is
// an *InvalidError or a *NotJudgedError.
func Open(r io.ReaderAt, size int64, o *Options) (*File, error) {
	return OpenContext(context.Background(), r, size, o)
}

// OpenContext is Open with a context for the judgement.
func OpenContext(ctx context.Context, r io.ReaderAt, size int64, o *Options) (*File, error) {
	return open(ctx, "", r, size, o, nil)
}

// OpenFile is Open with a path. The file stays open until Close.
func OpenFile(path string, o *Options) (*File, error) {
	f, size, err := openRegular(path)
	if err != nil {
		_, err = notJudged(path, -1, err)
		return nil, err
	}
	file, err := open(context.Background(), path, f, size, o, f)
	if err != nil {
		f.Close()
	}
	return file, err
}

func open(ctx context.Context, path string, r io.ReaderAt, size int64, o *Options, closer io.Closer) (*File, error) {
	report, found, err := judgeReader(ctx, path, r, size, o, true)
	if err != nil {
		return nil, err
	}
	f := &File{report: report, table: found, closer: closer}
	source := &judgedReader{r: r, size: size}
	for k := range found.tensors {
		found.tensors[k].source = source
	}
	f.byName = sync.OnceValue(func() map[string]int {
		index := make(map[string]int, len(found.tensors))
		for k := range found.tensors {
			index[found.tensors[k].Name] = k
		}
		return index
	})
	return f, nil
}

// Close closes a file of OpenFile or OpenURL. Of a file of Open it does nothing: close the reader.
func (f *File) Close() error {
	if f.closer == nil {
		return nil
	}
	return f.closer.Close()
}

// Report returns the report of the judgement.
func (f *File) Report() Report { return f.report }

// Len returns the number of tensors.
func (f *File) Len() int { return len(f.table.tensors) }

// Tensors returns an iterator over all tensors, in the order of their bytes in the file. A tensor's Index is its
// position in the header.
func (f *File) Tensors() iter.Seq[*Tensor] {
	return func(yield func(*Tensor) bool) {
		for k := range f.table.tensors {
			if !yield(&f.table.tensors[k]) {
				return
			}
		}
	}
}

// Tensor returns the tensor with this name, or nil: then Bytes, Runs and ReadSlice return ErrNoTensor.
func (f *File) Tensor(name string) *Tensor {
	if k, ok := f.byName()[name]; ok {
		return &f.table.tensors[k]
	}
	return nil
}

// Metadata returns a copy of the metadata; nil if the header has no __metadata__.
func (f *File) Metadata() map[string]string { return maps.Clone(f.table.metadata) }

// ErrNoTensor is the error of reading a tensor that File.Tensor has not found.
var ErrNoTensor = errors.New("assay: the file has no tensor of that name")

// Tensor is a tensor of a valid file. Do not change its fields.
type Tensor struct {
	Name  string // text from a stranger: %q prints it without control characters
	DType DType
	Bits  int      // of one element
	Shape []uint64 // in elements, outermost first; empty for a scalar
	Begin int64    // its bytes in the file: from Begin
	End   int64    // to the one before End
	Index int      // in the header

	source *judgedReader
}

// Size returns the number of its bytes.
func (t *Tensor) Size() int64 { return t.End - t.Begin }

// Data returns a reader of its bytes: little-endian elements in row-major order. If the file has become shorter since
// it was judged, reading fails; it never ends early.
func (t *Tensor) Data() *io.SectionReader { return io.NewSectionReader(t.source, t.Begin, t.Size()) }

// Bytes reads all of its bytes.
func (t *Tensor) Bytes() ([]byte, error) {
	if t == nil {
		return nil, ErrNoTensor
	}
	return t.source.read(nil, t.Begin, uint64(t.Size()))
}

func (t *Tensor) String() string { return fmt.Sprintf("%q %s %v", t.Name, t.DType, t.Shape) }

// judgedReader reads a file that had this size when it was judged.
type judgedReader struct {
	r    io.ReaderAt
	size int64
}

// ReadAt reads as io.ReaderAt does, up to the size of the file. A file that ends earlier is an error other than io.EOF.
func (j *judgedReader) ReadAt(p []byte, off int64) (int, error) {
	if j == nil || off < 0 {
		return 0, errors.New("assay: a negative offset, or a tensor of no file")
	}
	if off >= j.size {
		return 0, io.EOF
	}
	short := int64(len(p)) > j.size-off
	if short {
		p = p[:j.size-off]
	}
	if err := readFull(context.Background(), j.r, p, off); err != nil {
		return 0, fmt.Errorf("assay: bytes %d to %d can't be read: %w", off, off+int64(len(p)), err)
	}
	if short {
		return len(p), io.EOF
	}
	return len(p), nil
}

// read appends bytes of the file. The memory for them grows with what is read.
func (j *judgedReader) read(to []byte, off int64, count uint64) ([]byte, error) {
	for count > 0 {
		part, begin := min(count, max(1<<20, uint64(len(to)))), len(to)
		to = append(to, make([]byte, part)...)
		if _, err := j.ReadAt(to[begin:], off); err != nil {
			return nil, err
		}
		off, count = off+int64(part), count-part
	}
	return to, nil
}

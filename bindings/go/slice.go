package assay

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"strconv"
)

// ErrSlice is the error of axes that a tensor does not have.
var ErrSlice = errors.New("assay: not a slice of this tensor: each axis needs start <= stop <= dim, " +
	"and a step of at least 1")

// Axis is a range of indices of one axis: Start, Start + Step and so on, below Stop. A Step of 0 counts as 1.
type Axis struct{ Start, Stop, Step uint64 }

// Run is a part of a slice that is contiguous in the file: Bits bits, from the byte at Offset on, without its first
// Skip bits. Skip is 0, and Bits a multiple of 8, unless the dtype is narrower than a byte.
type Run struct {
	Offset int64
	Skip   uint64
	Bits   uint64
}

// Runs returns an iterator over the runs of a slice, in the order of its elements. Axes that are left out are whole.
// After an error it ends.
func (t *Tensor) Runs(axes ...Axis) iter.Seq2[Run, error] {
	return func(yield func(Run, error) bool) {
		if t == nil {
			yield(Run{}, ErrNoTensor)
			return
		}
		if len(axes) > len(t.Shape) {
			yield(Run{}, fmt.Errorf("%w (%d axes of %d)", ErrSlice, len(axes), len(t.Shape)))
			return
		}
		// The module is not kept between two batches: whoever receives them may take as long as they like.
		var state []byte
		for more := true; more; {
			var runs []uint64
			err := withModule(context.Background(), func(m *module) (err error) {
				if state == nil {
					if state, err = m.sliceBegin(t, axes); err != nil || state == nil {
						return err
					}
				}
				runs, err = m.sliceNext(state)
				return err
			})
			if err == nil && state == nil {
				err = ErrSlice
			}
			if err != nil {
				yield(Run{}, err)
				return
			}
			for k := 0; k < len(runs); k += 3 {
				if !yield(Run{int64(runs[k]), runs[k+1], runs[k+2]}, nil) {
					return
				}
			}
			more = uint64(len(runs)) == 3*runsAtOnce
		}
	}
}

// ReadSlice reads the elements of a slice, and only these. Axes that are left out are whole. A slice that does not
// begin and end at bytes is an error: use Runs.
func (t *Tensor) ReadSlice(axes ...Axis) ([]byte, error) {
	data := []byte{}
	for run, err := range t.Runs(axes...) {
		if err != nil {
			return nil, err
		}
		if run.Skip != 0 || run.Bits%8 != 0 {
			return nil, fmt.Errorf("assay: a slice of %s does not begin and end at bytes: use Runs", t.DType)
		}
		if data, err = t.source.read(data, run.Offset, run.Bits/8); err != nil {
			return nil, err
		}
	}
	return data, nil
}

// sliceBegin returns the state of a slice; nil if the tensor has no such slice.
//
// The core computes it from a header, which is gone. So it gets one with this tensor alone, as long as this one is; the
// runs are shifted to the tensor's offset.
func (m *module) sliceBegin(t *Tensor, axes []Axis) ([]byte, error) {
	header := []byte(`{"":{"dtype":"` + string(t.DType) + `","shape":[`)
	for k, dim := range t.Shape {
		if k > 0 {
			header = append(header, ',')
		}
		header = strconv.AppendUint(header, dim, 10)
	}
	size := uint64(t.Size())
	header = append(header, `],"data_offsets":[0,`...)
	header = append(strconv.AppendUint(header, size, 10), "]}}"...)
	head := make([]byte, 8, 8+len(header))
	binary.LittleEndian.PutUint64(head, uint64(len(header)))
	head = append(head, header...)
	headSize := uint64(len(head))
	status, err := m.judge(head, headSize+size, (*Options)(nil).limits())
	if err != nil {
		return nil, err
	}
	if status != statusOK {
		return nil, fmt.Errorf("assay: the fields of tensor %q were changed", t.Name)
	}
	rank := uint64(len(t.Shape))
	row := m.scratch
	axisAt := row + 8*rowSize
	stateAt := aligned(axisAt + 24*rank)
	stateSize := sliceState + sliceAxis*rank
	if err := m.reserve(stateAt + stateSize); err != nil {
		return nil, err
	}
	if n, err := m.view("assay_flat_tensors", headSize, 0, 1, row); err != nil || n != 1 {
		return nil, errors.Join(err, errArena)
	}
	for k, dim := range t.Shape {
		axis := Axis{0, dim, 1}
		if k < len(axes) {
			axis = axes[k]
			axis.Step = max(axis.Step, 1)
		}
		if err := m.store(axisAt+24*uint64(k), axis.Start, axis.Stop, axis.Step); err != nil {
			return nil, err
		}
	}
	// The tensor begins at its own offset: the row is the caller's, and says so.
	if err := m.store(row+8*rowBegin, uint64(t.Begin), uint64(t.End)); err != nil {
		return nil, err
	}
	status, err = m.view("assay_flat_slice_begin", headSize, row, axisAt, rank, stateAt, stateSize)
	if err != nil || uint32(status) != statusOK {
		return nil, err
	}
	state, err := m.bytes(stateAt, stateSize)
	return append([]byte{}, state...), err
}

// sliceNext returns the numbers of the next runs, and moves the state past them.
func (m *module) sliceNext(state []byte) ([]uint64, error) {
	at, size := m.heap, uint64(len(state))
	to := aligned(at + size)
	if err := m.reserve(to + 24*runsAtOnce); err != nil {
		return nil, err
	}
	data, err := m.bytes(at, size)
	if err != nil {
		return nil, err
	}
	copy(data, state)
	count, err := m.call("assay_flat_slice_next", at, size, runsAtOnce, to)
	if err != nil || count > runsAtOnce {
		return nil, errors.Join(err, errArena)
	}
	copy(state, data)
	runs := make([]uint64, 3*count)
	return runs, m.numbers(to, runs)
}

package assay

import "errors"

// DType is the name of the type of a tensor's elements.
type DType string

// The dtypes of the format.
const (
	BOOL        DType = "BOOL"
	U8          DType = "U8"
	I8          DType = "I8"
	F8_E5M2     DType = "F8_E5M2"
	F8_E4M3     DType = "F8_E4M3"
	F8_E8M0     DType = "F8_E8M0"
	F8_E4M3FNUZ DType = "F8_E4M3FNUZ"
	F8_E5M2FNUZ DType = "F8_E5M2FNUZ"
	F4          DType = "F4"
	F6_E2M3     DType = "F6_E2M3"
	F6_E3M2     DType = "F6_E3M2"
	I16         DType = "I16"
	U16         DType = "U16"
	F16         DType = "F16"
	BF16        DType = "BF16"
	I32         DType = "I32"
	U32         DType = "U32"
	F32         DType = "F32"
	I64         DType = "I64"
	U64         DType = "U64"
	F64         DType = "F64"
	C64         DType = "C64"
)

// table is what a valid header contains.
type table struct {
	tensors  []Tensor // in the order of their bytes
	metadata map[string]string
}

var errArena = errors.New("assay.wasm: the tables have changed")

// view calls a function that reads the view of the last file.
func (m *module) view(name string, headSize uint64, arguments ...uint64) (uint64, error) {
	return m.call(name, append([]uint64{m.headAt(), headSize, m.arena, m.arenaSize}, arguments...)...)
}

// table copies what the header of the last file contains.
func (m *module) table(headSize int) (*table, error) {
	count, size := m.out[outTensors], uint64(headSize)
	t := &table{tensors: make([]Tensor, count)}
	for first := uint64(0); first < count; first += rowsAtOnce {
		if err := m.rows(size, first, t.tensors[first:min(first+rowsAtOnce, count)]); err != nil {
			return nil, err
		}
	}
	if m.out[outMetadata] == 0 {
		return t, nil
	}
	count = m.out[outPairs]
	t.metadata = make(map[string]string, count)
	for first := uint64(0); first < count; first += pairsAtOnce {
		if err := m.pairs(size, first, min(pairsAtOnce, count-first), t.metadata); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// rows copies tensors, from the one with this index on, in the order of their bytes.
func (m *module) rows(headSize, first uint64, tensors []Tensor) error {
	count := uint64(len(tensors))
	used := 8 * rowSize * count
	if err := m.reserve(m.scratch + used); err != nil {
		return err
	}
	if n, err := m.view("assay_flat_tensors", headSize, first, count, m.scratch); err != nil || n != count {
		return errors.Join(err, errArena)
	}
	row := make([]uint64, rowSize*count)
	if err := m.numbers(m.scratch, row); err != nil {
		return err
	}
	names, err := m.texts(headSize, m.scratch+8*rowName, rowSize, count, used)
	if err != nil {
		return err
	}
	total := uint64(0)
	for k := range tensors {
		total += row[rowSize*k+rowRank]
	}
	dims, err := m.dims(headSize, count, used, total)
	if err != nil {
		return err
	}
	for k := range tensors {
		one := row[rowSize*k : rowSize*(k+1)]
		if one[rowDType] >= uint64(len(m.engine.dtypes)) || one[rowRank] > uint64(len(dims)) {
			return errArena
		}
		tensors[k] = Tensor{Name: names[k], DType: m.engine.dtypes[one[rowDType]], Bits: int(one[rowBits]),
			Shape: dims[:one[rowRank]:one[rowRank]], Begin: int64(one[rowBegin]), End: int64(one[rowEnd]),
			Index: int(one[rowIndex])}
		dims = dims[one[rowRank]:]
	}
	return nil
}

// dims copies the dims of the rows that begin at scratch.
func (m *module) dims(headSize, count, used, total uint64) ([]uint64, error) {
	at := aligned(m.scratch + used)
	if total > headSize {
		return nil, errArena
	}
	if err := m.reserve(at + 8*total); err != nil {
		return nil, err
	}
	if n, err := m.view("assay_flat_dims", headSize, m.scratch, count, at, total); err != nil || n != total {
		return nil, errors.Join(err, errArena)
	}
	dims := make([]uint64, total)
	return dims, m.numbers(at, dims)
}

// pairs adds metadata pairs to a map.
func (m *module) pairs(headSize, first, count uint64, to map[string]string) error {
	used := 8 * pairSize * count
	if err := m.reserve(m.scratch + used); err != nil {
		return err
	}
	if n, err := m.view("assay_flat_pairs", headSize, first, count, m.scratch); err != nil || n != count {
		return errors.Join(err, errArena)
	}
	keys, err := m.texts(headSize, m.scratch, pairSize, count, used)
	if err != nil {
		return err
	}
	values, err := m.texts(headSize, m.scratch+16, pairSize, count, used)
	if err != nil {
		return err
	}
	for k, key := range keys {
		to[key] = values[k]
	}
	return nil
}

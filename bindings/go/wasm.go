package assay

import (
	"context"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// The core and its flat interface, include/assay_flat.h, as WebAssembly. It imports nothing and allocates nothing: this
// file lays out its memory.
//
//go:embed assay.wasm
var wasm []byte

const (
	flatAPI   = 1
	pageSize  = 65536
	pagesMost = 16384   // of the memory of a module: 1 GiB
	keptMost  = 4 << 20 // bytes of memory: a module that has grown further is not kept for the next file
	statusOK  = 0
	firstRule = 32
	wordMost  = 4096 // bytes for a word of the library
)

// The numbers of assay_flat.h.
const (
	outStatus, outOffset, outTensor, outOther           = 0, 1, 2, 3
	outExpected, outFound, outHas                       = 4, 5, 6
	outName, outOtherName, outNeedHead                  = 7, 9, 11
	outTensors, outPairs, outArena                      = 12, 13, 14
	outMetadata, outSize                                = 18, 21
	hasOffset, hasTensor, hasOther                      = 1, 2, 4
	hasExpected, hasFound                               = 8, 16
	rowIndex, rowBegin, rowEnd, rowDType                = 0, 1, 2, 3
	rowBits, rowRank, rowName, rowSize                  = 4, 5, 6, 9
	pairSize                                            = 4
	wordStatus, wordRule, wordMeaning, wordDType        = 0, 1, 2, 3
	sliceState, sliceAxis                               = 40, 56
	rowsAtOnce, pairsAtOnce, runsAtOnce          uint64 = 1024, 4096, 256
)

// engine has the compiled module, and instances of it that wait for the next file.
type engine struct {
	runtime  wazero.Runtime
	compiled wazero.CompiledModule
	running  chan struct{} // as many as may run at a time
	mutex    sync.Mutex
	idle     []*module
	dtypes   []DType
}

// theEngine compiles the module, once.
var theEngine = sync.OnceValues(func() (*engine, error) {
	ctx := context.Background()
	config := wazero.NewRuntimeConfig().WithMemoryLimitPages(pagesMost)
	e := &engine{runtime: wazero.NewRuntimeWithConfig(ctx, config), running: make(chan struct{}, runtime.GOMAXPROCS(0))}
	compiled, err := e.runtime.CompileModule(ctx, wasm)
	if err != nil {
		return nil, fmt.Errorf("assay.wasm can't be compiled: %w", err)
	}
	e.compiled = compiled
	m, err := e.instance()
	if err != nil {
		return nil, err
	}
	if got, err := m.call("assay_flat_api"); err != nil || got != flatAPI {
		return nil, fmt.Errorf("assay.wasm has interface %d in place of %d: %v", got, flatAPI, err)
	}
	for number := uint64(0); ; number++ {
		name, err := m.word(wordDType, number)
		if err != nil {
			return nil, err
		}
		if name == "" && number > 0 {
			break
		}
		e.dtypes = append(e.dtypes, DType(name))
	}
	e.idle = append(e.idle, m)
	return e, nil
})

// withModule calls f with a module that nobody else uses. A module that fails is not used again. While the core runs it
// is not interrupted, which would make it four times slower; the context counts before and after.
func withModule(ctx context.Context, f func(*module) error) error {
	e, err := theEngine()
	if err != nil {
		return err
	}
	select {
	case e.running <- struct{}{}:
		defer func() { <-e.running }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	m, err := e.take()
	if err != nil {
		return err
	}
	good := false
	defer func() { e.put(m, good) }()
	err = f(m)
	good = err == nil
	return errors.Join(err, ctx.Err())
}

// take returns a module that is idle, or a new one.
func (e *engine) take() (*module, error) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if last := len(e.idle) - 1; last >= 0 {
		m := e.idle[last]
		e.idle = e.idle[:last]
		return m, nil
	}
	return e.instance()
}

func (e *engine) put(m *module, good bool) {
	if !good || m.memory.Size() > keptMost {
		m.instance.Close(context.Background())
		return
	}
	e.mutex.Lock()
	defer e.mutex.Unlock()
	e.idle = append(e.idle, m) // no more than have run at a time
}

func (e *engine) instance() (*module, error) {
	ctx := context.Background()
	instance, err := e.runtime.InstantiateModule(ctx, e.compiled,
		wazero.NewModuleConfig().WithName("").WithStartFunctions())
	if err != nil {
		return nil, fmt.Errorf("assay.wasm can't be started: %w", err)
	}
	m := &module{engine: e, instance: instance, memory: instance.Memory(), functions: map[string]api.Function{}}
	heap := instance.ExportedGlobal("__heap_base")
	if m.memory == nil || heap == nil {
		return nil, errors.New("assay.wasm has no memory")
	}
	m.heap = (heap.Get() + 15) &^ 15
	return m, nil
}

// module is an instance of the core. Its memory is: the module's own up to heap; numbers that the core writes; the
// limits; the head; the arena; from scratch on, what is needed for a moment.
type module struct {
	engine    *engine
	instance  api.Module
	memory    api.Memory
	functions map[string]api.Function
	stack     [16]uint64
	heap      uint64
	arena     uint64
	arenaSize uint64
	scratch   uint64
	out       [outSize]uint64
}

func (m *module) outAt() uint64    { return m.heap }
func (m *module) limitsAt() uint64 { return m.heap + 8*outSize }
func (m *module) headAt() uint64   { return m.heap + 8*outSize + 8*5 + 8 }

func aligned(n uint64) uint64 { return (n + 15) &^ 15 }

// call calls a function of the core.
func (m *module) call(name string, arguments ...uint64) (uint64, error) {
	f := m.functions[name]
	if f == nil {
		if f = m.instance.ExportedFunction(name); f == nil {
			return 0, fmt.Errorf("assay.wasm has no function %s", name)
		}
		m.functions[name] = f
	}
	copy(m.stack[:], arguments)
	if err := f.CallWithStack(context.Background(), m.stack[:]); err != nil {
		return 0, fmt.Errorf("%s: %w", name, err)
	}
	return m.stack[0], nil
}

// reserve makes the memory end at byte end or after it.
func (m *module) reserve(end uint64) error {
	if size := uint64(m.memory.Size()); end > size {
		if end > pagesMost*pageSize {
			return fmt.Errorf("the header needs more than %d MiB of memory", pagesMost*pageSize>>20)
		}
		if _, ok := m.memory.Grow(uint32((end - size + pageSize - 1) / pageSize)); !ok {
			return errors.New("there is too little memory")
		}
	}
	return nil
}

// bytes returns a part of the memory, until it grows.
func (m *module) bytes(at, size uint64) ([]byte, error) {
	if at+size > pagesMost*pageSize {
		return nil, errors.New("assay.wasm: an address is out of range")
	}
	data, ok := m.memory.Read(uint32(at), uint32(size))
	if !ok {
		return nil, errors.New("assay.wasm: an address is out of range")
	}
	return data, nil
}

// numbers copies numbers from the memory.
func (m *module) numbers(at uint64, numbers []uint64) error {
	data, err := m.bytes(at, 8*uint64(len(numbers)))
	if err != nil {
		return err
	}
	for k := range numbers {
		numbers[k] = binary.LittleEndian.Uint64(data[8*k:])
	}
	return nil
}

// store copies numbers to the memory.
func (m *module) store(at uint64, numbers ...uint64) error {
	data, err := m.bytes(at, 8*uint64(len(numbers)))
	if err != nil {
		return err
	}
	for k, number := range numbers {
		binary.LittleEndian.PutUint64(data[8*k:], number)
	}
	return nil
}

// judge judges a file, fills in m.out and returns its status. After statusOK the arena has the view of the file.
func (m *module) judge(head []byte, size uint64, limits [5]uint64) (uint64, error) {
	headSize := uint64(len(head))
	m.arena = aligned(m.headAt() + headSize)
	m.arenaSize, m.scratch = 0, m.arena
	if err := m.reserve(m.arena); err != nil {
		return 0, err
	}
	if err := m.store(m.limitsAt(), limits[:]...); err != nil {
		return 0, err
	}
	data, err := m.bytes(m.headAt(), headSize)
	if err != nil {
		return 0, err
	}
	copy(data, head)
	status, err := m.judgement("assay_flat_measure", m.headAt(), headSize, size, m.limitsAt(), m.outAt())
	if err != nil || status != statusOK {
		return status, err
	}
	m.arenaSize = m.out[outArena]
	m.scratch = aligned(m.arena + m.arenaSize)
	if m.arenaSize > pagesMost*pageSize {
		return 0, errors.New("there is too little memory")
	}
	if err := m.reserve(m.scratch); err != nil {
		return 0, err
	}
	return m.judgement("assay_flat_parse", m.headAt(), headSize, size, m.limitsAt(), m.arena, m.arenaSize, m.outAt())
}

// judgement calls a function that judges. Its result and its numbers must be the same status.
func (m *module) judgement(name string, arguments ...uint64) (uint64, error) {
	status, err := m.call(name, arguments...)
	if err != nil {
		return 0, err
	}
	if err := m.numbers(m.outAt(), m.out[:]); err != nil {
		return 0, err
	}
	if uint64(uint32(status)) != m.out[outStatus] {
		return 0, fmt.Errorf("assay.wasm: %s returned %d in place of %d", name, uint32(status), m.out[outStatus])
	}
	return m.out[outStatus], nil
}

// refusal returns why the file that was judged is not valid, as an error.
func (m *module) refusal(path string, headSize int) (refusal, err error) {
	out, code := &m.out, m.out[outStatus]
	fault := Fault{Code: uint32(code), Offset: out[outOffset], NoOffset: out[outHas]&hasOffset == 0}
	for kind, to := range map[uint64]*string{wordRule: &fault.Rule, wordStatus: &fault.Name, wordMeaning: &fault.Meaning} {
		if *to, err = m.word(kind, code); err != nil {
			return nil, err
		}
	}
	fault.Name = statusName(fault.Name)
	if fault.NoOffset {
		fault.Offset = 0
	}
	if out[outHas]&hasExpected != 0 {
		fault.Expected = &[]uint64{out[outExpected]}[0]
	}
	if out[outHas]&hasFound != 0 {
		fault.Found = &[]uint64{out[outFound]}[0]
	}
	for _, one := range []struct {
		to              **Named
		has, index, pos uint64
	}{{&fault.Tensor, hasTensor, outTensor, outName}, {&fault.Other, hasOther, outOther, outOtherName}} {
		if out[outHas]&one.has == 0 {
			continue
		}
		*one.to = &Named{Index: out[one.index]}
		if out[one.pos+1] == 0 {
			continue // the name is not known yet
		}
		if err := m.reserve(m.scratch + 16); err != nil {
			return nil, err
		}
		if err := m.store(m.scratch, out[one.pos], out[one.pos+1]); err != nil {
			return nil, err
		}
		names, err := m.texts(uint64(headSize), m.scratch, 2, 1, 16)
		if err != nil {
			return nil, err
		}
		(*one.to).Name, (*one.to).HasName = names[0], true
	}
	if code < firstRule {
		return &NotJudgedError{Path: path, Fault: fault}, nil
	}
	return &InvalidError{Path: path, Fault: fault}, nil
}

// statusName returns a name of the library, E_NAME_TWICE, as others write it: name_twice.
func statusName(name string) string {
	lower := []byte(name)
	for k, c := range lower {
		if 'A' <= c && c <= 'Z' {
			lower[k] = c + 'a' - 'A'
		}
	}
	if len(lower) > 2 && lower[0] == 'e' && lower[1] == '_' {
		lower = lower[2:]
	}
	return string(lower)
}

// word returns a word of the library.
func (m *module) word(kind, number uint64) (string, error) {
	at := max(m.scratch, m.headAt())
	if err := m.reserve(at + wordMost); err != nil {
		return "", err
	}
	size, err := m.call("assay_flat_word", kind, number, at, wordMost)
	if err != nil {
		return "", err
	}
	data, err := m.bytes(at, min(size, wordMost-1))
	return string(data), err
}

// texts returns texts of the head without their escapes. Text k is from byte spans[k * stride] to spans[k * stride + 1]
// of the head, where spans is an address of the memory; used bytes of scratch are in use.
func (m *module) texts(headSize, spans, stride, count, used uint64) ([]string, error) {
	if count == 0 {
		return nil, nil
	}
	ends := aligned(m.scratch + used)
	to := aligned(ends + 8*count)
	if err := m.reserve(to + 1); err != nil {
		return nil, err
	}
	size, err := m.call("assay_flat_texts", m.headAt(), headSize, spans, stride, count, to, 0, ends)
	if err != nil {
		return nil, err
	}
	if size > pagesMost*pageSize {
		return nil, errors.New("there is too little memory")
	}
	if err := m.reserve(to + size + 1); err != nil {
		return nil, err
	}
	again, err := m.call("assay_flat_texts", m.headAt(), headSize, spans, stride, count, to, size+1, ends)
	if err != nil {
		return nil, err
	}
	data, err := m.bytes(to, size)
	if err != nil || again != size {
		return nil, errors.Join(err, errors.New("assay.wasm: a text has changed"))
	}
	all, end := string(data), make([]uint64, count)
	if err := m.numbers(ends, end); err != nil {
		return nil, err
	}
	texts, begin := make([]string, count), uint64(0)
	for k, next := range end {
		if next < begin || next > size {
			return nil, errors.New("assay.wasm: a text is out of range")
		}
		texts[k], begin = all[begin:next], next
	}
	return texts, nil
}

package assay

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
)

// fileOf returns a file with this header, and data 0, 1, 2, ...
func fileOf(header string, data int) []byte {
	file := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	file = append(file, header...)
	for k := range data {
		file = append(file, byte(k))
	}
	return file
}

// "second" is before "first" in the header, and after it in the data.
var two = fileOf(`{"__metadata__":{"format":"pt","\u006be\ty":"v\u00e4lue \ud83d\ude00"},`+
	`"se\u0063ond":{"dtype":"F4","shape":[2,3,4],"data_offsets":[12,24]},`+
	`"first":{"dtype":"I16","shape":[2,3],"data_offsets":[0,12]}}`, 24)

func opened(t testing.TB, data []byte) *File {
	t.Helper()
	f, err := Open(bytes.NewReader(data), int64(len(data)), nil)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestOpen(t *testing.T) {
	f := opened(t, two)
	var got []string
	for tensor := range f.Tensors() {
		got = append(got, fmt.Sprint(tensor, tensor.Bits, tensor.Index, tensor.Begin-f.Report().Header-8, tensor.Size()))
	}
	if want := `["first" I16 [2 3] 16 1 0 12 "second" F4 [2 3 4] 4 0 12 12]`; fmt.Sprint(got) != want {
		t.Errorf("%v, not %s", got, want)
	}
	if want := map[string]string{"format": "pt", "ke\ty": "välue 😀"}; !maps.Equal(f.Metadata(), want) {
		t.Errorf("%q", f.Metadata())
	}
	f.Metadata()["format"] = "changed"
	if f.Metadata()["format"] != "pt" {
		t.Error("the metadata can be changed")
	}
	if f.Tensor("secon") != nil || f.Tensor(`se\u0063ond`) != nil || f.Tensor("second").Index != 0 {
		t.Error("Tensor")
	}
	if report := f.Report(); report.String() != fmt.Sprintf("valid: 2 tensors, %d bytes", len(two)) {
		t.Error(report)
	}
	for range f.Tensors() {
		break
	}
	if opened(t, fileOf("{}", 0)).Metadata() != nil || opened(t, fileOf(`{"__metadata__":{}}`, 0)).Metadata() == nil {
		t.Error("no metadata, or empty metadata")
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}

// TestMany has more tensors, pairs and runs than are copied at a time, and dims that are no int.
func TestMany(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"__metadata__":{`)
	for k := range 9000 {
		fmt.Fprintf(&b, `%s"key %d":"value\u00e4 %d"`, comma(k), k, k)
	}
	b.WriteString("}")
	for k := range 2500 {
		fmt.Fprintf(&b, `,"tensor\u00e4 %d":{"dtype":"U8","shape":[0,%d],"data_offsets":[0,0]}`, k, uint64(1<<60)+uint64(k))
	}
	b.WriteString(`,"long":{"dtype":"U8","shape":[1000,2],"data_offsets":[0,2000]}}`)
	f := opened(t, fileOf(b.String(), 2000))
	for k := range 2500 {
		tensor := f.Tensor(fmt.Sprintf("tensorä %d", k))
		if tensor == nil || tensor.Index != k || fmt.Sprint(tensor.Shape) != fmt.Sprintf("[0 %d]", uint64(1<<60)+uint64(k)) {
			t.Fatal(k, tensor)
		}
	}
	for k := range 9000 {
		if f.Metadata()[fmt.Sprint("key ", k)] != fmt.Sprint("valueä ", k) {
			t.Fatal(k)
		}
	}
	part, err := f.Tensor("long").ReadSlice(Axis{0, 1000, 1}, Axis{1, 2, 1})
	if err != nil || len(part) != 1000 {
		t.Fatal(len(part), err)
	}
	for k, c := range part {
		if c != byte(2*k+1) {
			t.Fatal(k, c)
		}
	}
}

func comma(k int) string {
	if k > 0 {
		return ","
	}
	return ""
}

// TestSlices compares slices with the strides.
func TestSlices(t *testing.T) {
	data := fileOf(`{"a":{"dtype":"U16","shape":[3,4,5],"data_offsets":[4,124]},`+
		`"b":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}}`, 124)
	tensor, count := opened(t, data).Tensor("a"), 0
	for _, a := range []Axis{{0, 3, 1}, {0, 3, 2}, {1, 2, 0}, {2, 2, 1}, {0, 2, 5}} {
		for _, b := range []Axis{{0, 4, 1}, {1, 4, 2}, {0, 0, 1}} {
			for _, c := range []Axis{{0, 5, 1}, {2, 5, 1}, {0, 5, 3}} {
				want := []byte{}
				for i := a.Start; i < a.Stop; i += max(a.Step, 1) {
					for j := b.Start; j < b.Stop; j += b.Step {
						for k := c.Start; k < c.Stop; k += c.Step {
							at := tensor.Begin + 2*int64(20*i+5*j+k)
							want = append(want, data[at:at+2]...)
						}
					}
				}
				got, err := tensor.ReadSlice(a, b, c)
				if err != nil || !bytes.Equal(got, want) {
					t.Fatalf("%v %v %v: %x, not %x: %v", a, b, c, got, want, err)
				}
				count += len(got)
			}
		}
	}
	if count < 500 {
		t.Error(count)
	}
	whole, err := tensor.ReadSlice()
	if err != nil || !bytes.Equal(whole, data[tensor.Begin:tensor.End]) {
		t.Error(err)
	}
	for _, wrong := range [][]Axis{{{0, 4, 1}}, {{2, 1, 1}}, {{0, 3, 1}, {0, 4, 1}, {0, 5, 1}, {0, 1, 1}}, {{4, 4, 1}}} {
		if _, err := tensor.ReadSlice(wrong...); !errors.Is(err, ErrSlice) {
			t.Errorf("%v: %v", wrong, err)
		}
	}
	for run, err := range tensor.Runs() {
		if err != nil || run != (Run{tensor.Begin, 0, 960}) {
			t.Error(run, err)
		}
		break
	}
}

func TestSliceOfHalfBytes(t *testing.T) {
	tensor := opened(t, two).Tensor("second")
	count := 0
	for run, err := range tensor.Runs(Axis{1, 2, 1}, Axis{1, 2, 1}, Axis{1, 3, 1}) {
		if err != nil || run != (Run{tensor.Begin + 8, 4, 8}) { // elements 17 and 18
			t.Error(run, err)
		}
		count++
	}
	if _, err := tensor.ReadSlice(Axis{1, 2, 1}, Axis{1, 2, 1}, Axis{1, 3, 1}); err == nil || count != 1 {
		t.Error(count, err)
	}
	scalar := opened(t, fileOf(`{"":{"dtype":"F64","shape":[],"data_offsets":[0,8]}}`, 8)).Tensor("")
	if all, err := scalar.ReadSlice(); err != nil || len(all) != 8 {
		t.Error(all, err)
	}
}

func TestNoFile(t *testing.T) {
	folder := t.TempDir()
	for _, path := range []string{folder, filepath.Join(folder, "none"), "a\x00b", os.DevNull} {
		report, err := CheckFile(path, nil)
		if report.Verdict != NotJudged || !errors.Is(err, ErrNotJudged) {
			t.Errorf("%q: %v, %v", path, report, err)
		}
		if f, err := OpenFile(path, nil); f != nil || !errors.Is(err, ErrNotJudged) {
			t.Errorf("%q: %v", path, err)
		}
	}
	if _, err := CheckFile(filepath.Join(folder, "none"), nil); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	for _, size := range []int64{-1, -1 << 63} {
		if _, err := Check(bytes.NewReader(two), size, nil); !errors.Is(err, ErrNotJudged) {
			t.Error(err)
		}
		if _, err := CheckHead(two, size, nil); !errors.Is(err, ErrNotJudged) {
			t.Error(err)
		}
	}
	if _, err := Check(nil, 8, nil); !errors.Is(err, ErrNotJudged) {
		t.Error(err)
	}
	if _, err := (&Tensor{End: 1}).Bytes(); err == nil {
		t.Error("a tensor of no file")
	}
	if _, err := CheckHead(nil, 1<<63-1, nil); !errors.Is(err, ErrNotJudged) {
		t.Error(err)
	}
}

// TestNoTensor checks that a name that a file does not have ends in an error: the file decides which names it has.
func TestNoTensor(t *testing.T) {
	none := opened(t, two).Tensor("none")
	if none != nil {
		t.Error("there is no such tensor")
	}
	if data, err := none.Bytes(); data != nil || !errors.Is(err, ErrNoTensor) {
		t.Error(data, err)
	}
	if data, err := none.ReadSlice(Axis{Stop: 1}); data != nil || !errors.Is(err, ErrNoTensor) {
		t.Error(data, err)
	}
	for _, err := range none.Runs() {
		if !errors.Is(err, ErrNoTensor) {
			t.Error(err)
		}
	}
}

// TestZero checks that nothing that nobody filled in is valid.
func TestZero(t *testing.T) {
	if (Report{}).Verdict == Valid || Verdict(0) != NotJudged || (Report{}).String() != "not judged" {
		t.Error("a zero Report is valid")
	}
}

// odd is a reader that breaks the contract of io.ReaderAt, or fails.
type odd func(p []byte, off int64) (int, error)

func (f odd) ReadAt(p []byte, off int64) (int, error) { return f(p, off) }

func TestReaders(t *testing.T) {
	all, broken := bytes.NewReader(two), errors.New("broken")
	for name, r := range map[string]odd{
		"nothing":   func([]byte, int64) (int, error) { return 0, nil },
		"negative":  func([]byte, int64) (int, error) { return -1, nil },
		"too much":  func(p []byte, _ int64) (int, error) { return len(p) + 1, nil },
		"fails":     func([]byte, int64) (int, error) { return 0, broken },
		"fails on":  func(p []byte, off int64) (int, error) { n, _ := all.ReadAt(p[:min(len(p), 5)], off); return n, broken },
		"ends soon": func(p []byte, off int64) (int, error) { n, _ := all.ReadAt(p[:len(p)-1], off); return n, io.EOF },
	} {
		report, err := Check(r, int64(len(two)), nil)
		if report.Verdict != NotJudged || !errors.Is(err, ErrNotJudged) {
			t.Errorf("%s: %v %v", name, report, err)
		}
		if strings.HasPrefix(name, "fails") != errors.Is(err, broken) {
			t.Errorf("%s: %v", name, err)
		}
		if (name == "ends soon") != errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%s: %v", name, err)
		}
	}
	slow := odd(func(p []byte, off int64) (int, error) { return all.ReadAt(p[:1], off) })
	if _, err := Check(slow, int64(len(two)), nil); err != nil {
		t.Error(err)
	}
}

// TestNoMoreIsRead checks that a header that can't be valid by its length is not read.
func TestNoMoreIsRead(t *testing.T) {
	for _, one := range []struct {
		length  uint64
		rule    string
		options *Options
	}{{100_000_001, "F2", nil}, {5000, "F3", nil}, {3000, "N5", &Options{MaxHeader: 2000}}} {
		data := append(binary.LittleEndian.AppendUint64(nil, one.length), make([]byte, 4000)...)
		var asked []int
		_, err := Check(odd(func(p []byte, off int64) (int, error) {
			asked = append(asked, len(p))
			return bytes.NewReader(data).ReadAt(p, off)
		}), int64(len(data)), one.options)
		if !strings.Contains(err.Error(), "rule "+one.rule) || fmt.Sprint(asked) != "[8]" {
			t.Errorf("%v, %v bytes", err, asked)
		}
	}
}

// TestShorter checks that a file that became shorter is an error, and never the end of a tensor.
func TestShorter(t *testing.T) {
	path := filepath.Join(t.TempDir(), "short.safetensors")
	if err := os.WriteFile(path, two, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := OpenFile(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := os.Truncate(path, int64(len(two))-1); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Tensor("first").Bytes(); err != nil {
		t.Error(err)
	}
	tensor := f.Tensor("second")
	if _, err := tensor.Bytes(); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error(err)
	}
	if data, err := io.ReadAll(tensor.Data()); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error(data, err)
	}
	if _, err := tensor.ReadSlice(Axis{1, 2, 1}); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error(err)
	}
	if _, err := tensor.Data().ReadAt(make([]byte, 12), 0); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error(err)
	}
}

// TestChanged checks that a tensor whose fields were changed is an error, and no panic.
func TestChanged(t *testing.T) {
	f := opened(t, two)
	for _, change := range []func(*Tensor){func(x *Tensor) { x.DType = `","` }, func(x *Tensor) { x.Shape = []uint64{7} },
		func(x *Tensor) { x.Begin = -5 }, func(x *Tensor) { x.End = 1 << 62 }, func(x *Tensor) { x.Shape = nil }} {
		copied := *f.Tensor("first")
		change(&copied)
		if part, err := copied.ReadSlice(Axis{0, 1, 1}); err == nil {
			t.Errorf("%v: %x", &copied, part)
		}
	}
}

func TestErrors(t *testing.T) {
	one := `{"dtype":"U8","shape":[1],"data_offsets":`
	data := fileOf(`{"\u0061":`+one+`[0,1]},"b":`+one+`[1,2]},"a":`+one+`[2,3]}}`, 3)
	_, err := Check(bytes.NewReader(data), int64(len(data)), nil)
	var invalid *InvalidError
	if !errors.As(err, &invalid) || errors.Is(err, ErrNotJudged) {
		t.Fatal(err)
	}
	if invalid.Rule != "G2" || invalid.Name != "name_twice" || invalid.Code != 59 || invalid.Tensor.Index != 2 ||
		invalid.Tensor.Name != "a" || invalid.Other.Index != 0 || invalid.Other.Name != "a" {
		t.Errorf("%+v", invalid)
	}
	want := fmt.Sprintf(`invalid: rule G2 at byte %d: two tensors have the same name: tensor "a" and "a"`, invalid.Offset)
	if err.Error() != want {
		t.Errorf("%s, not %s", err, want)
	}
	_, err = CheckHead(bytes.Repeat([]byte{0xff}, 8), 10, nil)
	if !errors.As(err, &invalid) || *invalid.Found != 1<<64-1 || *invalid.Expected != 100_000_000 {
		t.Error(err)
	}
	_, err = Check(bytes.NewReader(two), int64(len(two)), &Options{MaxRank: 2})
	var none *NotJudgedError
	if !errors.As(err, &none) || none.Rule != "N7" || *none.Expected != 2 || *none.Found != 3 || none.Tensor.Index != 0 {
		t.Error(err)
	}
}

// TestHostileNames checks that no message has characters that a terminal obeys.
func TestHostileNames(t *testing.T) {
	name := `a\u202e\u001b[31m\u0007\u0085b`
	one := `{"dtype":"U8","shape":[1],"data_offsets":[0,1]}`
	data := fileOf(`{"`+name+`":`+one+`,"`+name+`":`+one+`}`, 1)
	path := filepath.Join(t.TempDir(), "h\x1b[31m\u202e.safetensors")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := CheckFile(path, nil)
	var invalid *InvalidError
	if !errors.As(err, &invalid) || invalid.Tensor.Name != "a\u202e\x1b[31m\x07\u0085b" {
		t.Fatal(err)
	}
	_, missing := CheckFile(path+"\xff\n", nil)
	f := opened(t, fileOf(`{"`+name+`":`+one+`}`, 1))
	for tensor := range f.Tensors() {
		for _, text := range []string{err.Error(), missing.Error(), tensor.String(), Report{Path: path}.String()} {
			for _, r := range text {
				if !unicode.IsPrint(r) {
					t.Errorf("%q", text)
				}
			}
		}
	}
}

// TestCancelled cancels a judgement while the core runs: its result does not count.
func TestCancelled(t *testing.T) {
	var b strings.Builder
	b.WriteString("{")
	for k := range 400_000 {
		fmt.Fprintf(&b, `%s"%d":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}`, comma(k), (k*7919)%400_000)
	}
	b.WriteString("}")
	data := fileOf(b.String(), 0)
	cancelled := func(ctx context.Context, r io.ReaderAt, why error) {
		t.Helper()
		report, err := CheckContext(ctx, r, int64(len(data)), nil)
		if err == nil || !errors.Is(err, why) || !errors.Is(err, ErrNotJudged) || report.Verdict != NotJudged {
			t.Errorf("%v: %v", report, err)
		}
		if _, err := CheckHead(two, int64(len(two)), nil); err != nil {
			t.Error(err)
		}
	}
	for _, after := range []time.Duration{1, 5, 20} { // the core takes longer
		ctx, cancel := context.WithTimeout(context.Background(), after*time.Millisecond)
		cancelled(ctx, bytes.NewReader(data), context.DeadlineExceeded)
		cancel()
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancelled(ctx, odd(func(p []byte, off int64) (int, error) { // by the reader of the last byte
		if off+int64(len(p)) == int64(len(data)) {
			cancel()
		}
		return bytes.NewReader(data).ReadAt(p, off)
	}), context.Canceled)
}

// TestMemory checks that modules with much memory are not kept, and that the number of kept ones is limited.
func TestMemory(t *testing.T) {
	e, err := theEngine()
	if err != nil {
		t.Fatal(err)
	}
	header := "{" + strings.Repeat(" ", 30<<20) + "}"
	for range 3 {
		data := fileOf(header, 0)
		if _, err := CheckHead(data, int64(len(data)), nil); err != nil && !errors.Is(err, ErrNotJudged) {
			var invalid *InvalidError
			if !errors.As(err, &invalid) {
				t.Fatal(err)
			}
		}
	}
	e.mutex.Lock()
	defer e.mutex.Unlock()
	total := uint64(0)
	for _, m := range e.idle {
		total += uint64(m.memory.Size())
	}
	if most := runtime.GOMAXPROCS(0); len(e.idle) > most || total > uint64(most)*keptMost {
		t.Errorf("%d modules with %d bytes are kept", len(e.idle), total)
	}
}

// TestTrap checks that a module that fails is not used again, and that the next file has another one.
func TestTrap(t *testing.T) {
	var failed *module
	err := withModule(context.Background(), func(m *module) error {
		failed = m
		_, err := m.call("assay_flat_measure", 1<<31, 8, 8, 0, m.outAt())
		return err
	})
	if err == nil || !strings.Contains(err.Error(), "out of bounds memory access") {
		t.Error(err)
	}
	e, _ := theEngine()
	if slices.Contains(e.idle, failed) || !failed.instance.IsClosed() {
		t.Error("the module is kept")
	}
	if _, err := CheckHead(two, int64(len(two)), nil); err != nil {
		t.Error(err)
	}
	// A panic, if there were one, leaves no slot taken.
	for range 2 * cap(e.running) {
		func() {
			defer func() { recover() }()
			withModule(context.Background(), func(*module) error { panic("a bug") })
		}()
	}
	if _, err := CheckHead(two, int64(len(two)), nil); err != nil || len(e.running) != 0 {
		t.Error(err)
	}
}

// TestTables compares the words of the module with the tables of the specification.
func TestTables(t *testing.T) {
	e, err := theEngine()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rowsOf(t, "spec/dtypes.tsv") {
		var code int
		fmt.Sscan(row["code"], &code)
		if code >= len(e.dtypes) || string(e.dtypes[code]) != row["name"] {
			t.Errorf("dtype %d is %s", code, row["name"])
		}
		data := fileOf(fmt.Sprintf(`{"a":{"dtype":"%s","shape":[8],"data_offsets":[0,%s]}}`, row["name"], row["bits"]), 64)
		f, err := Open(bytes.NewReader(data), int64(len(data)-64)+atoi(row["bits"]), nil)
		if err != nil || int64(f.Tensor("a").Bits) != atoi(row["bits"]) || string(f.Tensor("a").DType) != row["name"] {
			t.Errorf("%s: %v", row["name"], err)
		}
	}
	if names := rowsOf(t, "spec/dtypes.tsv"); len(names)+1 != len(e.dtypes) || len(names) != len(allDTypes) {
		t.Errorf("%d dtypes, %d constants", len(names), len(allDTypes))
	}
	for k, name := range allDTypes {
		if e.dtypes[k+1] != name {
			t.Errorf("constant %s in place of %s", name, e.dtypes[k+1])
		}
	}
}

var allDTypes = []DType{BOOL, U8, I8, F8_E5M2, F8_E4M3, F8_E8M0, F8_E4M3FNUZ, F8_E5M2FNUZ, F4, F6_E2M3, F6_E3M2,
	I16, U16, F16,
	BF16, I32, U32, F32, I64, U64, F64, C64}

func atoi(text string) (n int64) {
	fmt.Sscan(text, &n)
	return n
}

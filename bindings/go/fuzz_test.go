package assay

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"slices"
	"testing"
)

// member is a tensor as encoding/json reads it.
type member struct {
	DType   string    `json:"dtype"`
	Shape   []uint64  `json:"shape"`
	Offsets [2]uint64 `json:"data_offsets"`
}

// unmarshal reads a header with encoding/json: what Go programs do without assay.
func unmarshal(header []byte) (tensors map[string]member, metadata map[string]string, err error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(header, &members); err != nil {
		return nil, nil, err
	}
	tensors = make(map[string]member, len(members))
	for name, raw := range members {
		if name == "__metadata__" {
			if err := json.Unmarshal(raw, &metadata); err != nil {
				return nil, nil, err
			}
			continue
		}
		var one member
		if err := json.Unmarshal(raw, &one); err != nil {
			return nil, nil, err
		}
		tensors[name] = one
	}
	return tensors, metadata, nil
}

// compareJSON checks that a valid file is what encoding/json reads.
func compareJSON(t *testing.T, f *File, data []byte) {
	t.Helper()
	end := f.Report().Header + 8
	tensors, metadata, err := unmarshal(data[8:end])
	if err != nil {
		t.Fatalf("encoding/json: %v", err)
	}
	if len(tensors) != f.Len() || !maps.Equal(metadata, f.Metadata()) {
		t.Fatalf("encoding/json reads %d tensors of %d, metadata %q of %q", len(tensors), f.Len(), metadata, f.Metadata())
	}
	for name, want := range tensors {
		got := f.Tensor(name)
		if got == nil || string(got.DType) != want.DType || !slices.Equal(got.Shape, want.Shape) ||
			uint64(got.Begin-end) != want.Offsets[0] || uint64(got.End-end) != want.Offsets[1] {
			t.Fatalf("%q: %v, not %v", name, got, want)
		}
	}
}

// TestAsEncodingJSON compares every valid file of the corpus with what encoding/json reads.
func TestAsEncodingJSON(t *testing.T) {
	count := 0
	for _, row := range rowsOf(t, "corpus/manifest.tsv") {
		if row["verdict"] != "valid" {
			continue
		}
		data, err := os.ReadFile(tree(t, "corpus/"+row["file"]))
		if err != nil {
			t.Fatal(err)
		}
		compareJSON(t, opened(t, data), data)
		count++
	}
	if count < 200 {
		t.Error(count)
	}
}

// FuzzCheck judges any bytes as a file, in several ways, and compares.
func FuzzCheck(f *testing.F) {
	f.Add(two, int64(0))
	f.Add([]byte{}, int64(1))
	f.Add(fileOf(`{"a":{"dtype":"U8","shape":[2,2],"data_offsets":[0,4]}}`, 4), int64(3))
	if rows, err := os.ReadDir("../../corpus/valid"); err == nil {
		for _, row := range rows {
			if data, err := os.ReadFile("../../corpus/valid/" + row.Name()); err == nil && len(data) < 2000 {
				f.Add(data, int64(5))
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, number int64) {
		size := int64(len(data))
		report, err := Check(bytes.NewReader(data), size, nil)
		first := found(report, err)
		if report.Verdict == NotJudged || first == "" || first[0] != 'v' {
			t.Fatalf("%v %v", first, err)
		}
		if again := found(CheckHead(data, size, nil)); again != first {
			t.Fatalf("%s, not %s", again, first)
		}
		// A limit, another size or fewer bytes may leave it not judged; nothing makes an invalid file valid.
		limited := &Options{MaxHeader: number, MaxTensors: number, MaxRank: number, MaxName: number, MaxMetadata: number}
		if report, err := Check(bytes.NewReader(data), size, limited); report.Verdict != NotJudged {
			if other := found(report, err); other != first {
				t.Fatalf("%s with limits %d", other, number)
			}
		}
		if report, err := CheckHead(data, number, nil); report.Verdict == Valid && number != size &&
			len(data) < int(report.Header)+8 {
			t.Fatalf("%v %v", report, err)
		}
		file, err := Open(bytes.NewReader(data), size, nil)
		if (err == nil) != (report.Verdict == Valid) {
			t.Fatal(err)
		}
		if err != nil {
			var invalid *InvalidError
			if !errors.As(err, &invalid) || invalid.Offset > uint64(size) {
				t.Fatal(err)
			}
			return
		}
		checkTable(t, file, data)
		compareJSON(t, file, data)
		for tensor := range file.Tensors() {
			axes := make([]Axis, min(len(tensor.Shape), 3))
			for k := range axes {
				axes[k] = Axis{Start: uint64(number) % 3, Stop: tensor.Shape[k], Step: uint64(number) % 5}
			}
			count := 0
			for run, err := range tensor.Runs(axes...) {
				bits := 8*uint64(run.Offset-tensor.Begin) + run.Skip
				if err == nil && (run.Offset < tensor.Begin || bits+run.Bits > 8*uint64(tensor.Size())) {
					t.Fatalf("%v: run %v", tensor, run)
				}
				if count++; count == 1000 {
					break
				}
			}
			break
		}
	})
}

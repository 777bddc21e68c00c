package assay

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// tree returns a path in the repository. A module that was downloaded has none: then the test is skipped.
func tree(t testing.TB, path string) string {
	root := os.Getenv("ASSAY_TREE")
	if root == "" {
		root = "../.."
	}
	path = filepath.Join(root, path)
	if _, err := os.Stat(path); err != nil {
		t.Skip("the repository of assay is not here: set ASSAY_TREE to its folder")
	}
	return path
}

// rowsOf reads a table with a line of names.
func rowsOf(t testing.TB, path string) []map[string]string {
	text, err := os.ReadFile(tree(t, path))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimRight(string(text), "\n"), "\n")
	names := strings.Split(lines[0], "\t")
	var rows []map[string]string
	for _, line := range lines[1:] {
		row := map[string]string{}
		for k, cell := range strings.Split(line, "\t") {
			row[names[k]] = cell
		}
		rows = append(rows, row)
	}
	return rows
}

var columns = []string{"verdict", "code", "rule", "name", "offset", "tensor", "other", "expected", "found"}

// wanted returns what a row of the corpus states, in the form of found.
func wanted(row map[string]string) string {
	var cells []string
	for _, name := range columns {
		cells = append(cells, name+"="+row[name])
	}
	return strings.Join(cells, " ")
}

// found returns the same of a judgement.
func found(report Report, err error) string {
	if (err == nil) != (report.Verdict == Valid) {
		return fmt.Sprintf("%v with error %v", report.Verdict, err)
	}
	var invalid *InvalidError
	var none *NotJudgedError
	fault := &Fault{Name: "ok", NoOffset: true}
	switch {
	case errors.As(err, &invalid):
		fault = &invalid.Fault
		if errors.Is(err, ErrNotJudged) || report.Verdict != Invalid {
			return "invalid and not judged"
		}
	case errors.As(err, &none):
		fault = &none.Fault
		if !errors.Is(err, ErrNotJudged) || report.Verdict != NotJudged || none.Err != nil {
			return err.Error()
		}
	}
	number := func(n *uint64) string {
		if n == nil {
			return ""
		}
		return strconv.FormatUint(*n, 10)
	}
	index := func(n *Named) string {
		if n == nil {
			return ""
		}
		return strconv.FormatUint(n.Index, 10)
	}
	offset := ""
	if !fault.NoOffset {
		offset = strconv.FormatUint(fault.Offset, 10)
	}
	return fmt.Sprintf("verdict=%v code=%d rule=%s name=%s offset=%s tensor=%s other=%s expected=%s found=%s",
		report.Verdict,
		fault.Code, fault.Rule, fault.Name, offset, index(fault.Tensor), index(fault.Other), number(fault.Expected),
		number(fault.Found))
}

// TestCorpus compares all that the corpus states of each file: by its path, its bytes, and its head alone.
func TestCorpus(t *testing.T) {
	rows := rowsOf(t, "corpus/manifest.tsv")
	if len(rows) < 1900 {
		t.Fatalf("%d rows", len(rows))
	}
	for _, row := range rows {
		t.Run(row["file"], func(t *testing.T) {
			path := tree(t, "corpus/"+row["file"])
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			size := int64(len(data))
			if got := found(CheckFile(path, nil)); got != wanted(row) {
				t.Errorf("CheckFile: %s, not %s", got, wanted(row))
			}
			if got := found(Check(bytes.NewReader(data), size, nil)); got != wanted(row) {
				t.Errorf("Check: %s, not %s", got, wanted(row))
			}
			if got := found(CheckHead(data, size, &Options{})); got != wanted(row) {
				t.Errorf("CheckHead: %s, not %s", got, wanted(row))
			}
			f, err := OpenFile(path, nil)
			if (err == nil) != (row["verdict"] == "valid") || (f == nil) != (err != nil) {
				t.Fatalf("OpenFile: %v", err)
			}
			if f != nil {
				checkTable(t, f, data)
				f.Close()
			}
		})
	}
}

// checkTable compares the tensors of a file with each other: they tile its data, and have the sizes of their shapes.
func checkTable(t *testing.T, f *File, data []byte) {
	end, count := f.Report().Header+8, 0
	seen := make([]bool, f.Len())
	for tensor := range f.Tensors() {
		bits := uint64(tensor.Bits)
		for _, dim := range tensor.Shape {
			bits *= dim
		}
		if tensor.Begin != end || bits != 8*uint64(tensor.Size()) || seen[tensor.Index] || f.Tensor(tensor.Name) != tensor {
			t.Fatalf("%v: begin %d after %d, %d bits in %d bytes, index %d", tensor, tensor.Begin, end, bits,
				tensor.Size(), tensor.Index)
		}
		seen[tensor.Index] = true
		if all, err := tensor.Bytes(); err != nil || !bytes.Equal(all, data[tensor.Begin:tensor.End]) {
			t.Fatalf("%v: other bytes, %v", tensor, err)
		}
		if all, err := io.ReadAll(tensor.Data()); err != nil || !bytes.Equal(all, data[tensor.Begin:tensor.End]) {
			t.Fatalf("%v: other bytes, %v", tensor, err)
		}
		end, count = tensor.End, count+1
	}
	if end != int64(len(data)) || count != f.Len() || count != f.Report().Tensors {
		t.Fatalf("%d tensors of %d, end at %d of %d", count, f.Len(), end, len(data))
	}
	if len(f.Metadata()) != f.Report().Metadata {
		t.Fatalf("%d pairs of %d", len(f.Metadata()), f.Report().Metadata)
	}
}

// TestOptions compares options.tsv. Rows with options that this package does not have are counted.
func TestOptions(t *testing.T) {
	left := 0
	for _, row := range rowsOf(t, "corpus/options.tsv") {
		data, err := os.ReadFile(tree(t, "corpus/"+row["file"]))
		if err != nil {
			t.Fatal(err)
		}
		options, size, head, possible := Options{}, int64(len(data)), data, true
		for _, setting := range strings.Fields(row["options"]) {
			name, text, _ := strings.Cut(setting, "=")
			number, err := strconv.ParseInt(text, 10, 64)
			if err != nil {
				possible = false // a size above 2^63 - 1
			}
			limit := number
			if limit == 0 {
				limit = -1
			}
			switch name {
			case "head":
				head = data[:number]
			case "file_size":
				size = number
			case "max_header":
				options.MaxHeader = limit
			case "max_tensors":
				options.MaxTensors = limit
			case "max_rank":
				options.MaxRank = limit
			case "max_name":
				options.MaxName = limit
			case "max_metadata":
				options.MaxMetadata = limit
			default:
				possible = false // api, relax
			}
		}
		if !possible {
			left++
			continue
		}
		if got := found(CheckHead(head, size, &options)); got != wanted(row) {
			t.Errorf("%s %s: %s, not %s", row["options"], row["file"], got, wanted(row))
		}
	}
	if left != 4 {
		t.Errorf("%d rows are not possible", left)
	}
}

// TestCuts judges every cut of heads: more is needed until the head is whole, then the verdict; never another.
func TestCuts(t *testing.T) {
	step := 1
	if testing.Short() {
		step = 20
	}
	for k, row := range rowsOf(t, "corpus/manifest.tsv") {
		if k%step != 0 {
			continue
		}
		data, err := os.ReadFile(tree(t, "corpus/"+row["file"]))
		if err != nil {
			t.Fatal(err)
		}
		last := found(CheckHead(data, int64(len(data)), nil))
		for cut := 0; cut < min(len(data), 300); cut++ {
			report, err := CheckHead(data[:cut], int64(len(data)), nil)
			var none *NotJudgedError
			if errors.As(err, &none) {
				if none.Rule != "N1" || report.Verdict != NotJudged || none.Expected == nil || *none.Expected <= uint64(cut) ||
					*none.Expected > uint64(len(data)) {
					t.Fatalf("%s cut at %d: %v", row["file"], cut, err)
				}
			} else if got := found(report, err); got != last {
				t.Fatalf("%s cut at %d: %s, not %s", row["file"], cut, got, last)
			}
		}
		// The file itself cut short: it is then another file, and never valid.
		for cut := 0; cut < min(len(data), 100); cut++ {
			if _, err := Check(bytes.NewReader(data[:cut]), int64(cut), nil); err == nil && row["verdict"] == "valid" {
				t.Fatalf("%s cut at %d is valid", row["file"], cut)
			}
			// A reader that ends before its size: not judged, unless the length alone decides.
			report, err := Check(bytes.NewReader(data[:cut]), int64(len(data)), nil)
			if report.Verdict == Valid || (err == nil) || (!errors.Is(err, ErrNotJudged) && found(report, err) != last) {
				if row["verdict"] != "valid" || int64(cut) < report.Header+8 {
					t.Fatalf("%s ends at %d: %v %v", row["file"], cut, report, err)
				}
			}
		}
	}
}

// TestGoroutines judges the corpus by eight goroutines, each in another order, with calls that are cancelled between.
func TestGoroutines(t *testing.T) {
	rows := rowsOf(t, "corpus/manifest.tsv")
	var heads [][]byte
	for _, row := range rows {
		data, err := os.ReadFile(tree(t, "corpus/"+row["file"]))
		if err != nil {
			t.Fatal(err)
		}
		heads = append(heads, data)
	}
	shared, err := Open(bytes.NewReader(two), int64(len(two)), nil)
	if err != nil {
		t.Fatal(err)
	}
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	var group sync.WaitGroup
	for worker := range 8 {
		group.Go(func() {
			order := rand.New(rand.NewSource(int64(worker))).Perm(len(rows))
			for n, k := range order {
				size := int64(len(heads[k]))
				if got := found(CheckHead(heads[k], size, nil)); got != wanted(rows[k]) {
					t.Errorf("%s: %s, not %s", rows[k]["file"], got, wanted(rows[k]))
					return
				}
				switch n % 16 {
				case 3:
					if f, err := Open(bytes.NewReader(heads[k]), size, nil); (err == nil) != (rows[k]["verdict"] == "valid") ||
						(f != nil && f.Report().Size != size) {
						t.Errorf("%s: %v", rows[k]["file"], err)
					}
				case 7:
					if _, err := CheckContext(gone, bytes.NewReader(heads[k]), size, nil); !errors.Is(err, context.Canceled) ||
						!errors.Is(err, ErrNotJudged) {
						t.Errorf("cancelled: %v", err)
					}
				case 11:
					part, err := shared.Tensor("second").ReadSlice(Axis{1, 2, 1}, Axis{2, 3, 0})
					if err != nil || string(part) != "\x16\x17" {
						t.Errorf("slice: %x %v", part, err)
					}
				}
			}
		})
	}
	group.Wait()
}

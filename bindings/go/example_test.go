package assay_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	assay "github.com/OWNER/assay/bindings/go"
)

// write writes a file for an example, and returns its path.
func write(header string, data ...byte) string {
	folder, err := os.MkdirTemp("", "assay")
	if err != nil {
		panic(err)
	}
	path := filepath.Join(folder, "model.safetensors")
	head := append([]byte{byte(len(header)), 0, 0, 0, 0, 0, 0, 0}, header...)
	if err := os.WriteFile(path, append(head, data...), 0o600); err != nil {
		panic(err)
	}
	return path
}

func ExampleOpenFile() {
	path := write(`{"weight":{"dtype":"U8","shape":[2,2],"data_offsets":[0,4]}}`, 1, 2, 3, 4)
	defer os.RemoveAll(filepath.Dir(path))

	file, err := assay.OpenFile(path, nil) // reads the header alone
	if err != nil {
		fmt.Println(err) // invalid, or not judged: nothing was loaded
		return
	}
	defer file.Close()
	for tensor := range file.Tensors() {
		data, err := tensor.Bytes() // or tensor.Data(), an *io.SectionReader
		fmt.Printf("%q %s %v %v %v\n", tensor.Name, tensor.DType, tensor.Shape, data, err)
	}
	column, err := file.Tensor("weight").ReadSlice(assay.Axis{Start: 0, Stop: 2}, assay.Axis{Start: 1, Stop: 2})
	fmt.Println(column, err)

	// Output:
	// "weight" U8 [2 2] [1 2 3 4] <nil>
	// [2 4] <nil>
}

func ExampleCheckFile() {
	path := write(`{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},`+
		`"a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}}`, 1, 2)
	defer os.RemoveAll(filepath.Dir(path))

	report, err := assay.CheckFile(path, nil)
	var invalid *assay.InvalidError
	switch {
	case err == nil:
		fmt.Println("valid:", report.Tensors, "tensors")
	case errors.As(err, &invalid):
		fmt.Println("invalid: rule", invalid.Rule, "at byte", invalid.Offset)
	case errors.Is(err, assay.ErrNotJudged):
		fmt.Println(err) // too few bytes, a limit, a read error
	}

	// Output:
	// invalid: rule G2 at byte 61
}

func ExampleCheck() {
	file := "\x08\x00\x00\x00\x00\x00\x00\x00{\"a\":[]}"
	_, err := assay.Check(strings.NewReader(file), int64(len(file)), nil)
	fmt.Println(err)
	_, err = assay.Check(bytes.NewReader(nil), int64(len(file)), nil)
	fmt.Println(err)

	// Output:
	// invalid: rule H14 at byte 13: a value of the wrong type: tensor "a"
	// not judged: the file became shorter while it was read: unexpected EOF
}

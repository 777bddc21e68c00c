// Judge files with a reader that is a Go module; the argument is nlpodyssey or ollama. ../python_reader.py describes the
// records and lines.
package main

import (
	"bufio"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"

	"github.com/nlpodyssey/safetensors"
	ollama "github.com/ollama/ollama/x/imagegen/safetensors"
)

const small = 1 << 16 // larger files are sparse, and nobody reads their data

type tensor struct {
	Name  string  `json:"name"`
	Dtype string  `json:"dtype"`
	Shape any     `json:"shape"`
	Begin *uint64 `json:"begin,omitempty"`
	End   *uint64 `json:"end,omitempty"`
	Size  *int64  `json:"size,omitempty"`
	Data  *string `json:"data,omitempty"`
}

type report struct {
	Tensors []tensor          `json:"tensors"`
	Pairs   map[string]string `json:"pairs"` // nil: not reported
}

// Return a file of this size that begins so. Its other bytes are zeros, which take no memory until they are touched.
func mapped(head []byte, size uint64) ([]byte, error) {
	flags := syscall.MAP_PRIVATE | syscall.MAP_ANONYMOUS | syscall.MAP_NORESERVE
	file, err := syscall.Mmap(-1, 0, int(size)+1, syscall.PROT_READ|syscall.PROT_WRITE, flags)
	if err == nil {
		copy(file[:size], head)
	}
	return file, err
}

func nlpodyssey(head []byte, size uint64) (*report, error) {
	file, err := mapped(head, size)
	if err != nil {
		return nil, err
	}
	defer syscall.Munmap(file)
	_, header, err := safetensors.ReadMetadata(file[:size])
	if err != nil {
		return nil, err
	}
	out := report{Tensors: []tensor{}, Pairs: header.Metadata()}
	if out.Pairs == nil {
		out.Pairs = map[string]string{}
	}
	for name, t := range header.Tensors() {
		out.Tensors = append(out.Tensors, tensor{Name: name, Dtype: t.DType.String(), Shape: t.Shape,
			Begin: &t.DataOffsets[0], End: &t.DataOffsets[1]})
	}
	return &out, nil
}

// The function from which `ollama create` gets the tensors of a model.
func extract(head []byte, size uint64) (*report, error) {
	file, err := os.CreateTemp("/dev/shm", "assay-reader-")
	if err != nil {
		return nil, err
	}
	defer os.Remove(file.Name())
	defer file.Close()
	file.Write(head)
	file.Truncate(int64(size))
	source, err := ollama.OpenForExtraction(file.Name())
	if err != nil {
		return nil, err
	}
	defer source.Close()
	all, err := source.ExtractAll()
	if err != nil {
		return nil, err
	}
	out := report{Tensors: []tensor{}}
	for _, t := range all {
		one := tensor{Name: t.Name, Dtype: t.Dtype, Shape: t.Shape, Size: &t.Size}
		if size <= small {
			data, err := io.ReadAll(t.Reader())
			if err != nil {
				return nil, err
			}
			text := hex.EncodeToString(data)
			one.Data = &text
		}
		out.Tensors = append(out.Tensors, one)
	}
	return &out, nil
}

func judge(read func([]byte, uint64) (*report, error), head []byte, size uint64) (line string) {
	defer func() {
		if panicked := recover(); panicked != nil {
			line = fmt.Sprintf("reject panic: %v", panicked)
		}
		line = strings.Join(strings.Fields(line), " ")
	}()
	header, err := read(head, size)
	if err != nil {
		return "reject " + err.Error()
	}
	text, err := json.Marshal(header)
	if err != nil {
		return "reject " + err.Error()
	}
	return "accept " + string(text)
}

func main() {
	read := map[string]func([]byte, uint64) (*report, error){"nlpodyssey": nlpodyssey, "ollama": extract}[os.Args[1]]
	input, output := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)
	defer output.Flush()
	var numbers [16]byte
	for {
		if _, err := io.ReadFull(input, numbers[:]); err != nil {
			return
		}
		size, count := binary.LittleEndian.Uint64(numbers[:8]), binary.LittleEndian.Uint64(numbers[8:])
		head := make([]byte, count)
		if _, err := io.ReadFull(input, head); err != nil {
			panic(err)
		}
		if size > 1<<46 {
			fmt.Fprintln(output, "skip too large")
		} else {
			fmt.Fprintln(output, judge(read, head, size))
		}
	}
}

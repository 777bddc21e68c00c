package assay

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"
)

// model returns a file with a header like that of a language model, of about this many tensors; the data are not there.
func model(tensors int) ([]byte, int64) {
	var b strings.Builder
	b.WriteString(`{"__metadata__":{"format":"pt"}`)
	end := int64(0)
	for k := 0; k < tensors; k++ {
		name := []string{"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "self_attn.o_proj",
			"mlp.gate_proj", "mlp.up_proj",
			"mlp.down_proj", "input_layernorm", "post_attention_layernorm"}[k%9]
		fmt.Fprintf(&b, `,"model.layers.%d.%s.weight":{"dtype":"BF16","shape":[2048,2048],"data_offsets":[%d,%d]}`, k/9,
			name, end, end+8388608)
		end += 8388608
	}
	b.WriteString("}")
	head := binary.LittleEndian.AppendUint64(nil, uint64(b.Len()))
	head = append(head, b.String()...)
	return head, int64(len(head)) + end
}

var sizes = []int{257, 8258, 80590}

// BenchmarkCheck judges a header: all rules, no table.
func BenchmarkCheck(b *testing.B) {
	for _, tensors := range sizes {
		head, size := model(tensors)
		b.Run(fmt.Sprint(tensors), func(b *testing.B) {
			b.SetBytes(int64(len(head)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := CheckHead(head, size, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkOpen judges a header and returns its tensors.
func BenchmarkOpen(b *testing.B) {
	for _, tensors := range sizes {
		head, size := model(tensors)
		b.Run(fmt.Sprint(tensors), func(b *testing.B) {
			b.SetBytes(int64(len(head)))
			b.ReportAllocs()
			for b.Loop() {
				if f, err := Open(bytes.NewReader(head), size, nil); err != nil || f.Len() != tensors {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkEncodingJSON reads the same tensors with encoding/json, as BenchmarkOpen does, and checks no rule.
func BenchmarkEncodingJSON(b *testing.B) {
	for _, tensors := range sizes {
		head, _ := model(tensors)
		b.Run(fmt.Sprint(tensors), func(b *testing.B) {
			b.SetBytes(int64(len(head)))
			b.ReportAllocs()
			for b.Loop() {
				if all, _, err := unmarshal(head[8:]); err != nil || len(all) != tensors {
					b.Fatal(err)
				}
			}
		})
	}
}

package assay

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestReadme checks that the examples of README.md are in example_test.go, which go test runs.
func TestReadme(t *testing.T) {
	var texts [2]string
	for k, path := range []string{"README.md", "example_test.go"} {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		texts[k] = string(text)
	}
	blocks := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(texts[0], -1)
	if len(blocks) < 2 {
		t.Fatalf("%d examples", len(blocks))
	}
	for _, block := range blocks {
		indented := regexp.MustCompile(`(?m)^(.)`).ReplaceAllString(block[1], "\t$1")
		if !strings.Contains(texts[1], indented) {
			t.Errorf("example_test.go does not have this example of README.md:\n%s", block[1])
		}
	}
}

// Judge judges the files whose names are on its standard input, one a line, and writes a line for each:
//
//	accept
//	reject CODE RULE BYTE: MESSAGE
//	error: MESSAGE
//
// corpus/run.py --batch reads these lines.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"

	assay "github.com/OWNER/assay/bindings/go"
)

func main() {
	in, out := bufio.NewScanner(os.Stdin), bufio.NewWriter(os.Stdout)
	for in.Scan() {
		_, err := assay.CheckFile(in.Text(), nil)
		var invalid *assay.InvalidError
		switch {
		case err == nil:
			fmt.Fprintln(out, "accept")
		case errors.As(err, &invalid):
			fmt.Fprintf(out, "reject %d %s %d: %v\n", invalid.Code, invalid.Rule, invalid.Offset, err)
		default:
			fmt.Fprintf(out, "error: %v\n", err)
		}
	}
	if err := errors.Join(in.Err(), out.Flush()); err != nil {
		fmt.Fprintln(os.Stderr, "judge:", err)
		os.Exit(1)
	}
}

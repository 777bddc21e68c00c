package assay

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ErrNotJudged is what errors.Is finds in each error of a file that was not judged: it is neither valid nor invalid.
var ErrNotJudged = errors.New("not judged")

// Named is a tensor, or a metadata key, that an error is about.
type Named struct {
	Index   uint64 // in the header
	Name    string // text from a stranger: %q prints it without control characters
	HasName bool   // false if the fault is in the name itself, or before it
}

// Fault is a rule, and where and by what it was broken.
type Fault struct {
	Rule     string  // "G2", as in spec/format.md
	Name     string  // "name_twice"
	Code     uint32  // 59; it never changes
	Meaning  string  // "two tensors have the same name"
	Offset   uint64  // byte of the file at which it is broken
	NoOffset bool    // there is no such byte: never of an invalid file
	Tensor   *Named  // nil if the fault is about none
	Other    *Named  // the other tensor or metadata key, or nil
	Expected *uint64 // what the rule requires, or nil
	Found    *uint64 // what the file has, or nil
}

// String describes the fault in one line, without bytes that a terminal obeys.
func (f *Fault) String() string {
	var b strings.Builder
	b.WriteString("rule " + f.Rule)
	if !f.NoOffset {
		fmt.Fprintf(&b, " at byte %d", f.Offset)
	}
	b.WriteString(": " + f.Meaning)
	joint := ": "
	if f.Tensor != nil && f.Tensor.HasName {
		b.WriteString(": tensor " + strconv.Quote(f.Tensor.Name))
		joint = " and "
	}
	if f.Other != nil && f.Other.HasName {
		b.WriteString(joint + strconv.Quote(f.Other.Name))
	}
	switch {
	case f.Expected != nil && f.Found != nil:
		fmt.Fprintf(&b, " (expected %d, found %d)", *f.Expected, *f.Found)
	case f.Expected != nil:
		fmt.Fprintf(&b, " (expected %d)", *f.Expected)
	case f.Found != nil:
		fmt.Fprintf(&b, " (found %d)", *f.Found)
	}
	return b.String()
}

// InvalidError is the error of a file that breaks a rule. No call will accept that file.
type InvalidError struct {
	Path string // or ""
	Fault
}

func (e *InvalidError) Error() string {
	return prefix(e.Path) + "invalid: " + e.Fault.String()
}

// NotJudgedError is the error of a file that was not judged. errors.Is(err, ErrNotJudged) is true, and errors.Is and
// errors.As find the error of the reader or of the system.
type NotJudgedError struct {
	Path  string // or ""
	Fault        // the rule, for example N1 for too few bytes; Rule is "" if the core was not asked
	Err   error  // what went wrong, or nil
}

func (e *NotJudgedError) Error() string {
	if e.Err != nil {
		return prefix(e.Path) + "not judged: " + printable(e.Err.Error())
	}
	return prefix(e.Path) + "not judged: " + e.Fault.String()
}

// Is makes errors.Is(err, ErrNotJudged) true.
func (e *NotJudgedError) Is(target error) bool { return target == ErrNotJudged }

func (e *NotJudgedError) Unwrap() error { return e.Err }

// notJudged returns a report and the error that goes with it.
func notJudged(path string, size int64, err error) (Report, error) {
	return Report{Path: path, Size: size}, &NotJudgedError{Path: path, Err: err}
}

func prefix(path string) string {
	if path == "" {
		return ""
	}
	return printable(path) + ": "
}

// printable returns a text without characters that a terminal obeys or that change the order of others.
func printable(text string) string {
	var b strings.Builder
	for _, r := range strings.ToValidUTF8(text, "\uFFFD") {
		if strconv.IsPrint(r) {
			b.WriteRune(r)
		} else {
			quoted := strconv.QuoteRune(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		}
	}
	return b.String()
}

// Package assay judges safetensors files before they are loaded.
//
// A file that assay accepts obeys every rule of the format, and programs that follow the format read the same tensors
// from it. The parser is a C core that Frama-C proves. This package runs it as WebAssembly, without cgo, and reads only
// the header of a file, however large the file is.
//
// A file is valid if and only if the error is nil:
//
//	report, err := assay.CheckFile("model.safetensors", nil)
//	var invalid *assay.InvalidError
//	switch {
//	case err == nil:
//		fmt.Println("valid:", report.Tensors, "tensors")
//	case errors.As(err, &invalid):
//		fmt.Println("invalid: rule", invalid.Rule, "at byte", invalid.Offset)
//	default: // errors.Is(err, assay.ErrNotJudged)
//		fmt.Println(err)
//	}
//
// [Open], [OpenFile] and [OpenURL] judge a file, and then return its tensors.
//
// All functions may be called from several goroutines at a time, and so may the methods of [File] and [Tensor]. At most
// GOMAXPROCS files are judged at the same time; further calls wait. Each judgement needs memory for the header, and for
// its tables up to 5.4 times as much. It ends at 1 GiB, which suffices for the largest header that the format allows,
// 100 MB; while it grows, Go may need as much again. [Options] sets lower limits. A module of up to 4 MiB is kept for
// the next file, at most GOMAXPROCS of them.
package assay

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"
)

// headMax is the size of the longest head that a file may have.
const headMax = 100_000_008

// Options are what a caller is ready to read. The zero value, like a nil *Options, allows all that the format allows. A
// file beyond a limit is not judged. Of each limit, 0 means that there is none, and a negative number allows nothing.
type Options struct {
	MaxHeader   int64 // bytes of the header, without the 8 bytes of its length
	MaxTensors  int64
	MaxRank     int64 // dims of one shape
	MaxName     int64 // bytes of one tensor name
	MaxMetadata int64 // metadata pairs

	// PublicOnly refuses addresses whose host is not on the public internet: private, loopback, link-local, reserved.
	// Without it, only a redirection from a public host to such a host is refused.
	PublicOnly bool
	// Client sends the requests of CheckURL and OpenURL, for example with credentials. It is then up to its transport
	// to which hosts it connects and sends a token: PublicOnly must be false. Redirections are limited as those of the
	// own client.
	Client *http.Client
}

// limits returns the five numbers of assay_flat.h.
func (o *Options) limits() [5]uint64 {
	none := ^uint64(0)
	limits := [5]uint64{none, none, none, none, none}
	if o != nil {
		for k, limit := range [5]int64{o.MaxHeader, o.MaxTensors, o.MaxRank, o.MaxName, o.MaxMetadata} {
			if limit != 0 {
				limits[k] = uint64(max(limit, 0))
			}
		}
	}
	return limits
}

// Verdict is the result of a judgement. The zero value is NotJudged: a Report that nobody has filled in is not valid.
type Verdict uint8

const (
	NotJudged Verdict = iota // too few bytes, a limit, a read error
	Valid
	Invalid
)

func (v Verdict) String() string {
	switch v {
	case Valid:
		return "valid"
	case Invalid:
		return "invalid"
	}
	return "not judged"
}

// Report describes a file that was judged. Its verdict is Valid if and only if the error that came with it is nil; the
// error has the rule and the byte. Tensors, Metadata and Header are 0 if the file is not valid.
type Report struct {
	Path     string // the path or the address, or ""
	Verdict  Verdict
	Tensors  int   // their number
	Metadata int   // number of metadata pairs
	Header   int64 // bytes of the header, without the 8 bytes of its length
	Size     int64 // bytes of the file; -1 if it is not known
}

func (r Report) String() string {
	switch {
	case r.Verdict != Valid:
		return prefix(r.Path) + r.Verdict.String()
	case r.Tensors == 1:
		return fmt.Sprintf("%svalid: 1 tensor, %d bytes", prefix(r.Path), r.Size)
	}
	return fmt.Sprintf("%svalid: %d tensors, %d bytes", prefix(r.Path), r.Tensors, r.Size)
}

// Check judges a file of this size. Only its first 8 + N bytes are read, where N is the header length.
//
// The error is nil if and only if the file is valid. Otherwise it is an *InvalidError or a *NotJudgedError.
func Check(r io.ReaderAt, size int64, o *Options) (Report, error) {
	return CheckContext(context.Background(), r, size, o)
}

// CheckContext is Check with a context. A file whose judgement is cancelled is not judged. The core is not interrupted:
// the largest headers take it some seconds.
func CheckContext(ctx context.Context, r io.ReaderAt, size int64, o *Options) (Report, error) {
	report, _, err := judgeReader(ctx, "", r, size, o, false)
	return report, err
}

// CheckFile judges a file by its path. Only regular files are read: no pipe, no device.
func CheckFile(path string, o *Options) (Report, error) {
	f, size, err := openRegular(path)
	if err != nil {
		return notJudged(path, -1, err)
	}
	defer f.Close()
	report, _, err := judgeReader(context.Background(), path, f, size, o, false)
	return report, err
}

// CheckHead judges a file by its first bytes and its size. If these are too few bytes, the file is not judged, by rule
// N1, and Expected of the error is the number of bytes that are needed.
func CheckHead(head []byte, size int64, o *Options) (Report, error) {
	report, _, err := judgeHead(context.Background(), "", head, size, o, false)
	return report, err
}

// openRegular opens a file without waiting for a pipe. A program that holds a lease on it, as `assay edit --in-place` does
// for a moment, has five seconds to give it back.
func openRegular(path string) (*os.File, int64, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|nonBlocking, 0)
	for tries := 0; isLeased(err) && tries < 500; tries++ {
		time.Sleep(10 * time.Millisecond)
		f, err = os.OpenFile(path, os.O_RDONLY|nonBlocking, 0)
	}
	if err != nil {
		var inner *os.PathError
		if errors.As(err, &inner) {
			err = inner.Err
		}
		return nil, -1, fmt.Errorf("can't be opened: %w", err)
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("is %s, not a file", kindOf(info.Mode()))
	}
	if err != nil {
		f.Close()
		return nil, -1, err
	}
	return f, info.Size(), nil
}

func kindOf(mode os.FileMode) string {
	switch {
	case mode.IsDir():
		return "a directory"
	case mode&os.ModeNamedPipe != 0:
		return "a pipe"
	case mode&os.ModeSocket != 0:
		return "a socket"
	}
	return "a device"
}

// judgeReader reads the head of a file once, so that a file that changes meanwhile can't show two faces, and judges it.
func judgeReader(ctx context.Context, path string, r io.ReaderAt, size int64, o *Options, keep bool) (Report,
	*table, error) {
	if size < 0 || r == nil {
		report, err := notJudged(path, -1, errors.New("there is no reader, or the size is negative"))
		return report, nil, err
	}
	head, err := readHead(ctx, r, size, o.limits()[0])
	if err != nil {
		report, err := notJudged(path, size, err)
		return report, nil, err
	}
	return judgeHead(ctx, path, head, size, o, keep)
}

// readHead returns the first 8 + N bytes of a file, or the first 8 if the length alone decides.
func readHead(ctx context.Context, r io.ReaderAt, size int64, limit uint64) ([]byte, error) {
	head := make([]byte, min(8, size))
	if err := readFull(ctx, r, head, 0); err != nil {
		return head, err
	}
	// The size may be wrong, and the memory for what is never sent is not taken: it grows with what comes.
	for need := headSize(head, size, limit); len(head) < need; {
		begin := len(head)
		grown := make([]byte, min(need, max(2*begin, 1<<20)))
		copy(grown, head)
		head = grown
		if err := readFull(ctx, r, head[begin:], int64(begin)); err != nil {
			return nil, err
		}
	}
	return head, nil
}

// headSize returns how many bytes of a file its first eight ask for, or fewer than these if the length alone decides.
func headSize(first []byte, size int64, limit uint64) int {
	if len(first) < 8 || size < 8 {
		return 0
	}
	length := binary.LittleEndian.Uint64(first)
	if length > headMax-8 || length > uint64(size-8) || length > limit {
		return 0
	}
	return int(8 + length)
}

// errShorter means that a file ends before the size that it had.
var errShorter = fmt.Errorf("the file became shorter while it was read: %w", io.ErrUnexpectedEOF)

// readFull fills p with the bytes from off on. It trusts no reader: a count that can't be, or an end before p is full,
// is an error.
func readFull(ctx context.Context, r io.ReaderAt, p []byte, off int64) error {
	for idle := 0; len(p) > 0; {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := r.ReadAt(p, off)
		switch {
		case n < 0 || n > len(p):
			return errors.New("the reader returned an impossible count")
		case n == len(p):
			return nil
		case err == io.EOF:
			return errShorter
		case err != nil:
			return err
		case n == 0:
			if idle++; idle == 100 {
				return io.ErrNoProgress
			}
		default:
			idle = 0
		}
		p, off = p[n:], off+int64(n)
	}
	return nil
}

func judgeHead(ctx context.Context, path string, head []byte, size int64, o *Options, keep bool) (Report, *table,
	error) {
	if size < 0 {
		report, err := notJudged(path, -1, errors.New("the size is negative"))
		return report, nil, err
	}
	if len(head) > headMax {
		head = head[:headMax] // no more is ever needed
	}
	report := Report{Path: path, Size: size}
	var found *table
	var refusal error
	err := withModule(ctx, func(m *module) error {
		status, err := m.judge(head, uint64(size), o.limits())
		if err != nil {
			return err
		}
		if status != statusOK {
			refusal, err = m.refusal(path, len(head))
			return err
		}
		report.Tensors, report.Metadata = int(m.out[outTensors]), int(m.out[outPairs])
		report.Header = int64(m.out[outNeedHead]) - 8
		if keep {
			found, err = m.table(len(head))
		}
		return err
	})
	var invalid *InvalidError
	switch {
	case err != nil:
		report, err := notJudged(path, size, err)
		return report, nil, err
	case errors.As(refusal, &invalid):
		report.Verdict = Invalid
		return report, nil, refusal
	case refusal != nil:
		return report, nil, refusal
	}
	report.Verdict = Valid
	return report, found, nil
}

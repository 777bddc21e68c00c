package assay

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// What a server can cost. A judgement sends at most two requests, and receives a header and firstBytes at most.
const (
	firstBytes     = 49152 // of the first request: most headers are within
	redirectsMost  = 10
	fieldsMost     = 65536 // bytes of the head of a response
	judgementMost  = 300 * time.Second
	connectMost    = 15 * time.Second
	answerMost     = 30 * time.Second // until the head of a response is there
	bytesPerSecond = 1024             // a server that sends less, after answerMost, is too slow
)

const hub = "https://huggingface.co"

var (
	hubAddress   = regexp.MustCompile(`(?is)^hf://(\w[\w.-]*/\w[\w.-]*)(?:@(refs/[^/]+/[^/]+|[^/]+))?/(.+)$`)
	contentRange = regexp.MustCompile(`^bytes (?:(\d{1,18})-(\d{1,18})|\*)/(\d{1,18})$`)
)

var (
	errNotHub = errors.New("is not the address of a file on the Hub: hf://OWNER/MODEL[@REVISION]/PATH")
	slashes   = strings.NewReplacer("%2F", "/", "%2f", "/") // refs%2Fpr%2F1 is the revision refs/pr/1
)

// CheckURL judges a file on a server: https://, http://, or hf://OWNER/MODEL[@REVISION]/PATH for the Hugging Face Hub.
// Only the header is fetched, in one or two requests, in at most 300 seconds; nothing is tried again. What can't be
// fetched is not judged.
//
// The verdict covers the header that the server sent, and the size that it reported. A server can send something else
// to the next client: check the file again after the download, or read it with OpenURL.
func CheckURL(ctx context.Context, address string, o *Options) (Report, error) {
	r, ctx, stop, err := dialURL(ctx, address, o)
	if err != nil {
		return notJudged(address, -1, err)
	}
	defer stop()
	defer r.Close()
	report, _, err := judgeReader(ctx, address, r, r.size, o, false)
	return report, err
}

// OpenURL is OpenFile with an address as in CheckURL. Data are read by ranges: each read of a tensor is a request, and
// fails if the file on the server is not the version that was judged, by its size and its ETag or date. A server that
// reports neither ETag nor date is trusted in that. ctx must live as long as the file is read.
func OpenURL(ctx context.Context, address string, o *Options) (*File, error) {
	r, judging, stop, err := dialURL(ctx, address, o)
	if err != nil {
		_, err = notJudged(address, -1, err)
		return nil, err
	}
	defer stop()
	f, err := open(judging, address, r, r.size, o, r)
	if err != nil {
		r.Close()
		return nil, err
	}
	r.ctx = ctx
	r.first = bytes.Clone(r.first[:min(len(r.first), firstBytes)]) // the head was judged, and is not kept twice
	return f, nil
}

// remote reads a file on a server.
type remote struct {
	ctx     context.Context // io.ReaderAt has none
	client  *http.Client
	address string
	own     *http.Transport
	first   []byte
	size    int64
	version string
}

// dialURL fetches the first bytes of a file. It returns its reader and the context of the judgement.
func dialURL(ctx context.Context, address string, o *Options) (*remote, context.Context, context.CancelFunc, error) {
	target, err := urlOf(address)
	if err != nil {
		return nil, nil, nil, err
	}
	ctx, stop := context.WithTimeout(ctx, judgementMost)
	r := &remote{ctx: ctx, address: target}
	if err := r.setClient(o); err != nil {
		stop()
		return nil, nil, nil, err
	}
	if r.first, r.size, r.version, err = r.fetch(0, firstBytes); err == nil {
		err = r.fetchHead(o.limits()[0])
	}
	if err != nil {
		stop()
		r.Close()
		return nil, nil, nil, fmt.Errorf("can't be fetched: %w", err)
	}
	return r, ctx, stop, nil
}

// fetchHead fetches what is missing of the head. Without a strong ETag that is all of it, in one answer: two answers could
// be of two versions.
func (r *remote) fetchHead(limit uint64) error {
	need, begin := headSize(r.first, r.size, limit), 0
	if need <= len(r.first) {
		return nil
	}
	if strings.HasPrefix(r.version, `"`) {
		begin = len(r.first)
	}
	rest, size, version, err := r.fetch(int64(begin), int64(need))
	if err != nil {
		return err
	}
	if r.isOther(size, version) || begin == 0 && !bytes.Equal(rest[:8], r.first[:8]) {
		return errChanged
	}
	r.first = append(r.first[:begin:begin], rest...)
	return nil
}

// urlOf returns the URL of an address.
func urlOf(address string) (string, error) {
	scheme, _, _ := strings.Cut(address, ":")
	if strings.EqualFold(scheme, "hf") {
		found := hubAddress.FindStringSubmatch(address)
		if found == nil {
			return "", errNotHub
		}
		revision := slashes.Replace(found[2])
		if revision == "" {
			revision = "main"
		}
		for _, part := range strings.Split(revision+"/"+found[3], "/") {
			if part == "" || part == "." || part == ".." {
				return "", errNotHub
			}
		}
		parts := strings.Split(found[3], "/")
		for k, part := range parts {
			parts[k] = url.PathEscape(part)
		}
		return hub + "/" + found[1] + "/resolve/" + url.PathEscape(revision) + "/" + strings.Join(parts, "/"), nil
	}
	parsed, err := url.Parse(address)
	if err != nil {
		return "", errors.New("is not an address")
	}
	if (parsed.Scheme != "http" && parsed.Scheme != "https") || parsed.Host == "" {
		return "", errors.New("is not an address of https://, http:// or hf://")
	}
	return address, nil
}

// setClient makes the client: of the caller, or an own one, which keeps its connections for this file alone.
func (r *remote) setClient(o *Options) error {
	r.client = &http.Client{}
	if o != nil && o.Client != nil {
		if o.PublicOnly {
			return errors.New("can't be fetched: PublicOnly has no effect on a client of yours: set one of them")
		}
		*r.client = *o.Client
	} else {
		guard := &dialGuard{publicOnly: o != nil && o.PublicOnly}
		dialer := &net.Dialer{Timeout: connectMost, Control: guard.control}
		r.own = &http.Transport{
			Proxy: http.ProxyFromEnvironment, DialContext: dialer.DialContext, ForceAttemptHTTP2: true,
			TLSHandshakeTimeout: connectMost, ResponseHeaderTimeout: answerMost, MaxResponseHeaderBytes: fieldsMost,
			MaxIdleConnsPerHost: 2, IdleConnTimeout: answerMost, DisableCompression: true,
		}
		if guard.publicOnly {
			r.own.Proxy = nil // it would resolve names itself
		}
		r.client.Transport = r.own
	}
	inner := r.client.CheckRedirect
	r.client.CheckRedirect = func(request *http.Request, via []*http.Request) error {
		to, from := request.URL.Scheme, via[len(via)-1].URL.Scheme
		if to != "https" && (to != "http" || from == "https") {
			return fmt.Errorf("the server redirects from %s to %s", from, printable(to))
		}
		if len(via) > redirectsMost {
			return fmt.Errorf("the server redirects more than %d times", redirectsMost)
		}
		if inner != nil {
			return inner(request, via)
		}
		return nil
	}
	return nil
}

// Close ends the connections.
func (r *remote) Close() error {
	if r.own != nil {
		r.own.CloseIdleConnections()
	}
	return nil
}

var errChanged = errors.New("the file on the server has changed")

// isOther returns whether an answer is of another version than the first.
func (r *remote) isOther(size int64, version string) bool {
	return size != r.size || version != r.version
}

// ReadAt reads from the bytes of the first request, and fetches what comes after them.
func (r *remote) ReadAt(p []byte, off int64) (int, error) {
	if off < 0 {
		return 0, errors.New("a negative offset")
	}
	if off >= r.size {
		return 0, io.EOF
	}
	want := p[:min(int64(len(p)), r.size-off)]
	n := 0
	if off < int64(len(r.first)) {
		n = copy(want, r.first[off:])
	}
	if n < len(want) {
		data, size, version, err := r.fetch(off+int64(n), off+int64(len(want)))
		switch {
		case err != nil:
			return n, fmt.Errorf("can't be fetched: %w", err)
		case r.isOther(size, version):
			return n, fmt.Errorf("can't be fetched: %w", errChanged)
		}
		n += copy(want[n:], data)
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// fetch fetches the bytes from begin to the one before end, fewer if the file ends before. It returns them, the size of
// the file, and what identifies its version.
func (r *remote) fetch(begin, end int64) ([]byte, int64, string, error) {
	ctx, stop := context.WithTimeout(r.ctx, answerMost+time.Duration((end-begin)/bytesPerSecond)*time.Second)
	defer stop()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, r.address, nil)
	if err != nil {
		return nil, 0, "", err
	}
	request.Header.Set("Range", fmt.Sprintf("bytes=%d-%d", begin, end-1))
	request.Header.Set("Accept-Encoding", "identity")
	request.Header.Set("User-Agent", "assay")
	response, err := r.client.Do(request)
	if err != nil {
		var inner *url.Error
		if errors.As(err, &inner) {
			err = inner.Err // without the URL, which may have a token in it
		}
		return nil, 0, "", err
	}
	defer response.Body.Close()
	size, err := sizeOf(response, begin, end)
	if err != nil {
		return nil, 0, "", err
	}
	version := response.Header.Get("ETag") + "\n" + response.Header.Get("Last-Modified")
	if size == 0 {
		return nil, 0, version, nil
	}
	data, count := []byte{}, min(end, size)-begin
	for int64(len(data)) < count { // the memory grows with what comes
		part, at := min(count-int64(len(data)), max(1<<20, int64(len(data)))), len(data)
		data = append(data, make([]byte, part)...)
		if n, err := io.ReadFull(response.Body, data[at:]); err != nil {
			if err == io.EOF || err == io.ErrUnexpectedEOF {
				err = fmt.Errorf("the server sent %d of %d bytes: %w", at+n, count, io.ErrUnexpectedEOF)
			}
			return nil, 0, "", err
		}
	}
	return data, size, version, nil
}

// sizeOf returns the size of the file, if the response has the bytes from begin to the one before end of it.
func sizeOf(response *http.Response, begin, end int64) (int64, error) {
	if encoding := response.Header.Get("Content-Encoding"); encoding != "" && encoding != "identity" {
		return 0, fmt.Errorf("the server encodes the file: %s", printable(encoding))
	}
	text := response.Header.Get("Content-Range")
	found := contentRange.FindStringSubmatch(text)
	number := func(k int) int64 {
		n, _ := strconv.ParseInt(found[k], 10, 64) // at most 18 digits
		return n
	}
	switch {
	case response.StatusCode == http.StatusPartialContent:
		if found == nil || found[1] == "" || number(1) != begin || number(2) != min(end, number(3))-1 {
			return 0, fmt.Errorf("the server sent another range than that requested: %s", printable(text))
		}
		return number(3), nil
	case response.StatusCode == http.StatusOK && begin == 0 && response.ContentLength >= 0:
		return response.ContentLength, nil // the whole file: no more than its beginning is read
	case response.StatusCode == http.StatusRequestedRangeNotSatisfiable && begin == 0 && found != nil && number(3) == 0:
		return 0, nil
	case response.StatusCode == http.StatusOK:
		return 0, errors.New("the server sends no ranges of the file")
	}
	return 0, fmt.Errorf("the server responds with status %d", response.StatusCode)
}

// dialGuard refuses connections to hosts that are not public: all, or those after a first connection that was public.
// A connection to a proxy counts as one to the host.
type dialGuard struct {
	publicOnly  bool
	firstPublic atomic.Int32 // 0: there was no connection; 1: the first was public; 2: it was not
}

var errNotPublic = errors.New("is not on the public internet")

func (g *dialGuard) control(_, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return err
	}
	public := isPublic(to.Addr())
	if public {
		g.firstPublic.CompareAndSwap(0, 1)
		return nil
	}
	if g.publicOnly {
		return fmt.Errorf("the host %w: %s", errNotPublic, to.Addr())
	}
	if !g.firstPublic.CompareAndSwap(0, 2) && g.firstPublic.Load() == 1 {
		return fmt.Errorf("the server redirects to a host that %w: %s", errNotPublic, to.Addr())
	}
	return nil
}

// The ranges of src/remote/ip_range.c: what the public internet does not route.
var (
	special4 = prefixes("0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16/32 169.254.0.0/16 172.16.0.0/12 " +
		"192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 " +
		"224.0.0.0/4 240.0.0.0/4")
	special6  = prefixes("2001::/23 2001:db8::/32 3fff::/20")
	public6   = netip.MustParsePrefix("2000::/3")
	nat64     = netip.MustParsePrefix("64:ff9b::/96")
	sixToFour = netip.MustParsePrefix("2002::/16")
)

func prefixes(text string) []netip.Prefix {
	var out []netip.Prefix
	for _, one := range strings.Fields(text) {
		out = append(out, netip.MustParsePrefix(one))
	}
	return out
}

// isPublic returns whether the public internet routes an address. An IPv6 address that contains an IPv4 address is as
// that one is.
func isPublic(a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	if bytes := a.As16(); a.Is6() && nat64.Contains(a) {
		a = netip.AddrFrom4([4]byte(bytes[12:16]))
	} else if a.Is6() && sixToFour.Contains(a) {
		a = netip.AddrFrom4([4]byte(bytes[2:6]))
	}
	ranges := special4
	if a.Is6() {
		if !public6.Contains(a) {
			return false
		}
		ranges = special6
	}
	for _, one := range ranges {
		if one.Contains(a) {
			return false
		}
	}
	return true
}

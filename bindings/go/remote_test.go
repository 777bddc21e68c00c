package assay

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// server sends files, in the way that the first part of the path names.
type server struct {
	*httptest.Server
	files    map[string][]byte
	mutex    sync.Mutex
	requests []string
}

var rangeField = regexp.MustCompile(`^bytes=(\d+)-(\d+)$`)

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	parts := strings.SplitN(strings.TrimPrefix(r.URL.Path, "/"), "/", 2)
	s.mutex.Lock()
	way, data := parts[0], s.files[parts[len(parts)-1]]
	s.requests = append(s.requests, r.Header.Get("Range"))
	count := len(s.requests)
	s.mutex.Unlock()
	var begin, end int
	asked := rangeField.FindStringSubmatch(r.Header.Get("Range"))
	if asked == nil || data == nil {
		http.Error(w, "none", http.StatusNotFound)
		return
	}
	fmt.Sscan(asked[1], &begin)
	fmt.Sscan(asked[2], &end)
	end = min(end+1, len(data))
	to := map[string]string{"redirect": "/range/" + parts[1], "elsewhere": "ftp://127.0.0.1/x", "ring": r.URL.Path}[way]
	if to != "" {
		w.Header().Set("Location", to)
		w.WriteHeader(http.StatusFound)
		return
	}
	if begin >= len(data) {
		w.Header().Set("Content-Range", fmt.Sprintf("bytes */%d", len(data)))
		w.WriteHeader(http.StatusRequestedRangeNotSatisfiable)
		return
	}
	first, last, size, tag, status := begin, end-1, len(data), `"1"`, http.StatusPartialContent
	switch way {
	case "other":
		first++
	case "less":
		last--
		end--
	case "changes":
		tag = fmt.Sprintf(`"%d"`, count)
	case "weak":
		tag = `W/"1"`
	case "none", "turns":
		tag = ""
	case "larger":
		size += begin
	case "whole":
		status, begin, end = http.StatusOK, 0, len(data)
	case "encoded":
		w.Header().Set("Content-Encoding", "gzip")
	case "slow":
		<-r.Context().Done()
		return
	}
	w.Header().Set("ETag", tag)
	if status == http.StatusPartialContent {
		w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", first, last, size))
	}
	w.Header().Set("Content-Length", fmt.Sprint(end-begin))
	w.WriteHeader(status)
	body := data[begin:end]
	if way == "short" {
		body = body[:len(body)-1]
	}
	if way == "turns" {
		body = bytes.Clone(body)
		body[0] += byte(count)
	}
	w.Write(body)
}

func serve(t *testing.T) *server {
	var many strings.Builder
	many.WriteString("{")
	for k := range 2000 {
		fmt.Fprintf(&many, `%s"tensor.number.%d":{"dtype":"U8","shape":[1],"data_offsets":[%d,%d]}`, comma(k), k, k, k+1)
	}
	many.WriteString("}")
	s := &server{files: map[string][]byte{"small": two, "large": fileOf(many.String(), 2000), "empty": {},
		"cut":  two[:len(two)-1],
		"page": []byte("<html>not found</html>")}}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *server) take() []string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	taken := s.requests
	s.requests = nil
	return taken
}

func TestCheckURL(t *testing.T) {
	s, ctx := serve(t), context.Background()
	for _, path := range []string{"/range/small", "/range/large", "/redirect/small", "/redirect/large", "/whole/small"} {
		data := s.files[path[strings.LastIndex(path, "/")+1:]]
		want, _ := Check(bytes.NewReader(data), int64(len(data)), nil)
		want.Path = s.URL + path
		if report, err := CheckURL(ctx, s.URL+path, nil); err != nil || report != want {
			t.Errorf("%s: %v, %v", path, report, err)
		}
		if report, err := CheckURL(ctx, s.URL+path, &Options{Client: s.Client()}); err != nil || report != want {
			t.Errorf("%s with a client: %v, %v", path, report, err)
		}
	}
	s.take()
	report, err := CheckURL(ctx, s.URL+"/range/large", nil)
	want := []string{"bytes=0-49151", fmt.Sprintf("bytes=49152-%d", report.Header+7)}
	if got := s.take(); err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, not %v: %v", got, want, err)
	}
	for name, rule := range map[string]string{"empty": "F1", "cut": "G3", "page": "F2"} {
		var invalid *InvalidError
		if _, err := CheckURL(ctx, s.URL+"/range/"+name, nil); !errors.As(err, &invalid) || invalid.Rule != rule {
			t.Errorf("%s: %v", name, err)
		}
	}
	s.take()
	var none *NotJudgedError
	if _, err := CheckURL(ctx, s.URL+"/range/large", &Options{MaxHeader: 1000}); !errors.As(err, &none) ||
		none.Rule != "N5" {
		t.Error(err)
	}
	if got := s.take(); len(got) != 1 {
		t.Error(got)
	}
}

func TestCheckURLNotJudged(t *testing.T) {
	s := serve(t)
	for address, why := range map[string]string{
		s.URL + "/other/small":     "another range",
		s.URL + "/less/small":      "another range",
		s.URL + "/short/small":     "bytes",
		s.URL + "/whole/large":     "no ranges",
		s.URL + "/changes/large":   "has changed",
		s.URL + "/larger/large":    "has changed",
		s.URL + "/turns/large":     "has changed",
		s.URL + "/range/none":      "status 404",
		s.URL + "/encoded/small":   "encodes the file: gzip",
		s.URL + "/elsewhere/x":     "status 404",
		s.URL + "/elsewhere/small": "redirects from http to ftp",
		s.URL + "/ring/small":      "more than 10 times",
		"http://127.0.0.1:1/x":     "refused",
		"hf://model.safetensors":   "hf://OWNER/MODEL",
		"nothing://x":              "is not an address",
		"http://[":                 "is not an address",
		"http:///x":                "is not an address",
		"":                         "is not an address",
	} {
		report, err := CheckURL(context.Background(), address, nil)
		if report.Verdict != NotJudged || !errors.Is(err, ErrNotJudged) || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %v, %v", address, report, err)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if _, err := CheckURL(ctx, s.URL+"/slow/small", nil); !errors.Is(err, context.DeadlineExceeded) ||
		!errors.Is(err, ErrNotJudged) {
		t.Error(err)
	}
}

// TestCheckURLWithoutVersion checks that a head that does not come with the first answer comes whole with the second,
// unless a strong ETag shows that both are of one version.
func TestCheckURLWithoutVersion(t *testing.T) {
	s := serve(t)
	for _, way := range []string{"weak", "none"} {
		s.take()
		report, err := CheckURL(context.Background(), s.URL+"/"+way+"/large", nil)
		want := []string{"bytes=0-49151", fmt.Sprintf("bytes=0-%d", report.Header+7)}
		if got := s.take(); err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %v, not %v: %v", way, got, want, err)
		}
	}
	f, err := OpenURL(context.Background(), s.URL+"/none/large", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	checkTable(t, f, s.files["large"])
}

// TestRedirectFromTLS checks that no redirection leaves https.
func TestRedirectFromTLS(t *testing.T) {
	s := serve(t)
	secure := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, s.URL+"/range/small", http.StatusFound)
	}))
	defer secure.Close()
	if _, err := CheckURL(context.Background(), secure.URL, &Options{Client: secure.Client()}); err == nil ||
		!strings.Contains(err.Error(), "redirects from https to http") {
		t.Error(err)
	}
	if _, err := CheckURL(context.Background(), secure.URL, nil); err == nil || !strings.Contains(err.Error(),
		"certificate") {
		t.Error(err)
	}
}

func TestOpenURL(t *testing.T) {
	s := serve(t)
	for _, name := range []string{"small", "large"} {
		f, err := OpenURL(context.Background(), s.URL+"/range/"+name, nil)
		if err != nil {
			t.Fatal(err)
		}
		checkTable(t, f, s.files[name])
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
	f, err := OpenURL(context.Background(), s.URL+"/range/large", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s.mutex.Lock()
	s.files["large"] = s.files["large"][:len(s.files["large"])-1]
	s.mutex.Unlock()
	if _, err := f.Tensor("tensor.number.5").Bytes(); err == nil || !strings.Contains(err.Error(), "has changed") {
		t.Error(err)
	}
	if f, err := OpenURL(context.Background(), s.URL+"/range/cut", nil); f != nil || err == nil {
		t.Error("an invalid file is opened")
	}
}

func TestPublicOnly(t *testing.T) {
	s := serve(t)
	if _, err := CheckURL(context.Background(), s.URL+"/range/small", &Options{PublicOnly: true}); !errors.Is(err,
		errNotPublic) {
		t.Error(err)
	}
	if _, err := CheckURL(context.Background(), s.URL+"/range/small", &Options{PublicOnly: true,
		Client: s.Client()}); err == nil {
		t.Error("PublicOnly is ignored")
	}
	guard := &dialGuard{}
	for _, one := range []struct {
		address string
		refused bool
	}{{"8.8.8.8:443", false}, {"[2606:4700::1111]:443", false}, {"127.0.0.1:80", true}, {"[::1]:80",
		true}, {"8.8.4.4:443", false}} {
		if err := guard.control("tcp", one.address, nil); (err != nil) != one.refused {
			t.Errorf("after a public host, %s: %v", one.address, err)
		}
	}
	guard = &dialGuard{}
	for _, address := range []string{"10.0.0.1:80", "8.8.8.8:80", "127.0.0.1:80"} {
		if err := guard.control("tcp", address, nil); err != nil {
			t.Errorf("after a private host, %s: %v", address, err)
		}
	}
}

func TestIsPublic(t *testing.T) {
	for text, public := range map[string]bool{
		"8.8.8.8": true, "1.1.1.1": true, "100.63.255.255": true, "100.64.0.0": false,
		"127.0.0.1": false, "169.254.169.254": false,
		"168.63.129.16": false, "168.63.129.17": true, "172.15.0.1": true, "172.31.255.255": false, "192.168.1.1": false,
		"198.19.0.1": false, "224.0.0.1": false, "255.255.255.255": false, "0.0.0.0": false,
		"2606:4700::1111": true, "::1": false,
		"::": false, "fe80::1%eth0": false, "fc00::1": false, "ff02::1": false, "2001:db8::1": false, "2001::1": false,
		"::ffff:10.0.0.1": false, "::ffff:8.8.8.8": true, "64:ff9b::a00:1": false, "64:ff9b::808:808": true,
		"64:ff9b:1::808:808": false,
		"2002:a00:1::1":      false, "2002:808:808::1": true, "3fff::1": false, "4000::1": false,
	} {
		if got := isPublic(netip.MustParseAddr(text)); got != public {
			t.Errorf("%s: %v", text, got)
		}
	}
	// The table is that of the program.
	source, err := os.ReadFile(tree(t, "src/remote/ip_range.c"))
	if err != nil {
		t.Fatal(err)
	}
	if rows := regexp.MustCompile(`(?m)^    \{\{[^{}]*\}, \d+, IP_SPECIAL, `).FindAll(source,
		-1); len(rows) != len(special4)+len(special6)+3 {
		t.Errorf("src/remote/ip_range.c has %d rows", len(rows))
	}
}

func TestHubAddresses(t *testing.T) {
	for address, want := range map[string]string{
		"hf://o/m/a b.safetensors":  "https://huggingface.co/o/m/resolve/main/a%20b.safetensors",
		"hf://o/m@refs%2Fpr%2F1/x":  "https://huggingface.co/o/m/resolve/refs%2Fpr%2F1/x",
		"hf://o/m@refs/pr/1/x":      "https://huggingface.co/o/m/resolve/refs%2Fpr%2F1/x",
		"hf://o/m@v1/d/x":           "https://huggingface.co/o/m/resolve/v1/d/x",
		"https://example.org/a?b=c": "https://example.org/a?b=c",
	} {
		if got, err := urlOf(address); err != nil || got != want {
			t.Errorf("%s: %s, %v", address, got, err)
		}
	}
	for _, address := range []string{"hf://o/m", "hf://o/m/../../other/x", "hf://o/../x", "hf://../m/x", "hf://o/m?a/x",
		"hf://o/m@a%2F../x", "hf://o/m@/x", "hf://o/m/a//x", "hf://o/m@../x"} {
		if got, err := urlOf(address); err == nil {
			t.Errorf("%s: %s", address, got)
		}
	}
}

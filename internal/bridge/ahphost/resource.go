package ahphost

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/turnwire/turnwire/internal/bridge/ahpmap"
	"github.com/turnwire/turnwire/internal/protocol/ahp"
	"github.com/turnwire/turnwire/internal/textfile"
	"github.com/turnwire/turnwire/protocol"
)

const (
	// maxFile bounds a file that is read, in bytes.
	maxFile = 16 << 20
	// maxEntries bounds a folder that is listed.
	maxEntries = 10_000
)

// A place is a file inside a folder that clients may read.
type place struct {
	folder string
	name   string // within the folder, "." for itself
}

// within calls do with the folder opened as a root, so links cannot lead out of it.
func (p place) within(do func(*os.Root) (any, error)) (any, error) {
	// To open a named pipe would wait for its other end.
	if info, err := os.Stat(p.folder); err != nil {
		return nil, fileError(err)
	} else if !info.IsDir() {
		return nil, protocol.Errorf(ahp.CodeDenied, "%s is not a folder", p.folder)
	}
	root, err := os.OpenRoot(p.folder)
	if err != nil {
		return nil, fileError(err)
	}
	defer func() { _ = root.Close() }() // it was only read
	result, err := do(root)
	return result, fileError(err)
}

// fileError adds the error's AHP code.
func fileError(err error) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*protocol.Error](err); ok {
		return err
	}
	if errors.Is(err, fs.ErrNotExist) {
		return protocol.Errorf(ahp.CodeNotFound, "%w", err)
	}
	return protocol.Errorf(ahp.CodeDenied, "%w", err)
}

// uri decodes the params of a request about a file. If ok is false, it has answered the
// request.
func (q *request) uri() (uri, encoding string, ok bool) {
	var p struct {
		URI      string `json:"uri"`
		Encoding string `json:"encoding"`
	}
	ok = q.decode(&p)
	return p.URI, p.Encoding, ok
}

// inFolder answers with the result of do in the folder of a file.
func (q *request) inFolder(uri string, do func(root *os.Root, name string) (any, error)) {
	p, err := q.client.host.sessions.file(uri)
	if err != nil {
		q.failWith(err)
		return
	}
	q.inBackground(func() (any, error) {
		return p.within(func(root *os.Root) (any, error) { return do(root, p.name) })
	})
}

type readResult struct {
	Data        string `json:"data"`
	Encoding    string `json:"encoding"`
	ContentType string `json:"contentType,omitempty"`
}

func newReadResult(text []byte, encoding, contentType string) readResult {
	if encoding == "base64" || !utf8.Valid(text) {
		return readResult{base64.StdEncoding.EncodeToString(text), "base64", contentType}
	}
	return readResult{string(text), "utf-8", contentType}
}

// resourceRead returns a file's content, or one side of an edit.
func (q *request) resourceRead() {
	uri, encoding, ok := q.uri()
	if !ok {
		return
	}
	if strings.HasPrefix(uri, contentScheme) {
		text, ok := q.client.host.contents.text(uri)
		if !ok {
			q.fail(ahp.CodeNotFound, "the text is no longer stored")
			return
		}
		q.answer(newReadResult([]byte(text), encoding, "text/plain"))
		return
	}
	q.inFolder(uri, func(root *os.Root, name string) (any, error) {
		if info, err := root.Stat(name); err != nil {
			return nil, err
		} else if !info.Mode().IsRegular() || info.Size() > maxFile {
			return nil, fmt.Errorf("%s is not a file, or is larger than %d bytes", name, maxFile)
		}
		file, err := textfile.Open(root, name)
		if err != nil {
			return nil, err
		}
		defer func() { _ = file.Close() }() // it was only read
		text, err := io.ReadAll(io.LimitReader(file, maxFile))
		return newReadResult(text, encoding, http.DetectContentType(text)), err
	})
}

// resourceList lists a folder.
func (q *request) resourceList() {
	uri, _, ok := q.uri()
	if !ok {
		return
	}
	q.inFolder(uri, func(root *os.Root, name string) (any, error) {
		dir, err := textfile.Open(root, name)
		if err != nil {
			return nil, err
		}
		defer func() { _ = dir.Close() }() // it was only read
		found, err := dir.ReadDir(maxEntries)
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		entries := []map[string]string{}
		for _, e := range found {
			kind := "file"
			if e.IsDir() {
				kind = "directory"
			}
			entries = append(entries, map[string]string{"name": e.Name(), "type": kind})
		}
		slices.SortFunc(entries, func(a, b map[string]string) int { return strings.Compare(a["name"], b["name"]) })
		return map[string]any{"entries": entries}, nil
	})
}

// resourceResolve returns a file's type, size and time.
func (q *request) resourceResolve() {
	uri, _, ok := q.uri()
	if !ok {
		return
	}
	if text, found := q.client.host.contents.text(uri); found {
		q.answer(map[string]any{"uri": uri, "type": "file", "size": len(text), "contentType": "text/plain"})
		return
	}
	q.inFolder(uri, func(root *os.Root, name string) (any, error) {
		info, err := root.Stat(name)
		if err != nil {
			return nil, err
		}
		kind := "file"
		if info.IsDir() {
			kind = "directory"
		}
		return map[string]any{
			"uri": ahpmap.FileURI(filepath.Join(root.Name(), name)), "type": kind, "size": info.Size(), "mtime": stamp(info.ModTime()),
		}, nil
	})
}

// pathOf returns the path of a file URI, or "".
func pathOf(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Host != "" && u.Host != "localhost" {
		return ""
	}
	path := u.Path
	if runtime.GOOS == "windows" {
		path = strings.TrimPrefix(path, "/")
	}
	path = filepath.FromSlash(path)
	if !filepath.IsAbs(path) {
		return ""
	}
	return filepath.Clean(path)
}

// Package page is the web front end of "turnwire serve".
//
// # Contract
//
// What a browser loads is the same for everybody and holds no secret, so that it is
// served without a token: the page, its script and style, nothing else. The page may
// load nothing from anywhere but this server; no text in it can become a script. A
// token comes by a POST from the page itself, and is kept by the browser in a cookie
// that no script can read. Everything that has a secret is behind package guard.
package page

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"
)

// files are what is served: built from editors/vscode/src/page by "make page", and
// kept with the sources so that Go alone builds a binary that has them.
//
//go:embed files
var files embed.FS

// Prefix is below which the page's files and its requests are.
const Prefix = "/page/"

// policy is the Content-Security-Policy. Scripts come from the server alone, and
// texts become HTML only by way of the sanitiser; the worker's address is the
// one other thing that a script may name.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
	"require-trusted-types-for 'script'; trusted-types dompurify turnwire-worker"

// types are those of the files.
var types = map[string]string{
	".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
	".webmanifest": "application/manifest+json", ".png": "image/png", ".svg": "image/svg+xml", ".txt": "text/plain; charset=utf-8",
}

// A file is one as it is sent.
type file struct {
	kind, tag   string
	whole, less []byte // less is gzip, or nil
}

// assets are the files, by their paths in URLs.
var assets = sync.OnceValues(readAssets)

func readAssets() (map[string]*file, error) {
	all := make(map[string]*file)
	err := fs.WalkDir(files, "files", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := files.ReadFile(name)
		if err != nil {
			return err
		}
		kind := types[path.Ext(name)]
		if kind == "" {
			return fmt.Errorf("%s has no type", name)
		}
		sum := sha256.Sum256(text)
		f := &file{kind: kind, tag: `"` + hex.EncodeToString(sum[:12]) + `"`, whole: text}
		if !strings.HasPrefix(kind, "image/png") {
			if f.less, err = compress(text); err != nil {
				return err
			}
		}
		at := Prefix + strings.TrimPrefix(name, "files/")
		if at == Prefix+"index.html" {
			at = "/"
		}
		all[at] = f
		return nil
	})
	return all, err
}

func compress(text []byte) ([]byte, error) {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write(text); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// serve sends a file, or says that the browser has it.
func (f *file) serve(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	secure(h)
	h.Set("Content-Type", f.kind)
	h.Set("Cache-Control", "no-cache") // it may be kept, but asked about
	h.Set("ETag", f.tag)
	h.Set("Vary", "Accept-Encoding")
	if strings.Contains(r.Header.Get("If-None-Match"), f.tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	text := f.whole
	if f.less != nil && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
		text = f.less
	}
	h.Set("Content-Length", strconv.Itoa(len(text)))
	if r.Method != http.MethodHead {
		_, _ = w.Write(text)
	}
}

// secure sets what holds for every answer of the page.
func secure(h http.Header) {
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=()")
	// The worker is below /page/, and is for the whole of the server.
	h.Set("Service-Worker-Allowed", "/")
}

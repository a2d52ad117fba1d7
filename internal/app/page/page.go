// Package page is the web client of "turnwire serve".
//
// # Contract
//
// Everything that a browser loads is the same for everyone and contains no secret, so it
// is served without a token: the page, its script and style, and nothing else. The page
// may load resources only from this server, and no text in it can become a script. The
// page sends a token by POST, and the browser stores it in a cookie that no script can
// read. Everything secret is behind package guard.
package page

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"
)

// files are the served files. "make page" builds them from editors/vscode/src/page. They
// are committed, so that Go alone can build a binary that contains them.
//
//go:embed files
var files embed.FS

// program is the hash of the program in diagrams.js that draws diagrams in a sandboxed
// frame, which inherits the page's policy.
//
//go:embed diagrams.sha256
var program string

// Prefix is the path prefix of the page's files and requests.
const Prefix = "/page/"

// policy is the Content-Security-Policy. Scripts come only from the server, and text
// becomes HTML only through the sanitiser. The address of the worker and the frame for
// diagrams are the only other things that a script may set.
var policy = "default-src 'none'; script-src 'self' 'sha256-" + program + "'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
	"require-trusted-types-for 'script'; trusted-types dompurify turnwire-diagrams turnwire-worker"

// types are the media types of the files.
var types = map[string]string{
	".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
	".webmanifest": "application/manifest+json", ".png": "image/png", ".svg": "image/svg+xml", ".txt": "text/plain; charset=utf-8",
}

// A file is a file ready to be sent.
type file struct {
	kind, tag   string
	whole, less []byte // less is the text compressed with gzip; one of them may be nil
}

// assets returns the files by URL path.
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
		// Large files are stored compressed.
		public, packed := strings.CutSuffix(name, ".gz")
		kind := types[path.Ext(public)]
		if kind == "" {
			return fmt.Errorf("%s has no MIME type", name)
		}
		sum := sha256.Sum256(text)
		f := &file{kind: kind, tag: `"` + hex.EncodeToString(sum[:12]) + `"`}
		if packed {
			f.less = text
		} else {
			f.whole = text
		}
		if !packed && !strings.HasPrefix(kind, "image/png") {
			if f.less, err = compress(text); err != nil {
				return err
			}
		}
		at := Prefix + strings.TrimPrefix(public, "files/")
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

func decompress(packed []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

// serve sends a file, or 304 Not Modified.
func (f *file) serve(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	secure(h)
	h.Set("Content-Type", f.kind)
	h.Set("Cache-Control", "no-cache") // it may be cached, but must be revalidated
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
	} else if text == nil {
		var err error
		if text, err = decompress(f.less); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
	}
	h.Set("Content-Length", strconv.Itoa(len(text)))
	if r.Method != http.MethodHead {
		_, _ = w.Write(text)
	}
}

// secure sets the security headers of every response.
func secure(h http.Header) {
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=()")
	// The worker's script is below /page/, but its scope is the whole server.
	h.Set("Service-Worker-Allowed", "/")
}

package acp

import (
	"context"
	"path/filepath"
	"strings"
	"sync"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/textfile"
	"github.com/turnwire/turnwire/protocol"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// maxFiles bounds the file requests that an agent has open at once.
const maxFiles = 64

// files gives an agent the editor's files, inside the session's directories.
type files struct {
	editor agent.FileSystem
	dirs   []string

	mu   sync.Mutex
	open map[string]context.CancelFunc // by the ids of requests
}

func newFiles(o agent.Options) *files {
	return &files{editor: o.Editor, dirs: append([]string{o.Cwd}, o.Roots...), open: make(map[string]context.CancelFunc)}
}

func (f *files) canRead() bool  { return f.editor != nil && f.editor.CanRead() }
func (f *files) canWrite() bool { return f.editor != nil && f.editor.CanWrite() }

// begin makes a request one that can be withdrawn until done is called.
func (f *files) begin(parent context.Context, id []byte) (ctx context.Context, done func(), err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	key := string(id)
	if _, double := f.open[key]; double {
		return nil, nil, protocol.Errorf(protocol.CodeInvalidRequest, "the id is in use")
	}
	if len(f.open) >= maxFiles {
		return nil, nil, protocol.Errorf(protocol.CodeInternal, "too many file requests at once")
	}
	ctx, cancel := context.WithCancel(parent)
	f.open[key] = cancel
	return ctx, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		cancel()
		delete(f.open, key)
	}, nil
}

func (f *files) withdraw(id []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if cancel := f.open[string(id)]; cancel != nil {
		cancel()
	}
}

func (f *files) read(ctx context.Context, params []byte) (any, error) {
	var p v1.ReadTextFileRequest
	if err := unmarshal(params, &p); err != nil {
		return nil, protocol.Errorf(protocol.CodeInvalidParams, "%w", err)
	}
	if !f.canRead() {
		return nil, protocol.Errorf(protocol.CodeMethodNotFound, "the editor reads no files")
	}
	if err := f.check(p.Path); err != nil {
		return nil, err
	}
	text, err := f.editor.ReadTextFile(ctx, p.Path)
	if err != nil {
		return nil, err
	}
	return v1.ReadTextFileResponse{Content: section(text, p.Line, p.Limit)}, nil
}

func (f *files) write(ctx context.Context, params []byte) (any, error) {
	var p v1.WriteTextFileRequest
	if err := unmarshal(params, &p); err != nil {
		return nil, protocol.Errorf(protocol.CodeInvalidParams, "%w", err)
	}
	if !f.canWrite() {
		return nil, protocol.Errorf(protocol.CodeMethodNotFound, "the editor writes no files")
	}
	if err := f.check(p.Path); err != nil {
		return nil, err
	}
	if err := f.editor.WriteTextFile(ctx, p.Path, p.Content); err != nil {
		return nil, err
	}
	return v1.WriteTextFileResponse{}, nil
}

// section is limit lines of text from line on, which counts from one.
func section(text string, line, limit *int) string {
	if line != nil {
		for n := *line; n > 1 && text != ""; n-- {
			_, text, _ = strings.Cut(text, "\n")
		}
	}
	if limit == nil || *limit < 0 {
		return text
	}
	end := 0
	for n := *limit; n > 0 && end < len(text); n-- {
		at := strings.IndexByte(text[end:], '\n')
		if at < 0 {
			return text
		}
		end += at + 1
	}
	return text[:end]
}

// check wants a path inside the session's directories, by its name and after
// its symbolic links are resolved.
func (f *files) check(path string) error {
	if !filepath.IsAbs(path) || strings.ContainsRune(path, 0) {
		return protocol.Errorf(protocol.CodeInvalidParams, "%q is not an absolute path", path)
	}
	path = filepath.Clean(path)
	if !f.holds(path) {
		return protocol.Errorf(protocol.CodeInvalidParams, "%s is outside of the session's directories", path)
	}
	real, err := textfile.Resolve(path)
	if err != nil {
		return protocol.Errorf(protocol.CodeNotFound, "%s cannot be used: %w", path, err)
	}
	if !f.holds(real) {
		return protocol.Errorf(protocol.CodeInvalidParams, "%s leads through a symbolic link out of the session's directories", path)
	}
	return nil
}

// holds reports whether a directory of the session, under any of its names, holds
// path.
func (f *files) holds(path string) bool {
	for _, dir := range f.dirs {
		names := []string{dir}
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			names = append(names, real)
		}
		for _, name := range names {
			rel, err := filepath.Rel(name, path)
			if err == nil && (rel == "." || filepath.IsLocal(rel)) {
				return true
			}
		}
	}
	return false
}

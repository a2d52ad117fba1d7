package journal

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A Folder is a store of files.
type Folder struct {
	files Files
	path  string
}

var _ Store = (*Folder)(nil)

// NewFolder returns the store in a folder, which is created when needed.
func NewFolder(path string) *Folder { return NewFolderIn(osFiles{}, path) }

// NewFolderIn is like [NewFolder], in another file system.
func NewFolderIn(files Files, path string) *Folder { return &Folder{files, path} }

// Path returns the path of the folder.
func (f *Folder) Path() string { return f.path }

// The suffixes of a session's files.
const (
	recordsFile = ".jsonl"
	titleFile   = ".title"
	lockFile    = ".lock"
)

// place is where a session's files are.
type place struct {
	files Files
	path  string // without their suffixes
}

func (p place) records() string { return p.path + recordsFile }
func (p place) title() string   { return p.path + titleFile }
func (p place) lock() string    { return p.path + lockFile }

// hash returns a name for a string that may not be a valid file name.
func hash(s string, length int) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])[:length]
}

// room returns the name of the subfolder for an agent's sessions in a working
// directory. It allows listing these without reading the files of others.
func room(agent, cwd string) string { return hash(agent, 8) + "-" + hash(cwd, 16) }

// fileName returns the base name of a session's files. Ids from other programs may
// contain anything, and file systems differ in which names they treat as equal.
func fileName(id string) string {
	plain := len(id) <= 64 && id != "" && strings.Trim(id, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
	if plain && id[0] != '-' && !strings.HasPrefix(id, "x-") {
		return id
	}
	return "x-" + hash(id, 32)
}

// find returns the place of a session.
func (f *Folder) find(id string) (place, error) {
	rooms, err := f.files.ReadDir(f.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return place{}, fmt.Errorf("list sessions: %w", err)
	}
	name := fileName(id)
	for _, r := range rooms {
		p := place{f.files, filepath.Join(f.path, r.Name(), name)}
		if info, err := f.files.Lstat(p.records()); err == nil && info.Mode().IsRegular() {
			return p, nil
		}
	}
	return place{}, ErrNotFound
}

// Create implements [Store].
func (f *Folder) Create(h Header) (Journal, error) {
	if p, err := f.find(h.ID); err == nil {
		return nil, fmt.Errorf("save session %s: %s: %w", h.ID, p.records(), ErrExists)
	}
	if h.Created.IsZero() {
		h.Created = time.Now()
	}
	p := place{f.files, filepath.Join(f.path, room(h.Agent, h.Cwd), fileName(h.ID))}
	l, err := enter(p, h.ID)
	if err != nil {
		return nil, err
	}
	file, err := f.files.Open(p.records(), os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o600)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("save session: %w", err), l.end())
	}
	// Write the header together with the first records, so that no file is without a
	// session.
	line, err := AppendHeader(nil, h)
	if err != nil {
		return nil, errors.Join(err, file.Close(), l.end())
	}
	return &owned{header: h, place: p, file: file, lease: l, head: line, next: 1}, nil
}

// enter makes the folder of a new session, and takes the session's lease. Meanwhile, somebody may
// delete the only other session in that folder, and the folder with it.
func enter(p place, id string) (l lease, err error) {
	for range 100 {
		if err := p.files.MkdirAll(filepath.Dir(p.path), 0o700); err != nil {
			return lease{}, fmt.Errorf("save session: %w", err)
		}
		if l, err = acquire(p, id); !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	return l, err
}

// Own implements [Store].
func (f *Folder) Own(id string) (Journal, error) {
	p, err := f.find(id)
	if err != nil {
		return nil, err
	}
	l, err := acquire(p, id)
	if err != nil {
		return nil, err
	}
	o, err := reopen(p, id)
	if err != nil {
		return nil, errors.Join(err, l.release())
	}
	o.lease = l
	return o, nil
}

// Describe implements [Store].
func (f *Folder) Describe(id string) (Summary, error) {
	p, err := f.find(id)
	if err != nil {
		return Summary{}, err
	}
	info, err := f.files.Lstat(p.records())
	if err != nil {
		return Summary{}, fmt.Errorf("read session: %w", err)
	}
	return p.describe(info)
}

// Delete implements [Store].
func (f *Folder) Delete(id string) error {
	p, err := f.find(id)
	if err != nil {
		return err
	}
	l, err := acquire(p, id)
	if err != nil {
		return err
	}
	err = f.files.Remove(p.records())
	if failed := f.files.Remove(p.title()); failed != nil && !errors.Is(failed, fs.ErrNotExist) {
		err = errors.Join(err, failed)
	}
	if err = errors.Join(err, l.end()); err != nil {
		return fmt.Errorf("delete session %s: %w", id, err)
	}
	_ = f.files.Remove(filepath.Dir(p.path)) // fails if there are other sessions
	return nil
}

package memdisk

import (
	"io"
	"io/fs"
	"path"
	"syscall"
	"time"
)

// A file is an open file.
type file struct {
	disk    *Disk
	node    *node
	path    string
	appends bool
	at      int64 // of the next read or write
	closed  bool
}

// Read implements [io.Reader].
func (f *file) Read(into []byte) (int, error) {
	n, err := f.ReadAt(into, f.at)
	f.at += int64(n)
	if n > 0 {
		err = nil
	}
	return n, err
}

// ReadAt implements [io.ReaderAt].
func (f *file) ReadAt(into []byte, at int64) (int, error) {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	switch {
	case f.closed:
		return 0, failed("read", f.path, fs.ErrClosed)
	case at >= int64(len(f.node.data)) && len(into) > 0:
		return 0, io.EOF
	}
	n := copy(into, f.node.data[at:])
	if n < len(into) {
		return n, io.EOF
	}
	return n, nil
}

// Write implements [io.Writer].
func (f *file) Write(text []byte) (int, error) {
	f.disk.begin()
	defer f.disk.mu.Unlock()
	if f.appends {
		f.at = int64(len(f.node.data))
	}
	n, err := f.write(text, f.at)
	f.at += int64(n)
	return n, err
}

// WriteAt implements [io.WriterAt].
func (f *file) WriteAt(text []byte, at int64) (int, error) {
	f.disk.begin()
	defer f.disk.mu.Unlock()
	return f.write(text, at)
}

// write writes what fits. The caller holds the lock.
func (f *file) write(text []byte, at int64) (n int, err error) {
	if f.closed {
		return 0, failed("write", f.path, fs.ErrClosed)
	}
	if most := int64(f.disk.limit); most >= 0 && at+int64(len(text)) > most {
		text, err = text[:max(0, most-at)], failed("write", f.path, syscall.EFBIG)
	}
	if len(text) == 0 {
		return 0, err
	}
	if end := at + int64(len(text)); end > int64(len(f.node.data)) {
		f.resize(end)
	}
	f.node.changed = f.disk.now()
	return copy(f.node.data[at:], text), err
}

// resize changes the length, and fills with zeros. The caller holds the lock.
func (f *file) resize(size int64) {
	have := int64(len(f.node.data))
	f.node.data = append(f.node.data[:min(size, have)], make([]byte, max(0, size-have))...)
}

// Seek implements [io.Seeker].
func (f *file) Seek(offset int64, whence int) (int64, error) {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	switch whence {
	case io.SeekCurrent:
		offset += f.at
	case io.SeekEnd:
		offset += int64(len(f.node.data))
	}
	if offset < 0 {
		return 0, failed("seek", f.path, fs.ErrInvalid)
	}
	f.at = offset
	return offset, nil
}

// Truncate implements [journal.File].
func (f *file) Truncate(size int64) error {
	f.disk.begin()
	defer f.disk.mu.Unlock()
	if f.closed {
		return failed("truncate", f.path, fs.ErrClosed)
	}
	f.resize(size)
	f.node.changed = f.disk.now()
	return nil
}

// Sync implements [journal.File].
func (f *file) Sync() error {
	f.disk.begin()
	defer f.disk.mu.Unlock()
	if f.closed {
		return failed("sync", f.path, fs.ErrClosed)
	}
	return nil
}

// Close implements [io.Closer].
func (f *file) Close() error {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	if f.closed {
		return failed("close", f.path, fs.ErrClosed)
	}
	f.closed = true
	return nil
}

// A lock is a locked file.
type lock struct {
	disk *Disk
	node *node
}

// IsAt implements [journal.Lock].
func (l *lock) IsAt(at string) (bool, error) {
	l.disk.mu.Lock()
	defer l.disk.mu.Unlock()
	return l.disk.nodes[clean(at)] == l.node, nil
}

// Close implements [io.Closer].
func (l *lock) Close() error {
	l.disk.mu.Lock()
	defer l.disk.mu.Unlock()
	l.node.locked = false
	return nil
}

// info describes a file.
type info struct {
	name    string
	size    int64
	mode    fs.FileMode
	changed time.Time
}

func (n *node) info(at string) info {
	mode := fs.FileMode(0o600)
	if n.folder {
		mode = fs.ModeDir | 0o700
	}
	return info{name: path.Base(at), size: int64(len(n.data)), mode: mode, changed: n.changed}
}

func (i info) Name() string       { return i.name }
func (i info) Size() int64        { return i.size }
func (i info) Mode() fs.FileMode  { return i.mode }
func (i info) ModTime() time.Time { return i.changed }
func (i info) IsDir() bool        { return i.mode.IsDir() }
func (i info) Sys() any           { return nil }

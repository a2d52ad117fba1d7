// Package memdisk has a file system in memory, for tests in synctest bubbles. Its times are
// virtual, nothing waits for a system call, and it can be full or slow.
package memdisk

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/turnwire/turnwire/internal/bridge/journal"
)

// A Disk is a file system. It implements [journal.Files].
type Disk struct {
	mu    sync.Mutex
	nodes map[string]*node // by their clean paths
	limit int              // of each file's size; negative if it is unlimited
	each  time.Duration    // how long an operation takes
	slow  time.Duration    // how many operations were slow, as nanoseconds
	ahead time.Duration    // of its machine's clock
}

var _ journal.Files = (*Disk)(nil)

// A node is a file or a folder. An open file exists until it is closed, even if it was removed.
type node struct {
	folder  bool
	data    []byte
	changed time.Time
	locked  bool
}

// New returns an empty disk.
func New() *Disk { return &Disk{nodes: make(map[string]*node), limit: -1} }

// Limit lets no file grow beyond a size. A write that goes beyond it writes what fits, and
// fails. A negative size ends the limit.
func (d *Disk) Limit(size int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.limit = size
}

// Slow makes each operation take a time, except reading from an open file. With 0, the disk is
// fast again. Operations that began before take as long as they did.
func (d *Disk) Slow(each time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.each = each
}

// Step sets the machine's clock, which stamps files, forward or back.
func (d *Disk) Step(by time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ahead += by
}

// Now returns the time by the machine's clock.
func (d *Disk) Now() time.Time {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.now()
}

func (d *Disk) now() time.Time { return time.Now().Add(d.ahead).Round(0) }

// begin begins an operation: it waits if the disk is slow, and locks the disk. No two operations
// take the same time, because timers of one instant expire in random order.
func (d *Disk) begin() {
	d.mu.Lock()
	if d.each == 0 {
		return
	}
	d.slow++
	takes := d.each + d.slow
	d.mu.Unlock()
	time.Sleep(takes)
	d.mu.Lock()
}

// Copy returns a fast disk with the same files, none of which is locked or open.
func (d *Disk) Copy() *Disk {
	d.mu.Lock()
	defer d.mu.Unlock()
	other := New()
	other.ahead = d.ahead
	for path, n := range d.nodes {
		other.nodes[path] = &node{folder: n.folder, data: bytes.Clone(n.data), changed: n.changed}
	}
	return other
}

// Sizes returns the size of each file, by its path.
func (d *Disk) Sizes() map[string]int {
	d.mu.Lock()
	defer d.mu.Unlock()
	sizes := make(map[string]int)
	for path, n := range d.nodes {
		if !n.folder {
			sizes[path] = len(n.data)
		}
	}
	return sizes
}

// Append adds text to the end of a file.
func (d *Disk) Append(at, text string) error {
	f, err := d.Open(at, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	_, err = io.WriteString(f, text)
	return errors.Join(err, f.Close())
}

// ReadDir implements [journal.Files].
func (d *Disk) ReadDir(dir string) ([]fs.DirEntry, error) {
	d.begin()
	defer d.mu.Unlock()
	dir = clean(dir)
	if n := d.nodes[dir]; n == nil || !n.folder {
		return nil, failed("open", dir, fs.ErrNotExist)
	}
	var entries []fs.DirEntry
	for at, n := range d.nodes {
		if path.Dir(at) == dir && at != dir {
			entries = append(entries, fs.FileInfoToDirEntry(n.info(at)))
		}
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, nil
}

// MkdirAll implements [journal.Files].
func (d *Disk) MkdirAll(dir string, _ fs.FileMode) error {
	d.begin()
	defer d.mu.Unlock()
	for at := clean(dir); ; at = path.Dir(at) {
		if n := d.nodes[at]; n == nil {
			d.nodes[at] = &node{folder: true, changed: d.now()}
		} else if !n.folder {
			return failed("mkdir", at, syscall.ENOTDIR)
		}
		if at == path.Dir(at) {
			return nil
		}
	}
}

// Lstat implements [journal.Files].
func (d *Disk) Lstat(at string) (fs.FileInfo, error) {
	d.begin()
	defer d.mu.Unlock()
	at = clean(at)
	n := d.nodes[at]
	if n == nil {
		return nil, failed("lstat", at, fs.ErrNotExist)
	}
	return n.info(at), nil
}

// Open implements [journal.Files].
func (d *Disk) Open(at string, flag int, _ fs.FileMode) (journal.File, error) {
	d.begin()
	defer d.mu.Unlock()
	at = clean(at)
	n, err := d.open(at, flag)
	if err != nil {
		return nil, failed("open", at, err)
	}
	return &file{disk: d, node: n, path: at, appends: flag&os.O_APPEND != 0}, nil
}

// open returns a file, which it may create. The caller holds the lock.
func (d *Disk) open(at string, flag int) (*node, error) {
	n, parent := d.nodes[at], d.nodes[path.Dir(at)]
	switch {
	case n != nil && flag&os.O_EXCL != 0:
		return nil, fs.ErrExist
	case n != nil && n.folder:
		return nil, syscall.EISDIR
	case n == nil && (flag&os.O_CREATE == 0 || parent == nil || !parent.folder):
		return nil, fs.ErrNotExist
	case n == nil:
		n = &node{changed: d.now()}
		d.nodes[at] = n
	}
	return n, nil
}

// Remove implements [journal.Files].
func (d *Disk) Remove(at string) error {
	d.begin()
	defer d.mu.Unlock()
	at = clean(at)
	if d.nodes[at] == nil {
		return failed("remove", at, fs.ErrNotExist)
	}
	for other := range d.nodes {
		if path.Dir(other) == at && other != at {
			return failed("remove", at, syscall.ENOTEMPTY)
		}
	}
	delete(d.nodes, at)
	return nil
}

// ReadWhole implements [journal.Files].
func (d *Disk) ReadWhole(at string, limit int64) ([]byte, error) {
	d.begin()
	defer d.mu.Unlock()
	n, err := d.open(clean(at), os.O_RDONLY)
	if err == nil && int64(len(n.data)) > limit {
		err = errors.New("the file is too long")
	}
	if err != nil {
		return nil, failed("read", at, err)
	}
	return bytes.Clone(n.data), nil
}

// Replace implements [journal.Files].
func (d *Disk) Replace(at string, text []byte) error {
	d.begin()
	defer d.mu.Unlock()
	n, err := d.open(clean(at), os.O_CREATE)
	if err != nil {
		return failed("write", at, err)
	}
	if d.limit >= 0 && len(text) > d.limit {
		return failed("write", at, syscall.EFBIG)
	}
	n.data, n.changed = bytes.Clone(text), d.now()
	return nil
}

// Lock implements [journal.Files].
func (d *Disk) Lock(at string) (journal.Lock, bool, error) {
	d.begin()
	defer d.mu.Unlock()
	n, err := d.open(clean(at), os.O_CREATE)
	if err != nil {
		return nil, false, failed("lock", at, err)
	}
	if n.locked {
		return nil, false, nil
	}
	n.locked = true
	return &lock{disk: d, node: n}, true, nil
}

// clean returns the path by which a file is known.
func clean(at string) string { return path.Clean(filepath.ToSlash(at)) }

func failed(op, at string, err error) error { return &fs.PathError{Op: op, Path: at, Err: err} }

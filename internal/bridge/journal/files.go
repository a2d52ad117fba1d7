package journal

import (
	"io"
	"io/fs"
	"os"

	"github.com/gofrs/flock"

	"github.com/turnwire/turnwire/internal/atomicfile"
)

// Files is the file system that a [Folder] is in. Paths, flags and errors are those of
// package os.
type Files interface {
	ReadDir(path string) ([]fs.DirEntry, error)
	MkdirAll(path string, mode fs.FileMode) error
	Lstat(path string) (fs.FileInfo, error)
	Open(path string, flag int, mode fs.FileMode) (File, error)
	Remove(path string) error
	// ReadWhole returns the content of a regular file of at most limit bytes.
	ReadWhole(path string, limit int64) ([]byte, error)
	// Replace creates or replaces a private file. A reader sees either the old or the
	// new content.
	Replace(path string, text []byte) error
	// Lock creates a file if necessary, and locks it until the lock is closed or the
	// process ends. It returns false if the file is already locked.
	Lock(path string) (Lock, bool, error)
}

// A File is an open file.
type File interface {
	io.Reader
	io.ReaderAt
	io.Writer
	io.WriterAt
	io.Seeker
	io.Closer
	Truncate(size int64) error
	Sync() error
}

// A Lock is a locked file.
type Lock interface {
	io.Closer
	// IsAt reports whether the file is still at the path.
	IsAt(path string) (bool, error)
}

// osFiles is the real file system.
type osFiles struct{}

// RealFiles returns the real file system.
func RealFiles() Files { return osFiles{} }

func (osFiles) ReadDir(path string) ([]fs.DirEntry, error) { return os.ReadDir(path) }

func (osFiles) MkdirAll(path string, mode fs.FileMode) error { return os.MkdirAll(path, mode) }

func (osFiles) Lstat(path string) (fs.FileInfo, error) { return os.Lstat(path) }

func (osFiles) Open(path string, flag int, mode fs.FileMode) (File, error) {
	f, err := os.OpenFile(path, flag, mode) //nolint:gosec // it is in the folder
	if err != nil {
		return nil, err
	}
	return f, nil
}

func (osFiles) Remove(path string) error { return os.Remove(path) }

func (osFiles) ReadWhole(path string, limit int64) ([]byte, error) {
	return atomicfile.Read(path, limit)
}

func (osFiles) Replace(path string, text []byte) error { return atomicfile.WritePrivate(path, text) }

func (osFiles) Lock(path string) (Lock, bool, error) {
	lock := flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o600))
	ok, err := lock.TryLock()
	return fileLock{lock}, ok, err
}

type fileLock struct{ *flock.Flock }

// IsAt implements [Lock].
func (l fileLock) IsAt(path string) (bool, error) {
	mine, err := l.Stat()
	if err != nil {
		return false, err
	}
	there, err := os.Stat(path)
	return err == nil && os.SameFile(mine, there), nil
}

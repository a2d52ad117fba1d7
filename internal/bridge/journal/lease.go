package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// A lease makes a process the owner of a session. It ends with the process.
type lease struct {
	place place
	lock  Lock
}

// acquire takes the lease of a session. The lock file is removed on release, so acquire
// checks that the file it locked is still the one at the path.
func acquire(p place, id string) (lease, error) {
	for range 100 {
		lock, ok, err := p.files.Lock(p.lock())
		if err != nil {
			return lease{}, fmt.Errorf("lock session %s: %w", id, err)
		}
		if !ok {
			return lease{}, &OwnedError{ID: id, Owner: readOwner(p)}
		}
		there, err := lock.IsAt(p.lock())
		if err != nil {
			return lease{}, errors.Join(fmt.Errorf("lock session %s: %w", id, err), lock.Close())
		}
		if !there {
			if err := lock.Close(); err != nil {
				return lease{}, fmt.Errorf("lock session %s: %w", id, err)
			}
			continue
		}
		if err := writeOwner(p); err != nil {
			l := lease{p, lock}
			return lease{}, errors.Join(fmt.Errorf("lock session %s: %w", id, err), l.release())
		}
		return lease{p, lock}, nil
	}
	return lease{}, &OwnedError{ID: id}
}

// release releases the session. Windows removes a file only if no process has it open. By then
// the next owner may have locked it, so it stays there.
func (l lease) release() error {
	if !removesOpenFiles {
		return l.lock.Close()
	}
	err := l.place.files.Remove(l.place.lock())
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return errors.Join(err, l.lock.Close())
}

// end releases a session that no longer exists, and leaves no file.
func (l lease) end() error {
	err := l.release()
	if removesOpenFiles {
		return err
	}
	gone := l.place.files.Remove(l.place.lock())
	if errors.Is(gone, fs.ErrNotExist) || isInUse(gone) {
		gone = nil
	}
	return errors.Join(err, gone)
}

// The lock covers the first byte of the file, because on some systems a lock prevents
// others from reading. The owner's name starts after it.
const ownerAt = 1

func writeOwner(p place) error {
	f, err := p.files.Open(p.lock(), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(fmt.Appendf(nil, "process %d\n", os.Getpid()), ownerAt)
	return errors.Join(err, f.Close())
}

// readOwner returns the recorded owner of a session, or "".
func readOwner(p place) string {
	f, err := p.files.Open(p.lock(), os.O_RDONLY, 0)
	if err != nil {
		return ""
	}
	defer func() { _ = f.Close() }() // it was only read
	text := make([]byte, 64)
	n, _ := f.ReadAt(text, ownerAt)
	owner, _, whole := strings.Cut(string(text[:n]), "\n")
	if !whole {
		return ""
	}
	return owner
}

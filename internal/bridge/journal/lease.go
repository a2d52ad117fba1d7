package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/gofrs/flock"
)

// A lease makes a process the owner of a session. It ends with the process.
type lease struct{ lock *flock.Flock }

// acquire takes the lease of a session. The lock file is removed on release, so acquire
// checks that the file it locked is still the one at the path.
func acquire(p place, id string) (lease, error) {
	for range 100 {
		lock := flock.New(p.lock(), flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o600))
		ok, err := lock.TryLock()
		if err != nil {
			return lease{}, fmt.Errorf("lock session %s: %w", id, err)
		}
		if !ok {
			return lease{}, &OwnedError{ID: id, Owner: readOwner(p)}
		}
		mine, err := lock.Stat()
		if err != nil {
			return lease{}, errors.Join(fmt.Errorf("lock session %s: %w", id, err), lock.Close())
		}
		if there, err := os.Stat(p.lock()); err != nil || !os.SameFile(mine, there) {
			if err := lock.Close(); err != nil {
				return lease{}, fmt.Errorf("lock session %s: %w", id, err)
			}
			continue
		}
		if err := writeOwner(p); err != nil {
			l := lease{lock}
			return lease{}, errors.Join(fmt.Errorf("lock session %s: %w", id, err), l.release())
		}
		return lease{lock}, nil
	}
	return lease{}, &OwnedError{ID: id}
}

// release releases the session. Windows removes a file only if no process has it open, so the
// lock ends first there. A file that the next owner already has stays.
func (l lease) release() error {
	var closed error
	if !removesOpenFiles {
		closed = l.lock.Close()
	}
	err := os.Remove(l.lock.Path())
	if errors.Is(err, fs.ErrNotExist) || isInUse(err) {
		err = nil
	}
	if removesOpenFiles {
		closed = l.lock.Close()
	}
	return errors.Join(err, closed)
}

// The lock covers the first byte of the file, because on some systems a lock prevents
// others from reading. The owner's name starts after it.
const ownerAt = 1

func writeOwner(p place) error {
	f, err := os.OpenFile(p.lock(), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(fmt.Appendf(nil, "process %d\n", os.Getpid()), ownerAt)
	return errors.Join(err, f.Close())
}

// readOwner returns the recorded owner of a session, or "".
func readOwner(p place) string {
	f, err := os.Open(p.lock())
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

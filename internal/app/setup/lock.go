package setup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

const (
	// lockTimeout bounds how long one setup waits for another, and
	// lockInterval is how often it looks: a lock tells nobody that it is free.
	lockTimeout  = 10 * time.Second
	lockInterval = 10 * time.Millisecond
)

// Lock waits until no other setup of this person changes files. Between what
// [Change.Apply] has read last and what it writes, another one could write,
// and its agent would be lost. The lock is a file in a folder for what is of
// no worth; it ends with the process at the latest.
func Lock(ctx context.Context, folder string) (unlock func(), err error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("no lock can be made, so nothing was changed: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, lockTimeout)
	defer cancel()
	lock := flock.New(filepath.Join(folder, "setup.lock"))
	switch _, err := lock.TryLockContext(ctx, lockInterval); {
	case errors.Is(err, context.DeadlineExceeded):
		return nil, fmt.Errorf("another turnwire setup is at work, so nothing was changed: try again when it has ended (it holds %s)", lock.Path())
	case err != nil:
		return nil, fmt.Errorf("no lock can be made, so nothing was changed: %w", err)
	}
	return func() { _ = lock.Unlock() }, nil
}

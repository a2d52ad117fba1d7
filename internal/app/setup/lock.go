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
	// lockTimeout limits how long one setup waits for another. lockInterval is how often
	// it tries, because there is no notification when a lock is released.
	lockTimeout  = 10 * time.Second
	lockInterval = 10 * time.Millisecond
)

// Lock waits until no other setup of this user is changing files. Without it, another
// setup could write between the last read and the write of [Change.Apply], and its agent
// would be lost. The lock is a file in a cache folder. It is released at the latest when
// the process exits.
func Lock(ctx context.Context, folder string) (unlock func(), err error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("nothing was changed because the lock is unavailable: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, lockTimeout)
	defer cancel()
	lock := flock.New(filepath.Join(folder, "setup.lock"))
	switch _, err := lock.TryLockContext(ctx, lockInterval); {
	case errors.Is(err, context.DeadlineExceeded):
		return nil, fmt.Errorf("another turnwire setup is running, so nothing was changed: try again when it has finished (it holds %s)", lock.Path())
	case err != nil:
		return nil, fmt.Errorf("nothing was changed because the lock is unavailable: %w", err)
	}
	return func() { _ = lock.Unlock() }, nil
}

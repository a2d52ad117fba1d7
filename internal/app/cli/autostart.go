package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"github.com/gofrs/flock"

	"github.com/turnwire/turnwire/internal/app/config"
	"github.com/turnwire/turnwire/internal/protocol/remote/local"
)

const (
	// startTimeout limits how long a server may take to listen.
	startTimeout = 15 * time.Second
	// startPoll is the interval at which a new server's socket is tried.
	startPoll = 20 * time.Millisecond
	// maxServerLog is the size beyond which the log of a server that was started on demand
	// begins again, in bytes.
	maxServerLog = 1 << 20
)

// startServer starts "turnwire serve" on a socket, unless a server listens there. The
// server outlives this process. A lock file next to the socket ensures that processes that start
// at the same time start one server.
func startServer(ctx context.Context, socket string) error {
	if listens(ctx, socket) {
		return nil
	}
	state, err := config.StateFolder()
	if err != nil {
		return fmt.Errorf("start the server: %w", err)
	}
	path := socket + ".lock"
	if local.IsPipe(socket) {
		path = filepath.Join(state, "serve.lock")
	}
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.MkdirAll(state, 0o700)); err != nil {
		return fmt.Errorf("start the server: %w", err)
	}
	// Wait even if the caller no longer does: otherwise the next caller might start another
	// server before this one listens.
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), startTimeout)
	defer stop()
	lock := flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o600))
	if _, err := lock.TryLockContext(ctx, startPoll); err != nil {
		return fmt.Errorf("start the server: lock %s: %w", path, err)
	}
	defer lock.Close() //nolint:errcheck // it releases the lock in any case
	if listens(ctx, socket) {
		return nil
	}
	return launchServer(ctx, socket, filepath.Join(state, "serve.log"))
}

// listens reports whether a server listens on a socket.
func listens(ctx context.Context, socket string) bool {
	conn, err := local.Dial(ctx, socket)
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ECONNREFUSED)
	}
	_ = conn.Close()
	return true
}

// launchServer starts a server, and waits until it listens.
func launchServer(ctx context.Context, socket, log string) error {
	program, err := self()
	if err != nil {
		return err
	}
	if info, err := os.Stat(log); err == nil && info.Size() > maxServerLog {
		_ = os.Remove(log) // otherwise it just grows
	}
	out, err := os.OpenFile(log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("start the server: %w", err)
	}
	defer out.Close()                                         // the server has its own descriptor
	cmd := exec.Command(program, "serve", "--socket", socket) //nolint:noctx // it outlives this process
	cmd.Stderr, cmd.SysProcAttr = out, detached()
	if cmd.Dir, err = os.UserHomeDir(); err != nil {
		cmd.Dir = filepath.Dir(log)
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start the server: %w", err)
	}
	exited := make(chan error, 1)
	go func() { exited <- cmd.Wait() }()
	ticker := time.NewTicker(startPoll)
	defer ticker.Stop()
	for !listens(ctx, socket) {
		select {
		case <-ticker.C:
		case err := <-exited:
			return fmt.Errorf("start the server: it exited (%v); see %s", err, log)
		case <-ctx.Done():
			return fmt.Errorf("start the server: it does not listen on %s after %s; see %s", socket, startTimeout, log)
		}
	}
	return nil
}

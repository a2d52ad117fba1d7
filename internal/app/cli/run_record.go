package cli

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/turnwire/turnwire/internal/bridge/journal"
)

// temporaryStore returns a store for the sessions of one run, used when sessions are not
// saved.
func temporaryStore() (store journal.Store, remove func() error, err error) {
	dir, err := os.MkdirTemp("", "turnwire-record-")
	if err != nil {
		return nil, nil, fmt.Errorf("--record: %w", err)
	}
	return journal.NewFolder(dir), func() error { return os.RemoveAll(dir) }, nil
}

// recordTurn writes the last turn of a session to a file that --replay can read.
func recordTurn(file string, store journal.Store, session string) (err error) {
	if session == "" {
		return errors.New("--record: no session was opened")
	}
	r := recording{store, session}
	last := -1
	err = r.each(func(turn int, _ journal.Record) bool {
		last = turn
		return true
	})
	if err == nil && last < 0 {
		err = errors.New("nothing was recorded")
	}
	if err != nil {
		return fmt.Errorf("--record: %w", err)
	}
	turn, err := r.turn(last)
	if err != nil {
		return fmt.Errorf("--record: %w", err)
	}
	defer func() { err = errors.Join(err, turn.Close()) }()
	// Like the journal, the file contains the whole conversation.
	out, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return fmt.Errorf("--record: %w", err)
	}
	if _, err := io.Copy(out, turn); err != nil {
		return errors.Join(fmt.Errorf("--record: %w", err), out.Close())
	}
	if err := out.Close(); err != nil {
		return fmt.Errorf("--record: %w", err)
	}
	return nil
}

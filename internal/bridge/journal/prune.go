package journal

import (
	"errors"
	"slices"
	"time"
)

// A Retention says which sessions to keep. A zero field sets no limit.
type Retention struct {
	Age   time.Duration // keep sessions that changed this recently
	Bytes int64         // keep the newest sessions up to this total size
}

const (
	// EmptyAge is how long an empty session is kept.
	EmptyAge = 24 * time.Hour
	// maxEmptyRead bounds the size of files that are opened to find empty sessions.
	maxEmptyRead = 64 << 10
)

// Keeps reports whether to keep a session of the given age. total is its size plus that
// of all newer sessions, in bytes.
func (r Retention) Keeps(age time.Duration, total int64) bool {
	return (r.Age == 0 || age <= r.Age) && (r.Bytes == 0 || total <= r.Bytes)
}

// Outdated implements [Keeper].
func (f *Folder) Outdated(r Retention, now time.Time) ([]Summary, error) {
	entries, _, err := f.entries(Filter{})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(entries, newest)
	var total int64
	var outdated []Summary
	for _, e := range entries {
		total += e.info.Size()
		age := now.Sub(e.changed)
		keep := r.Keeps(age, total)
		if keep && (age <= EmptyAge || e.info.Size() > maxEmptyRead) {
			continue
		}
		if s, err := e.place.describe(e.info); err == nil && (!keep || s.Empty) { // otherwise it is not ours
			outdated = append(outdated, s)
		}
	}
	return outdated, nil
}

// A Keeper is a [Store] that can find outdated sessions.
type Keeper interface {
	Store
	// Outdated returns the sessions to delete, newest first: those that r does not
	// keep, and those that were empty for a day. Some of them may be owned.
	Outdated(r Retention, now time.Time) ([]Summary, error)
}

// Prune calls the function [Prune] for the folder.
func (f *Folder) Prune(r Retention, now time.Time) (deleted int, err error) { return Prune(f, r, now) }

// Prune deletes the outdated sessions, and returns their number. It does not delete
// owned sessions.
func Prune(f Keeper, r Retention, now time.Time) (deleted int, err error) {
	outdated, err := f.Outdated(r, now)
	if err != nil {
		return 0, err
	}
	for _, s := range outdated {
		failed := f.Delete(s.ID)
		if _, owned := errors.AsType[*OwnedError](failed); owned || errors.Is(failed, ErrNotFound) {
			continue
		}
		if failed != nil {
			err = errors.Join(err, failed)
			continue
		}
		deleted++
	}
	return deleted, err
}

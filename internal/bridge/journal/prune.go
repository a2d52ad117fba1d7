package journal

import (
	"errors"
	"slices"
	"time"
)

// A Retention says which sessions are kept. Zero members keep all.
type Retention struct {
	Age   time.Duration // those that were changed this recently
	Bytes int64         // the newest that need no more room together
}

const (
	// EmptyAge is how long a session is kept in which nothing was said.
	EmptyAge = 24 * time.Hour
	// maxEmptyRead bounds the files that are opened to find those.
	maxEmptyRead = 64 << 10
)

// Keeps reports whether a session is kept that was changed so long ago, and with
// which all that are newer need so many bytes.
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

// A Keeper is a [Store] that knows which sessions are not to be kept.
type Keeper interface {
	Store
	// Outdated returns the sessions that are not to be kept, the newest first:
	// those that r says, and those in which nothing was said for a day. Some of
	// them may be owned.
	Outdated(r Retention, now time.Time) ([]Summary, error)
}

// Prune implements the function of that name for the folder.
func (f *Folder) Prune(r Retention, now time.Time) (deleted int, err error) { return Prune(f, r, now) }

// Prune deletes the sessions that are not to be kept, and returns how many. One
// that somebody owns stays.
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

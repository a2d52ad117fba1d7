package journal

import (
	"context"
	"errors"
)

// copyBatch is how many records are copied at once.
const copyBatch = 256

// ErrNoPoint means that a session does not have the record at which its copy ends.
var ErrNoPoint = errors.New("the session has no such point")

// Copy creates a session with the header h and the current records and title of the
// session from. If ends is not nil, the copy ends before the first record for which it
// returns true, and its title differs from the original's; see [Distinguish]. The caller
// owns the new session. After an error, nothing of it remains.
func Copy(ctx context.Context, store Store, from string, h Header, ends func(Record) bool) (to Journal, err error) {
	original, err := store.Describe(from)
	if err != nil {
		return nil, err
	}
	if to, err = store.Create(h); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, to.Close(), store.Delete(h.ID))
			to = nil
		}
	}()
	var batch []Record
	found := false
	for rec, err := range store.Read(from, 1) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return to, err
		}
		if found = ends != nil && ends(rec); found {
			break
		}
		rec.Data = append([]byte(nil), rec.Data...) // valid only until the next record
		if batch = append(batch, rec); len(batch) < copyBatch {
			continue
		}
		if err := to.Append(to.Next(), batch); err != nil {
			return to, err
		}
		batch = batch[:0]
	}
	if ends != nil && !found {
		return to, ErrNoPoint
	}
	if err := to.Append(to.Next(), batch); err != nil {
		return to, err
	}
	if original.Title != "" && (ends == nil || original.Named) {
		err = to.Retitle(original.Title, original.Named)
	}
	if err == nil && ends != nil {
		err = Distinguish(store, to, "")
	}
	return to, err
}

package journal

import (
	"context"
	"errors"
)

// copyBatch is how many records are copied at once.
const copyBatch = 256

// Copy creates a session with the header h and the current records and title of the
// session from. The caller owns the new session. After an error, nothing of it remains.
func Copy(ctx context.Context, store Store, from string, h Header) (to Journal, err error) {
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
	for rec, err := range store.Read(from, 1) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return to, err
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
	if err := to.Append(to.Next(), batch); err != nil {
		return to, err
	}
	if original.Title != "" {
		return to, to.Retitle(original.Title, false)
	}
	return to, nil
}

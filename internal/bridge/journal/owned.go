package journal

import (
	"errors"
	"fmt"
)

// owned is a session that this process owns.
type owned struct {
	header Header
	place  place
	file   File
	lease  lease
	head   []byte // the header, if it is not written yet
	size   int64  // of the file
	next   int64
	failed error
	behind writeBehind
}

func (o *owned) Header() Header { return o.header }

func (o *owned) Next() int64 { return o.next }

// Append implements [Journal]. It writes the records at once.
func (o *owned) Append(expected int64, records []Record) error {
	if o.failed == nil && expected != o.next {
		return ErrConflict
	}
	var text []byte
	for i, r := range records {
		r.Seq = o.next + int64(i)
		text = AppendRecord(text, r)
	}
	return o.AppendLines(expected, int64(len(records)), text)
}

// AppendLines implements [LineAppender].
func (o *owned) AppendLines(expected, count int64, text []byte) error {
	switch {
	case o.failed != nil:
		return o.failed
	case expected != o.next:
		return ErrConflict
	case count == 0 && len(o.head) == 0:
		return nil
	}
	if len(o.head) > 0 {
		text = append(o.head, text...)
	}
	n, err := o.file.Write(text)
	if err != nil {
		o.failed = fmt.Errorf("save session: %w", err)
		if n > 0 { // remove the incomplete line, which nobody could read
			o.failed = errors.Join(o.failed, o.file.Truncate(o.size))
		}
		return o.failed
	}
	o.size += int64(n)
	o.head = nil
	o.next += count
	o.behind.wrote(o.file, n)
	return nil
}

func (o *owned) Sync() error {
	if err := errors.Join(o.behind.failure(), o.file.Sync()); err != nil {
		return fmt.Errorf("save session: %w", err)
	}
	return nil
}

func (o *owned) Retitle(title string, byUser bool) error { return o.place.retitle(title, byUser) }

// Close implements [Journal]. It deletes a session without records.
func (o *owned) Close() error {
	o.behind.wait()
	err := o.file.Close()
	if o.size == 0 {
		return errors.Join(err, o.place.files.Remove(o.place.records()), o.lease.end())
	}
	return errors.Join(err, o.lease.release())
}

package journal

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
)

// tailStep is how much of a file's end is read at a time.
const tailStep = 64 << 10

// reopen opens a session's file for appending. It removes an incomplete line at the
// end.
func reopen(p place, id string) (o *owned, err error) {
	file, err := p.files.Open(p.records(), os.O_RDWR|os.O_APPEND, 0)
	if err != nil {
		return nil, fmt.Errorf("open session: %w", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("open session %s: %s: %w", id, p.records(), err), file.Close())
		}
	}()
	h, head, err := readHeader(file)
	if err != nil {
		return nil, err
	}
	if h.ID != id {
		return nil, ErrForeign
	}
	size, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	last, end, err := lastRecord(file, head, size)
	if err != nil {
		return nil, err
	}
	if end < size {
		if err := file.Truncate(end); err != nil {
			return nil, fmt.Errorf("repair its end: %w", err)
		}
	}
	return &owned{header: h, place: p, file: file, size: end, next: last + 1}, nil
}

// lastRecord returns the number of the last complete record in a file and the offset of
// its end. The records start at from. After a power failure, the file may end in blocks
// of zeros.
func lastRecord(file io.ReaderAt, from, size int64) (seq, end int64, err error) {
	end = size
	for end > from {
		line, begin, err := lineBefore(file, from, end)
		if err != nil {
			return 0, 0, err
		}
		if whole, ok := bytes.CutSuffix(line, []byte("\n")); ok {
			if r, err := ParseRecord(whole); err == nil {
				return r.Seq, end, nil
			}
		}
		end = begin
	}
	return 0, from, nil
}

// lineBefore returns the line that ends at end, and the offset at which it begins,
// which is at least from.
func lineBefore(file io.ReaderAt, from, end int64) (line []byte, begin int64, err error) {
	begin = end
	for begin > from {
		step := min(int64(max(tailStep, len(line))), begin-from)
		more := make([]byte, step, step+int64(len(line)))
		if _, err := file.ReadAt(more, begin-step); err != nil {
			return nil, 0, err
		}
		search := more
		if begin == end {
			search = more[:len(more)-1] // skip the newline at the end of the line itself
		}
		if i := bytes.LastIndexByte(search, '\n'); i >= 0 {
			return append(more[i+1:], line...), begin - step + int64(i) + 1, nil
		}
		line, begin = append(more, line...), begin-step
	}
	return line, begin, nil
}

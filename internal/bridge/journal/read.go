package journal

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
)

const (
	// maxHeader bounds the first line of a file, in bytes.
	maxHeader = 1 << 20
	// maxLine bounds each other line, in bytes. A prompt may contain a large image.
	maxLine = 128 << 20
)

// readHeader reads the first line of a file. It also returns the line's length.
func readHeader(file io.ReaderAt) (Header, int64, error) {
	l := lines{in: bufio.NewReaderSize(io.NewSectionReader(file, 0, maxHeader), 4<<10), limit: maxHeader}
	line, err := l.next()
	if errors.Is(err, io.EOF) || errors.Is(err, ErrDamaged) {
		err = ErrForeign
	}
	if err != nil {
		return Header{}, 0, err
	}
	h, err := ParseHeader(line)
	return h, int64(len(line)), err
}

// lines reads lines of any length.
type lines struct {
	in    *bufio.Reader
	long  []byte // for a line longer than in's buffer
	limit int
}

// next returns the next line including its newline. The line is valid until the next
// call.
func (l *lines) next() ([]byte, error) {
	l.long = l.long[:0]
	for {
		part, err := l.in.ReadSlice('\n')
		if err == nil && len(l.long) == 0 {
			return part, nil
		}
		l.long = append(l.long, part...)
		switch {
		case len(l.long) > l.limit:
			return nil, fmt.Errorf("%w: a line is too long", ErrDamaged)
		case err == nil:
			return l.long, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
	}
}

// Read implements [Store]. It ignores an incomplete line at the end, which may still be
// being written.
func (f *Folder) Read(id string, from int64) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		p, err := f.find(id)
		if err != nil {
			yield(Record{}, err)
			return
		}
		file, err := f.files.Open(p.records(), os.O_RDONLY, 0)
		if err != nil {
			yield(Record{}, fmt.Errorf("read session: %w", err))
			return
		}
		defer func() { _ = file.Close() }() // it was only read
		if err := read(file, id, from, func(r Record) bool { return yield(r, nil) }); err != nil {
			yield(Record{}, fmt.Errorf("read session %s: %s: %w", id, p.records(), err))
		}
	}
}

// read calls take with the records of a file, starting with number from, until take
// returns false.
func read(file File, id string, from int64, take func(Record) bool) error {
	h, head, err := readHeader(file)
	if err != nil {
		return err
	}
	if h.ID != id {
		return ErrForeign
	}
	if _, err := file.Seek(head, io.SeekStart); err != nil {
		return err
	}
	l := lines{in: bufio.NewReaderSize(file, 64<<10), limit: maxLine}
	var damage error
	for seq := int64(1); ; {
		line, err := l.next()
		if errors.Is(err, io.EOF) {
			return nil // a crash of the machine can leave anything at the end
		}
		if err != nil {
			return err
		}
		r, err := ParseRecord(line)
		switch {
		case err != nil:
			damage = cmp.Or(damage, err)
			continue
		case damage == nil && r.Seq != seq:
			damage = fmt.Errorf("%w: found record %d instead of %d", ErrDamaged, r.Seq, seq)
		}
		if damage != nil {
			return damage
		}
		if seq >= from && !take(r) {
			return nil
		}
		seq++
	}
}

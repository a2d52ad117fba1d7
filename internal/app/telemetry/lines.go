package telemetry

import (
	"bytes"
	"errors"
	"io"
)

// maxLine is how long a line may be to be looked at. A longer one passes as it is.
const maxLine = 32 << 20

// lines hands whole lines to see, which may return another line in their place.
type lines struct {
	see     func(line []byte) []byte
	rest    []byte // the beginning of a line
	through bool   // the end of a line that is too long is awaited
}

// add appends to dst what can pass of what is there now.
func (l *lines) add(dst, p []byte) []byte {
	for len(p) > 0 {
		i := bytes.IndexByte(p, '\n')
		switch {
		case l.through && i < 0:
			return append(dst, p...)
		case l.through:
			dst, l.through = append(dst, p[:i+1]...), false
		case i < 0 && len(l.rest)+len(p) > maxLine:
			dst = append(append(dst, l.rest...), p...)
			l.rest, l.through = nil, true
			return dst
		case i < 0:
			l.rest = append(l.rest, p...)
			return dst
		case len(l.rest) > 0:
			l.rest = append(l.rest, p[:i]...)
			dst = append(append(dst, l.see(l.rest)...), '\n')
			l.rest = nil
		default:
			dst = append(append(dst, l.see(p[:i])...), '\n')
		}
		p = p[i+1:]
	}
	return dst
}

// A reader is what a client sends.
type reader struct {
	from  io.Reader
	lines lines
	chunk []byte
	ready []byte
	err   error
}

// Read implements [io.Reader].
func (r *reader) Read(p []byte) (int, error) {
	for len(r.ready) == 0 {
		if r.err != nil {
			return 0, r.err
		}
		var n int
		n, r.err = r.from.Read(r.chunk)
		r.ready = r.lines.add(r.ready[:0], r.chunk[:n])
		if r.err != nil { // a line without its end is read as one
			r.ready, r.lines.rest = append(r.ready, r.lines.rest...), nil
		}
	}
	n := copy(p, r.ready)
	if r.ready = r.ready[n:]; len(r.ready) == 0 && cap(r.ready) > maxKept {
		r.ready = nil
	}
	return n, nil
}

// maxKept is how much room is kept for the next lines.
const maxKept = 256 << 10

// A writer is what the agent's side sends.
type writer struct {
	to    io.WriteCloser
	lines lines
	out   []byte
}

// Write implements [io.Writer].
func (w *writer) Write(p []byte) (int, error) {
	w.out = w.lines.add(w.out[:0], p)
	_, err := w.to.Write(w.out)
	if cap(w.out) > maxKept {
		w.out = nil
	}
	if err != nil {
		return 0, err
	}
	return len(p), nil
}

// Close implements [io.Closer].
func (w *writer) Close() error {
	_, err := w.to.Write(w.lines.rest)
	return errors.Join(err, w.to.Close())
}

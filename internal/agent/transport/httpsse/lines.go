package httpsse

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"iter"
)

// maxProbe is how many lines Lines examines before it passes a stream on
// unchanged.
const maxProbe = 64

// Lines returns the lines of r. If r contains server-sent events, as
// recordings do, the lines are the data of the events. The first line that
// identifies the format decides; earlier lines are kept. Close frees the
// reader's resources, and does not close r.
func Lines(r io.Reader) io.ReadCloser {
	in := bufio.NewReaderSize(r, 64<<10)
	var probed bytes.Buffer
	for range maxProbe {
		line, err := in.ReadSlice('\n')
		probed.Write(line)
		if framed, certain := framing(line); certain {
			all := io.MultiReader(&probed, in)
			if framed {
				return newUnframed(all)
			}
			return io.NopCloser(all)
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return io.NopCloser(io.MultiReader(&probed, failing{err}))
		}
	}
	return io.NopCloser(io.MultiReader(&probed, in))
}

// framing reports whether a line belongs to server-sent events, and whether
// that is certain.
func framing(line []byte) (framed, certain bool) {
	for _, field := range []string{"data:", "event:", "id:", "retry:", ":"} {
		if bytes.HasPrefix(line, []byte(field)) {
			return true, true
		}
	}
	return false, bytes.HasPrefix(bytes.TrimSpace(line), []byte("{"))
}

type failing struct{ err error }

// Read implements [io.Reader].
func (f failing) Read([]byte) (int, error) { return 0, f.err }

// unframed reads the data of events, one line for each event.
type unframed struct {
	next func() (Event, error, bool)
	stop func()
	rest []byte
}

func newUnframed(r io.Reader) *unframed {
	next, stop := iter.Pull2(ReadEvents(r))
	return &unframed{next: next, stop: stop}
}

// Close implements [io.Closer].
func (u *unframed) Close() error {
	u.stop()
	return nil
}

// Read implements [io.Reader].
func (u *unframed) Read(p []byte) (int, error) {
	for len(u.rest) == 0 {
		e, err, ok := u.next()
		if !ok {
			return 0, io.EOF
		}
		if err != nil {
			return 0, err
		}
		u.rest = append(e.Line(), '\n')
	}
	n := copy(p, u.rest)
	u.rest = u.rest[n:]
	return n, nil
}

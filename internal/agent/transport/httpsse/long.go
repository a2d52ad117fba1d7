package httpsse

import "bytes"

// maxHead is how much is kept of how an event begins.
const maxHead = 8 << 10

// A TooLongError is an [ErrTooLong] that tells how the event began: somebody may
// wait for an answer to it.
type TooLongError struct{ Head []byte }

// Error implements error.
func (*TooLongError) Error() string { return ErrTooLong.Error() }

// Unwrap returns [ErrTooLong].
func (*TooLongError) Unwrap() error { return ErrTooLong }

// begin is how the event begins that is being read.
type begin struct {
	head []byte
	last [3]byte // the last that were read
}

// blanks are the ends of events.
var blanks = [][]byte{[]byte("\n\n"), []byte("\r\n\r\n"), []byte("\r\r")}

// note looks at what was read.
func (b *begin) note(piece []byte) {
	if len(piece) == 0 {
		return
	}
	from := -1
	for _, blank := range blanks {
		if at := bytes.LastIndex(piece, blank); at >= 0 {
			from = max(from, at+len(blank))
		}
	}
	if from < 0 { // an end may be cut by the pieces
		seam := append(b.last[:], piece[:min(len(piece), len(b.last))]...)
		for _, blank := range blanks {
			if at := bytes.LastIndex(seam, blank); at >= 0 && at+len(blank) > len(b.last) {
				from = max(from, at+len(blank)-len(b.last))
			}
		}
	}
	for i := range b.last {
		if at := len(piece) - len(b.last) + i; at >= 0 {
			b.last[i] = piece[at]
		} else {
			b.last[i] = b.last[i+len(piece)]
		}
	}
	if from >= 0 {
		b.head, piece = b.head[:0], piece[from:]
	}
	b.head = append(b.head, piece[:min(len(piece), maxHead-len(b.head))]...)
}

func (b *begin) bytes() []byte { return bytes.Clone(b.head) }

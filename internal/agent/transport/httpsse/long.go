package httpsse

import "bytes"

// maxHead limits how much of an event's beginning is kept.
const maxHead = 8 << 10

// A TooLongError is an [ErrTooLong] with the beginning of the event, which may
// be a request that awaits an answer.
type TooLongError struct{ Head []byte }

// Error implements error.
func (*TooLongError) Error() string { return ErrTooLong.Error() }

// Unwrap returns [ErrTooLong].
func (*TooLongError) Unwrap() error { return ErrTooLong }

// begin records the beginning of the current event.
type begin struct {
	head []byte
	last [3]byte // the last bytes that were read
}

// blanks are the sequences that end an event.
var blanks = [][]byte{[]byte("\n\n"), []byte("\r\n\r\n"), []byte("\r\r")}

// note processes the next piece of the stream.
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
	if from < 0 { // an end may be split between pieces
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

package events

import (
	"bytes"
	"strconv"
	"time"
)

// A stamp is the time when an event was written, inside its text. It uses the wall clock,
// which both ends of a pipe on one machine share, and which can be read without a system
// call.
const (
	stampMark   = '@'
	stampDigits = 19 // nanoseconds since 1970, until the year 2286
)

// StampWidth is the length of a stamp, in bytes.
const StampWidth = 1 + stampDigits

// AppendStamped appends n text events that carry the time t.
func AppendStamped(dst []byte, n int, t time.Time) []byte {
	for range n {
		dst = append(dst, `{"type":"text_delta","text":"`...)
		dst = append(dst, stampMark)
		dst = strconv.AppendInt(dst, t.UnixNano(), 10)
		dst = append(dst, ' ', '"', '}', '\n')
	}
	return dst
}

// Stamps calls yield for each complete stamp in b. It returns an incomplete stamp at the
// end, which must be prepended to the next bytes.
func Stamps(b []byte, yield func(time.Time)) (rest []byte) {
	for {
		i := bytes.IndexByte(b, stampMark)
		if i < 0 {
			return nil
		}
		b = b[i:]
		if len(b) < StampWidth {
			return b
		}
		if ns, err := strconv.ParseInt(string(b[1:StampWidth]), 10, 64); err == nil {
			yield(time.Unix(0, ns))
		}
		b = b[1:]
	}
}

package awaken

import (
	"bytes"

	"github.com/turnwire/turnwire/internal/rawjson"
)

// countsOf finds what differs in the envelopes of events that are else alike:
// the older form counts and dates them, a fact has an id too, and a place in the
// order of each scope. None of it says anything of the event.
func countsOf(line []byte) (free []rawjson.Span) {
	o := rawjson.Walk(line)
	for {
		key, value, ok := o.Next()
		if !ok {
			return free
		}
		from, to := o.Span()
		switch string(key) {
		case "seq", "timestamp_ms", "event_id", "created_at":
			free = append(free, rawjson.Span{From: from, To: to})
		case "cursors_by_scope":
			free = appendCursors(free, value, from)
		}
	}
}

// cursorKey stands before a cursor. In a string these bytes cannot be: there a
// quotation mark is escaped.
var cursorKey = []byte(`"cursor":"`)

// appendCursors finds the cursors of all scopes in the array that is at base.
func appendCursors(free []rawjson.Span, array []byte, base int) []rawjson.Span {
	for at := 0; ; {
		next := bytes.Index(array[at:], cursorKey)
		if next < 0 {
			return free
		}
		from := at + next + len(cursorKey) - 1
		size := bytes.IndexByte(array[from+1:], '"')
		if size < 0 {
			return free
		}
		at = from + size + 2
		free = append(free, rawjson.Span{From: base + from, To: base + at})
	}
}

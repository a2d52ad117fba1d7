package v1

import (
	"strconv"

	"github.com/turnwire/turnwire/internal/rawjson"
)

// Times are the times of a replayed update, in milliseconds since 1970: those of the
// first and the last update that it represents. They are unknown if At is not positive.
type Times struct{ At, Until int64 }

// TimesAt returns the times of a single update.
func TimesAt(ms int64) Times { return Times{ms, ms} }

// ParseTimes reads the times from the _meta of a notification's params. It returns
// false if the _meta contains anything else.
func ParseTimes(meta []byte) (t Times, ok bool) {
	if len(meta) == 0 || meta[0] != '{' {
		return t, false
	}
	o := rawjson.Walk(meta)
	for {
		key, value, more := o.Next()
		if !more {
			break
		}
		n, err := strconv.ParseInt(string(value), 10, 64)
		if err != nil || n <= 0 {
			return Times{}, false
		}
		switch string(key) {
		case AtMeta:
			t.At = n
		case UntilMeta:
			t.Until = n
		default:
			return Times{}, false
		}
	}
	t.Until = max(t.At, t.Until)
	return t, t.At > 0
}

// AppendTo adds the times to a notification without _meta, such as one from
// [AppendNotification]. If the times are unknown, it adds nothing.
func (t Times) AppendTo(line []byte) []byte {
	if t.At <= 0 {
		return line
	}
	line = append(line[:len(line)-len("}}")], `,"_meta":{"`+AtMeta+`":`...)
	line = strconv.AppendInt(line, t.At, 10)
	if t.Until > t.At {
		line = strconv.AppendInt(append(line, `,"`+UntilMeta+`":`...), t.Until, 10)
	}
	return append(line, "}}}"...)
}

package dialect

import (
	"log/slog"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/lint"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// maxDepth is the nesting limit for lines that are decoded again; see [Readable].
const maxDepth = 1000

// Readable makes a line readable that nests deeper than JSON decoders allow: it
// replaces values that are too deep by strings. It returns any other line
// unchanged.
func Readable(line []byte) []byte {
	if rawjson.Depth(line) <= maxDepth {
		return line
	}
	return rawjson.Shallow(line, maxDepth)
}

// Decode yields the events of a line, which must be valid UTF-8, until yield
// returns false. It logs a line that holds no event. If a line nests too deep, it
// is decoded with the deepest values as text, because the agent may be waiting
// for an answer. A request that can't be decoded at all is refused; see
// [Refuser].
func Decode(d Decoder, log *slog.Logger, line []byte, yield func(agent.Event) bool) {
	c := consumer{yield: yield}
	err := d.Decode(line, c.emit)
	if err == nil {
		return
	}
	if line, err = rescue(d, line, err, c.emit); err == nil {
		return
	}
	if e := refusal(d, line, err); e != nil {
		c.emit(e)
	}
	if f, malformed := lint.Failed(line, err); malformed {
		log.Warn("skipped a malformed event", "error", f.Message)
	}
	logSkipped(log, line, err)
}

// rescue decodes a line that the decoder rejected with err. It removes what
// surrounds the JSON, then replaces values that nest too deep. It returns the
// unwrapped line, and an error if that doesn't help.
func rescue(d Decoder, line []byte, err error, yield func(agent.Event) bool) ([]byte, error) {
	inner, _ := lint.Unwrap(line)
	if len(inner) < len(line) {
		if err = d.Decode(inner, yield); err == nil {
			return inner, nil
		}
	}
	if shallow := Readable(inner); len(shallow) > 0 && &shallow[0] != &inner[0] {
		err = d.Decode(shallow, yield)
	}
	return inner, err
}

func refusal(d Decoder, line []byte, cause error) agent.Event {
	if r, ok := d.(Refuser); ok {
		return r.Refuse(line, cause)
	}
	return nil
}

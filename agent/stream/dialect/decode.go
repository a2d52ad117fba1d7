package dialect

import (
	"log/slog"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/lint"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// maxDepth is how deep a line may nest that is read another time; see [Readable].
const maxDepth = 1000

// Readable returns what can be read of a line that nests deeper than readers of
// JSON go along: what is too deep is shown as text. It is the line itself where
// that is not what is wrong with it.
func Readable(line []byte) []byte {
	if rawjson.Depth(line) <= maxDepth {
		return line
	}
	return rawjson.Shallow(line, maxDepth)
}

// Decode yields the events of a line, which must be valid UTF-8, until yield
// returns false. It logs a line that holds no event. A request in a line that
// nests too deep is decoded with the deepest values as text, because the agent
// waits for an answer; a request that can't be decoded at all is refused, see
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

// rescue decodes a line that could not be decoded as it stands; err says why. It
// does so without what is around the JSON, and without what nests too deep. It
// returns what is left to look at, and an error where that does not help.
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

package dialect

import (
	"errors"
	"log/slog"

	"github.com/turnwire/turnwire/agent"
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

// Decode yields the events of a line, which must be valid UTF-8, and logs what
// is not one. An agent that asks something waits for an answer, however deep the
// arguments nest that it asks about; what a line asks that cannot be read is
// refused, see [Refuser].
func Decode(d Decoder, log *slog.Logger, line []byte, yield func(agent.Event) bool) {
	err := d.Decode(line, yield)
	if err == nil {
		return
	}
	if again := Readable(line); len(again) > 0 && &again[0] != &line[0] {
		if err = d.Decode(again, yield); err == nil {
			return
		}
	}
	if e := refusal(d, line, err); e != nil {
		yield(e)
	}
	if _, malformed := errors.AsType[*MalformedError](err); malformed {
		log.Warn("skipped a malformed event", "error", err)
	}
	// What agents print holds what they were told: it is for those who ask.
	log.Debug("skipped a line that is no event", "error", err, "line", string(line[:min(len(line), 200)]))
}

func refusal(d Decoder, line []byte, cause error) agent.Event {
	if r, ok := d.(Refuser); ok {
		return r.Refuse(line, cause)
	}
	return nil
}

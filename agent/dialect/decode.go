package dialect

import (
	"errors"
	"log/slog"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/jsontext"
)

// Decode yields the events of a line, which must be valid UTF-8, and logs what
// is not one. What nests deeper than can be read is taken as text, and what a
// line asks that cannot be read is refused; see [Refuser].
func Decode(d Decoder, log *slog.Logger, line []byte, yield func(agent.Event) bool) {
	err := d.Decode(line, yield)
	if err == nil {
		return
	}
	if shallow, ok := jsontext.Shallow(line); ok {
		log.Debug("read a line whose values nest too deep, with text in their place")
		if err = d.Decode(shallow, yield); err == nil {
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

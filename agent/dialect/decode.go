package dialect

import (
	"errors"
	"log/slog"

	"github.com/turnwire/turnwire/agent"
)

// Decode yields the events of a line, which must be valid UTF-8, and logs what
// is not one.
func Decode(d Decoder, log *slog.Logger, line []byte, yield func(agent.Event) bool) {
	err := d.Decode(line, yield)
	if err == nil {
		return
	}
	if _, malformed := errors.AsType[*MalformedError](err); malformed {
		log.Warn("skipped a malformed event", "error", err)
	}
	// What agents print holds what they were told: it is for those who ask.
	log.Debug("skipped a line that is no event", "error", err, "line", string(line[:min(len(line), 200)]))
}

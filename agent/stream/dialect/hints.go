package dialect

import (
	"log/slog"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/lint"
)

// maxHints limits the kinds of mistakes reported for one stream.
const maxHints = 32

// hints collects the mistakes in a stream's lines.
type hints struct {
	framing  lint.Framing
	doubts   []lint.Finding // about the current line
	reported map[string]bool
	// attention means that a line that decoded successfully needs a closer look: it
	// is doubtful, or surrounded by lines that could not be decoded.
	attention bool
}

// watch makes the decoder report suspicious lines that it could decode.
func (h *hints) watch(d Decoder) {
	if doubter, ok := d.(Doubter); ok {
		doubter.Doubt(func(f lint.Finding) {
			h.doubts = append(h.doubts, f)
			h.attention = true
		})
	}
}

// decode decodes a line. It does expensive work only for faulty lines.
func (p *pump) decode(line []byte, yield func(agent.Event) bool) {
	err := p.decoder.Decode(line, yield)
	if err == nil && !p.hints.attention {
		return
	}
	h := &p.hints
	if err != nil {
		p.failed(line, err, yield)
	} else {
		h.framing.Event()
	}
	for _, f := range h.doubts {
		p.hint(f, yield)
	}
	h.doubts, h.attention = nil, h.framing.Open()
}

// failed reports what is wrong with a line that could not be decoded, after a
// second attempt with rescue.
func (p *pump) failed(line []byte, err error, yield func(agent.Event) bool) {
	if _, rule := lint.Unwrap(line); rule != "" {
		p.hint(lint.Wrapped(rule, line), yield)
	}
	if line, err = rescue(p.decoder, line, err, yield); err == nil {
		p.hints.framing.Event()
		return
	}
	if e := refusal(p.decoder, line, err); e != nil && !yield(e) {
		return
	}
	f, bad := lint.Failed(line, err)
	if !bad {
		f, bad = p.hints.framing.Check(line)
	}
	if bad {
		p.hint(f, yield)
	}
	logSkipped(p.log, line, err)
}

// hint reports a mistake: once for each kind, and each time that an event is lost.
func (p *pump) hint(f lint.Finding, yield func(agent.Event) bool) {
	h := &p.hints
	if h.reported[f.Kind()] || len(h.reported) >= maxHints {
		if f.Lost() {
			yield(&agent.Hint{Rule: f.Rule, Kind: f.Kind(), Line: p.line, Message: f.Message, Help: f.Help, Lost: true, Again: true})
		}
		return
	}
	if h.reported == nil {
		h.reported = make(map[string]bool)
	}
	h.reported[f.Kind()] = true
	f.Line = p.line
	p.log.Warn("the agent's output could not be read", "rule", f.Rule, "number", f.Line, "message", f.Message, "help", f.Help)
	yield(&agent.Hint{Rule: f.Rule, Kind: f.Kind(), Line: f.Line, Message: f.Message, Help: f.Help, Lost: f.Lost()})
}

// logSkipped logs a line that holds no event. It uses the debug level, because the
// agent's output may repeat what the user told it.
func logSkipped(log *slog.Logger, line []byte, err error) {
	log.Debug("skipped a line that is not an event", "error", err, "line", string(line[:min(len(line), 200)]))
}

package dialect

import (
	"log/slog"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/lint"
)

// maxHints bounds the kinds of mistakes that one stream is told of.
const maxHints = 32

// hints notes what is wrong with the lines of a stream.
type hints struct {
	framing lint.Framing
	doubts  []lint.Finding // about the line that is decoded
	told    map[string]bool
	// attention says that a line which could be decoded is to be looked at: it is
	// doubtful, or comes in the middle of what could not.
	attention bool
}

// watch has the decoder tell what looks wrong about lines that it can decode.
func (h *hints) watch(d Decoder) {
	if doubter, ok := d.(Doubter); ok {
		doubter.Doubt(func(f lint.Finding) {
			h.doubts = append(h.doubts, f)
			h.attention = true
		})
	}
}

// decode decodes a line. What costs time is left to lines that are at fault.
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

// failed says what is wrong with a line that could not be decoded, unless it can
// be in another way.
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
		f, bad = p.hints.framing.Look(line)
	}
	if bad {
		p.hint(f, yield)
	}
	logSkipped(p.log, line, err)
}

// hint tells of a mistake: once for each kind, or each time that something is lost.
func (p *pump) hint(f lint.Finding, yield func(agent.Event) bool) {
	h := &p.hints
	if h.told[f.Kind()] || len(h.told) >= maxHints {
		if f.Lost() {
			yield(&agent.Hint{Rule: f.Rule, Kind: f.Kind(), Line: p.line, Message: f.Message, Help: f.Help, Lost: true, Again: true})
		}
		return
	}
	if h.told == nil {
		h.told = make(map[string]bool)
	}
	h.told[f.Kind()] = true
	f.Line = p.line
	p.log.Warn("the agent's output is not understood", "rule", f.Rule, "number", f.Line, "message", f.Message, "help", f.Help)
	yield(&agent.Hint{Rule: f.Rule, Kind: f.Kind(), Line: f.Line, Message: f.Message, Help: f.Help, Lost: f.Lost()})
}

// logSkipped logs a line that holds no event. What agents print holds what they
// were told: it is for those who ask.
func logSkipped(log *slog.Logger, line []byte, err error) {
	log.Debug("skipped a line that is no event", "error", err, "line", string(line[:min(len(line), 200)]))
}

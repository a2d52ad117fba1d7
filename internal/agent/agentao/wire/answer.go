package wire

import (
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// textChunk decodes a piece of the answer.
func (s *state) textChunk(l *dialect.Line) {
	if text := l.Piece("chunk"); !text.IsZero() {
		s.endPending(l)
		l.EmitText(agent.TextDelta{Text: text})
	}
}

// thinking decodes thoughts. Before its tool calls, Agentao repeats the streamed
// answer as a thought (runtime/chat_loop); that thought is dropped.
func (s *state) thinking(l *dialect.Line) {
	text := l.Piece("text")
	if !l.OK() {
		return
	}
	s.endPending(l)
	switch {
	case text.IsZero():
	case len(s.answer.text) == 0:
		l.EmitThinking(agent.ThinkingDelta{Thinking: text})
	case !s.answer.is(text.String()):
		l.Emit(&agent.ThinkingDelta{Thinking: text}) // not a piece: the next line may repeat the answer
	}
}

// maxAnswer limits the stored text of an answer, in bytes of JSON text.
const maxAnswer = 1 << 20

// An answer holds the streamed text of the model's last answer.
type answer struct {
	text  rawjson.String
	cut   bool // text was truncated
	stale bool // the next piece starts another answer
}

// forget starts another answer.
func (a *answer) forget() { a.text, a.cut, a.stale = a.text[:0], false, false }

func (a *answer) add(piece rawjson.String) {
	if a.stale {
		a.forget()
	}
	if a.cut = a.cut || len(a.text)+len(piece) > maxAnswer; !a.cut {
		a.text = append(a.text, piece...)
	}
}

// is reports whether text equals the answer, except for surrounding white space.
func (a *answer) is(text string) bool {
	have := strings.TrimSpace(a.text.String())
	text = strings.TrimSpace(text)
	return have != "" && (text == have || a.cut && strings.HasPrefix(text, have))
}

// rest returns the part of the turn's final text that was not streamed. goesOn
// reports whether it continues the streamed text.
func (a *answer) rest(final string) (rest string, goesOn bool) {
	if strings.TrimSpace(final) == "" || a.is(final) {
		return "", false
	}
	have := strings.TrimSpace(a.text.String())
	if rest, ok := strings.CutPrefix(strings.TrimSpace(final), have); ok && have != "" {
		return rest, true
	}
	return final, false
}

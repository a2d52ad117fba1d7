package terminal

import (
	"io"

	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// A quietView shows only the agent's final answer, at the end, because its stdout is the
// input of the next program in a pipe. Remarks go to stderr, and the user can't be asked.
type quietView struct {
	*transcript

	answer finalAnswer
	errOut io.Writer
}

func (q *quietView) update(_ []byte, u v1.Update) {
	q.answer.update(u)
	warn(q.errOut, u)
}

// warn writes the agent's warnings and errors to stderr, for output that programs read.
func warn(errOut io.Writer, u v1.Update) {
	if n, ok := u.(*v1.Notice); ok && (n.Severity == "warning" || n.Severity == "error") {
		_, _ = io.WriteString(errOut, n.Severity+": "+cleanLine(n.Title)+"\n")
	}
}

func (q *quietView) say(text string) { _, _ = io.WriteString(q.errOut, text+"\n") }

func (*quietView) decided(*toolCall, bool) {}

func (*quietView) subject(f *v1.ToolCallFields) *toolCall {
	t := &toolCall{}
	t.merge(f)
	return t
}

// end writes the reason for an early stop to stderr, because stdout is only for the
// answer.
func (q *quietView) end(r *report) error {
	for _, c := range q.answer.chunks {
		q.transcript.update(nil, c)
	}
	if reason := stopped(r.StopReason); reason != "" {
		q.say(reason)
	}
	return q.transcript.end(&report{StopReason: v1.StopEndTurn})
}

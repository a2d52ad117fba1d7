package terminal

import (
	"io"

	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// A quietView shows the agent's final answer at the end, and nothing else: its
// stdout is for what comes next in a pipe. Remarks go to stderr, and the user cannot
// be asked.
type quietView struct {
	*transcript

	answer finalAnswer
	errOut io.Writer
}

func (q *quietView) update(_ []byte, u v1.Update) {
	q.answer.update(u)
	warn(q.errOut, u)
}

// warn writes a warning or an error of the agent to stderr, for output that is not
// for people.
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

// end says on stderr why the turn stopped early: stdout has the answer alone.
func (q *quietView) end(r *report) error {
	for _, c := range q.answer.chunks {
		q.transcript.update(nil, c)
	}
	if reason := stopped(r.StopReason); reason != "" {
		q.say(reason)
	}
	return q.transcript.end(&report{StopReason: v1.StopEndTurn})
}

package terminal

import (
	"io"

	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// A quietView shows the agent's answer, and nothing else: its stdout is for what
// comes next in a pipe. Remarks go to stderr, and the user cannot be asked.
type quietView struct {
	*transcript

	errOut io.Writer
}

func (q *quietView) update(raw []byte, u v1.Update) {
	if c, ok := u.(*v1.MessageChunk); ok && c.Kind == v1.AgentMessage {
		q.transcript.update(raw, u)
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
	if reason := stopped(r.StopReason); reason != "" {
		q.say(reason)
	}
	return q.transcript.end(&report{StopReason: v1.StopEndTurn})
}

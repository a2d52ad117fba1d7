package bridge

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/normalize"
	"github.com/turnwire/turnwire/internal/agent/stream/toolview"
	"github.com/turnwire/turnwire/internal/bridge/acpmap"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/internal/rawjson"
	"github.com/turnwire/turnwire/protocol"
)

// A Transcript writes the lines that an editor without optional capabilities would
// receive for an event stream. Each turn of the stream answers one prompt. The agent's
// requests get no response.
type Transcript struct {
	out        io.Writer
	normalizer *normalize.Normalizer
	turns      int
	requests   int
	asked      []agent.QuestionAsked // shown as tool calls that are still open
	visible    bool                  // the turn produced visible output
	line       []byte
	queued     [][]byte // messages for the next turn
	err        error
}

// The session id in a transcript.
const transcriptSession = "session-1"

// NewTranscript returns a transcript for a session in cwd, written to out.
func NewTranscript(out io.Writer, cwd string) *Transcript {
	return &Transcript{out: out, normalizer: normalize.New(cwd, toolview.Common)}
}

// Add writes the lines for the next event. It returns false once a write has failed.
func (t *Transcript) Add(e agent.Event) bool {
	if !t.normalizer.Running() && (t.turns == 0 || opensTurn(e)) {
		t.turns++
		t.normalizer.Begin("")
		for _, line := range t.queued {
			t.write(line)
		}
		t.queued = nil
	}
	e.Common().TurnID = ""
	t.normalizer.Add(e, t.show)
	return t.err == nil
}

// opensTurn reports whether an event between two turns begins the next turn. A second
// terminal event, which some agents send, does not; nor does an event that is allowed
// at any time.
func opensTurn(e agent.Event) bool {
	switch e.(type) {
	case *agent.Done, *agent.Error, *agent.MessageEnd, *agent.StepEnd, *agent.ToolProgress:
		return false
	case *agent.CredentialRequired:
		return true
	}
	return !agent.OfSession(e)
}

// End ends a turn that the stream left open, as if the agent's output had ended, and
// returns any write error.
func (t *Transcript) End() error {
	t.normalizer.Fail(&agent.Error{Error: "the stream ended in the middle of a turn", Code: "agent_exited"}, t.show)
	return t.err
}

func (t *Transcript) show(step normalize.Step) {
	for _, u := range acpmap.Map(step, acpmap.Client{}) {
		t.visible = t.visible || acpmap.IsVisible(u)
		if _, message := u.(*v1.MessageChunk); message && !t.normalizer.Running() {
			t.queued = append(t.queued, v1.AppendNotification(nil, transcriptSession, u))
			continue
		}
		t.write(v1.AppendNotification(t.line[:0], transcriptSession, u))
	}
	switch e := step.Event.(type) {
	case *agent.ConfirmationRequested:
		if e.Refusal != "" {
			break
		}
		t.call(v1.MethodRequestPermission, acpmap.Permission(step, e, transcriptSession))
	case *agent.QuestionAsked:
		if e.Refusal != "" {
			break
		}
		t.question(e, step.Tool, step.MessageID)
	case *agent.QuestionAnswered:
		t.settle(e)
	}
	if step.End {
		t.settle(nil)
		if !t.visible && acpmap.EndsWell(step.Event) {
			for _, u := range acpmap.Map(acpmap.NoAnswer(fmt.Sprintf("m%d", t.turns)), acpmap.Client{}) {
				t.write(v1.AppendNotification(t.line[:0], transcriptSession, u))
			}
		}
		t.visible = false
		t.answer(step.Event)
	}
}

// question asks the way an editor without forms is asked.
func (t *Transcript) question(e *agent.QuestionAsked, asker *normalize.Tool, messageID string) {
	if e.URL != "" || len(e.Fields) > 0 {
		single, ok := acpmap.Single(e)
		if !ok || e.URL != "" {
			t.show(normalize.Step{Event: acpmap.CannotAsk(e), MessageID: messageID})
			return
		}
		e = &single
	}
	req, ok := acpmap.Choices(e, asker, transcriptSession)
	if !ok {
		t.write(v1.AppendNotification(t.line[:0], transcriptSession, acpmap.QuestionMessage(e, messageID)))
		return
	}
	if asker == nil {
		t.write(v1.AppendNotification(t.line[:0], transcriptSession, acpmap.QuestionCall(e)))
		t.asked = append(t.asked, *e)
	}
	t.call(v1.MethodRequestPermission, req)
}

// settle ends the call of the answered question. At the end of the turn, when answered
// is nil, it ends all open ones.
func (t *Transcript) settle(answered *agent.QuestionAnswered) {
	t.asked = slices.DeleteFunc(t.asked, func(q agent.QuestionAsked) bool {
		var end v1.Update
		switch {
		case answered == nil:
			end = acpmap.QuestionEnd(&q, "", false)
		case answered.QuestionID == q.QuestionID:
			end = acpmap.QuestionEnd(&q, answered.Answer, !answered.Cancelled)
		default:
			return false
		}
		t.write(v1.AppendNotification(t.line[:0], transcriptSession, end))
		return true
	})
}

// call writes a request to the editor.
func (t *Transcript) call(method string, params any) {
	t.requests++
	line := fmt.Appendf(t.line[:0], `{"jsonrpc":"2.0","id":%d,"method":`, t.requests)
	line = append(rawjson.AppendString(line, method), `,"params":`...)
	t.write(append(v1.AppendValue(line, params), '}'))
}

// answer writes the prompt's response.
func (t *Transcript) answer(end agent.Event) {
	line := fmt.Appendf(t.line[:0], `{"jsonrpc":"2.0","id":%d,`, t.turns)
	stop, err := acpmap.Stop(end)
	if err != nil {
		raw, encodeErr := json.Marshal(protocol.Wire(err))
		if encodeErr != nil {
			t.err = encodeErr
			return
		}
		t.write(append(append(append(line, `"error":`...), raw...), '}'))
		return
	}
	line = append(line, `"result":`...)
	t.write(append(v1.AppendValue(line, v1.PromptResponse{StopReason: stop}), '}'))
}

func (t *Transcript) write(line []byte) {
	t.line = line
	if t.err == nil {
		_, t.err = t.out.Write(append(line, '\n'))
	}
}

package wire

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// StreamMethod is the method of notifications that carry events.
const StreamMethod = "$/stream"

// Error codes for errors without a code from Ethos.
const (
	codeNoAnswer = "agent_no_end" // a prompt was left without a response
	codeBusy     = "busy"         // another turn is running
)

// A prompt is the request that the current events belong to.
type prompt struct {
	id     string // as JSON; "" if none is running
	failed bool   // it has ended with an error
	// stopped is set once Ethos has accepted a request to cancel the prompt.
	// The prompt's response doesn't tell.
	stopped bool
	pending *agent.Done // its last event, which waits for the response
}

// rpcName classifies JSON-RPC messages, which have no member for it. An error
// has no id if Ethos could not read the request. An event nested in a message
// is not a message.
func rpcName(l *dialect.Line) string {
	if l.IsString("type") || l.IsWithin() {
		return ""
	}
	switch {
	case l.OptionalKey("method") == StreamMethod:
		return "stream"
	case l.IsString("method"):
		return "request"
	case l.Has("error") && (l.Has("id") || l.IsString("jsonrpc")):
		return "error"
	case l.Has("result") && l.Has("id"):
		return "result"
	}
	return ""
}

// stream decodes a notification. A prompt's turn starts with its first
// notification, because Ethos rejects some prompts before they run.
func (s *state) stream(l *dialect.Line) {
	params := l.Object("params")
	event := params.Object("event")
	if !event.IsString("type") {
		l.Fault(dialect.ErrNotObject)
		return
	}
	if id := params.Raw("requestId"); len(id) > 0 && string(id) != s.prompt.id {
		// This is the only sign of two concurrent prompts.
		if event.OptionalKey("type") == "run_start" && !s.giveUp(l) {
			return
		}
		s.begin(string(id))
	}
	l.Unwrap(event)
}

// giveUp ends a prompt that was not answered before the next one started.
func (s *state) giveUp(l *dialect.Line) bool {
	switch p := s.prompt; {
	case p.id == "" || p.failed:
		return true
	case p.stopped:
		return l.Emit(&agent.Done{StopReason: agent.StopCancelled})
	case p.pending != nil:
		return l.Emit(p.pending)
	}
	return l.Emit(&agent.Error{Error: "Ethos did not respond to the prompt", Code: codeNoAnswer})
}

// isAnswer reports whether the line is the response to the prompt.
func (s *state) isAnswer(l *dialect.Line) bool {
	return s.prompt.id == "" || s.prompt.id == string(l.Raw("id"))
}

// end ends the prompt with its last event, unless an error has ended it
// earlier. Ethos responds with success even then.
func (s *state) end(l *dialect.Line, last agent.Event) {
	failed := s.prompt.failed
	s.begin("")
	if !failed {
		l.Emit(last)
	}
}

// result decodes a response. The response to the prompt ends the turn. All
// others are between Ethos and its client.
func (s *state) result(l *dialect.Line) {
	var answer struct {
		Text      *string `json:"text"`
		TurnCount *int64  `json:"turnCount"`
		OK        bool    `json:"ok"`
	}
	// If decoding fails, the response belongs to another kind of request.
	err := exactjson.Unmarshal(l.Raw("result"), &answer)
	answered := s.isAnswer(l)
	if err != nil || answer.Text == nil || answer.TurnCount == nil || !answered {
		// While a prompt is running, only the response to a cancel consists of
		// nothing but "ok".
		s.prompt.stopped = s.prompt.stopped || err == nil && answer.OK && !answered
		return
	}
	done := s.prompt.pending
	if done == nil {
		done = &agent.Done{TurnCount: *answer.TurnCount}
	}
	if done.Text == "" {
		done.Text = *answer.Text
	}
	if s.prompt.stopped {
		done.StopReason = agent.StopCancelled
	}
	s.limit(done)
	s.end(l, done)
}

// refusal decodes an error response. The prompt was refused or failed, or
// another request failed while it was running.
func (s *state) refusal(l *dialect.Line) {
	var rpc struct {
		Code    int64  `json:"code"`
		Message string `json:"message"`
	}
	object := l.Object("error")
	if object == nil || !object.Read(&rpc) {
		return
	}
	e := &agent.Error{Error: rpc.Message, Code: strconv.FormatInt(rpc.Code, 10)}
	if e.Error == "" {
		e.Error = fmt.Sprintf("Ethos responded with error %d", rpc.Code)
	}
	if strings.Contains(rpc.Message, "has a prompt in progress") {
		e.Error = "Ethos is still busy with the previous turn: " + rpc.Message
		e.Code = codeBusy
	}
	if s.isAnswer(l) {
		s.end(l, e)
		return
	}
	e.Fatal = new(bool) // the prompt continues
	l.Emit(e)
}

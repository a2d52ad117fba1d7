package quirks

import (
	"bytes"

	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
)

// A Session is what is remembered of one session of the agent. The methods of a nil
// Session change nothing.
type Session struct {
	table *Table
	cwd   string

	held  []byte // a chunk that may say why the turn ends; see ErrorPrefix
	mid   bool   // the last chunk did not end its line
	calls map[string]*call
}

// NewSession returns a session with the folder cwd. It is nil if t is nil.
func (t *Table) NewSession(cwd string) *Session {
	if t == nil {
		return nil
	}
	return &Session{table: t, cwd: cwd, calls: make(map[string]*call)}
}

// A Step is a part of what an update becomes: an update, or a notice.
type Step struct {
	Update []byte
	Notice *Notice
}

// A Notice is a message to the user that is no part of the answer.
type Notice struct{ Severity, Message, Description string }

// Update returns what an update becomes, in order. It may be nothing, because the
// update is held back, or has been there before.
func (s *Session) Update(body []byte) []Step {
	if s == nil {
		return []Step{{Update: body}}
	}
	switch rawmsg.MemberText(body, "sessionUpdate") {
	case "agent_message_chunk":
		return s.chunk(body)
	case "tool_call":
		s.mid = false
		return s.behindHeld(s.toolCall(body, true))
	case "tool_call_update":
		s.mid = false
		return s.behindHeld(s.toolCall(body, false))
	case "agent_thought_chunk":
		s.mid = false
	}
	return s.behindHeld(body)
}

// behindHeld returns the step for an update, after the chunk that was held back: the
// turn goes on, so the chunk is text. body may be nil.
func (s *Session) behindHeld(body []byte) (steps []Step) {
	if s.held != nil {
		steps = append(steps, Step{Update: s.held})
		s.held = nil
	}
	if body != nil {
		steps = append(steps, Step{Update: body})
	}
	return steps
}

// Release returns the chunk that was held back, or nil.
func (s *Session) Release() []byte {
	if s == nil {
		return nil
	}
	held := s.held
	s.held = nil
	return held
}

// EndTurn forgets what belongs to the turn, and returns why the turn ended, if the
// last chunk says so.
func (s *Session) EndTurn() (reason string) {
	if s == nil {
		return ""
	}
	if s.held != nil {
		reason, _ = s.table.reason(textOf(s.held))
	}
	s.held, s.mid = nil, false
	clear(s.calls)
	return reason
}

// textOf returns the text of a chunk, or "" if its content is not text.
func textOf(body []byte) string {
	content, _, _ := rawmsg.Member(body, "content")
	if len(content) == 0 || content[0] != '{' || rawmsg.MemberText(content, "type") != "text" {
		return ""
	}
	return rawmsg.MemberText(content, "text")
}

// hold keeps a copy of a chunk until it is known what it says.
func (s *Session) hold(body []byte) { s.held = bytes.Clone(body) }

package quirks

import (
	"bytes"

	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
)

// A Session is the state of one of the agent's sessions. The methods of a nil Session
// change nothing.
type Session struct {
	table *Table
	cwd   string

	queued []byte // a chunk that may give the reason for the end of the turn; see ErrorPrefix
	mid    bool   // the last chunk ended in the middle of a line
	calls  map[string]*call
}

// NewSession returns a session in the folder cwd, or nil if t is nil.
func (t *Table) NewSession(cwd string) *Session {
	if t == nil {
		return nil
	}
	return &Session{table: t, cwd: cwd, calls: make(map[string]*call)}
}

// A Step is a part of the result of an update: either an update or a notice.
type Step struct {
	Update []byte
	Notice *Notice
}

// A Notice is a message to the user that is not part of the answer.
type Notice struct{ Severity, Message, Description string }

// Update returns the steps for an update, in order. There may be none, because the
// update is held back or is a repetition.
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

// behindHeld returns the step for an update, after the chunk that was held back.
// Because the turn continues, that chunk is ordinary text. body may be nil.
func (s *Session) behindHeld(body []byte) (steps []Step) {
	if s.queued != nil {
		steps = append(steps, Step{Update: s.queued})
		s.queued = nil
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
	queued := s.queued
	s.queued = nil
	return queued
}

// EndReason takes the reason for the end of the turn, if the last chunk gave one.
func (s *Session) EndReason() (reason string) {
	if s == nil {
		return ""
	}
	if s.queued != nil {
		reason, _ = s.table.reason(textOf(s.queued))
	}
	s.queued, s.mid = nil, false
	return reason
}

// EndTurn forgets the turn's calls.
func (s *Session) EndTurn() {
	if s != nil {
		clear(s.calls)
	}
}

// textOf returns the text of a chunk, or "" if its content is not text.
func textOf(body []byte) string {
	content, _, _ := rawmsg.Member(body, "content")
	if len(content) == 0 || content[0] != '{' || rawmsg.MemberText(content, "type") != "text" {
		return ""
	}
	return rawmsg.MemberText(content, "text")
}

// hold stores a copy of a chunk until its meaning is known.
func (s *Session) hold(body []byte) { s.queued = bytes.Clone(body) }

package quirks

import (
	"bytes"
	"hash/maphash"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/toolview"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
)

const (
	// maxCalls bounds the remembered calls of a turn.
	maxCalls = 512
	// maxInput bounds the remembered arguments of a call, in bytes.
	maxInput = 64 << 10
	// maxID bounds the id of a remembered call, in bytes.
	maxID = 1 << 10
)

// A call is the remembered state of a tool call of the turn.
type call struct {
	tool  string // the tool's name, if the table describes it
	input []byte
	ended bool
	end   uint64 // the hash of the update that ended it
}

var seed = maphash.MakeSeed()

// toolCall returns a call's update with the table's repairs. It returns nil if the
// update repeats the end of the call.
func (s *Session) toolCall(body []byte, announces bool) []byte {
	id := rawmsg.MemberText(body, "toolCallId")
	c := s.calls[id]
	if c == nil || announces && c.ended {
		c = s.remember(id)
	}
	if s.table.EndsTwice && isFinal(rawmsg.MemberText(body, "status")) {
		sum := maphash.Bytes(seed, body)
		if c.ended && c.end == sum {
			return nil
		}
		c.ended, c.end = true, sum
	}
	return s.described(c, body)
}

func isFinal(status string) bool { return status == "completed" || status == "failed" }

// remember adds a call. If there are too many calls, it drops them all; updates of
// these then lack repaired titles.
func (s *Session) remember(id string) *call {
	if len(s.calls) >= maxCalls {
		clear(s.calls)
	}
	c := new(call)
	if len(id) <= maxID {
		s.calls[id] = c
	}
	return c
}

// described returns a call, or an update of it, with the title, kind, locations and
// diffs that the table derives from the tool's name and arguments.
func (s *Session) described(c *call, body []byte) []byte {
	title := rawmsg.MemberText(body, "title")
	_, bare := s.table.Tools.Find(title)
	if bare {
		c.tool = title
		body = rawmsg.Set(body, "name", rawmsg.Quote(title))
	}
	input := c.learn(body)
	if c.tool != "" && (bare || title == "" && input != nil) {
		if input == nil {
			input = c.input
		}
		body = s.withView(c.tool, input, body)
	}
	if s.table.RelativePaths {
		body = absolute(body, s.cwd)
	}
	return body
}

// learn stores and returns the arguments in an update. It returns nil for an update
// without arguments.
func (c *call) learn(body []byte) []byte {
	input, _, _ := rawmsg.Member(body, "rawInput")
	if len(input) == 0 || input[0] != '{' {
		return nil
	}
	c.input = nil
	if len(input) <= maxInput {
		c.input = bytes.Clone(input)
	}
	return input
}

// withView adds what the table knows about a tool's call. It does not replace members
// that the agent set, except for the bare title and the kind "other".
func (s *Session) withView(tool string, input, body []byte) []byte {
	given := agent.View{Kind: rawmsg.MemberText(body, "kind")}
	if given.Kind == "other" {
		given.Kind = ""
	}
	v := toolview.Describe(s.table.Tools, given, tool, input, s.cwd)
	body = rawmsg.Set(body, "title", rawmsg.Quote(v.Title))
	body = rawmsg.Set(body, "kind", rawmsg.Quote(v.Kind))
	if isMissing(body, "locations") && len(v.Locations) > 0 {
		body = rawmsg.Set(body, "locations", locations(v.Locations))
	}
	if isMissing(body, "content") && len(v.Diffs) > 0 {
		body = rawmsg.Set(body, "content", diffs(v.Diffs))
	}
	return body
}

func isMissing(body []byte, name string) bool {
	value, _, _ := rawmsg.Member(body, name)
	return value == nil || string(value) == "null" || string(value) == "[]"
}

// locations returns places as `ToolCallLocation`.
func locations(places []agent.Location) []byte {
	list := make([]map[string]any, 0, len(places))
	for _, p := range places {
		place := map[string]any{"path": p.Path}
		if p.Line > 0 {
			place["line"] = p.Line
		}
		list = append(list, place)
	}
	return rawmsg.Encode(list)
}

// diffs returns differences as `ToolCallContent`.
func diffs(all []agent.Diff) []byte {
	list := make([]map[string]any, 0, len(all))
	for _, d := range all {
		diff := map[string]any{"type": "diff", "path": d.Path, "newText": d.NewText}
		if d.OldText != nil {
			diff["oldText"] = *d.OldText
		}
		list = append(list, diff)
	}
	return rawmsg.Encode(list)
}

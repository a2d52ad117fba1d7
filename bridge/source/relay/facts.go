package relay

import (
	"bytes"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/toolview"
	"github.com/turnwire/turnwire/bridge/consent"
	"github.com/turnwire/turnwire/internal/rawjson"
	"github.com/turnwire/turnwire/protocol/rawmsg"
)

// maxInput bounds the arguments of a call that are remembered, in bytes.
const maxInput = 64 << 10

// facts are what an agent has said of a call that runs, as far as it matters for
// consent: a request for permission may say no more than which call it is about.
type facts struct {
	kind, tool       string
	locations, diffs []string
	input            []byte
}

// learn takes a member of an update of the call, or of the request.
func (f *facts) learn(name string, value []byte) {
	switch name {
	case "kind":
		f.kind = textOr(value, f.kind)
	case "name":
		f.tool = textOr(value, f.tool)
	case "_meta":
		// What the agent of Claude Code says in the place of name.
		if claude, _, _ := rawmsg.Member(objectOf(value), "claudeCode"); f.tool == "" {
			f.tool = rawmsg.MemberText(objectOf(claude), "toolName")
		}
	case "rawInput":
		f.input = nil
		if len(value) <= maxInput {
			f.input = bytes.Clone(value)
		}
	case "locations":
		f.locations = pathsOf(value, "")
	case "content":
		f.diffs = pathsOf(value, "diff")
	}
}

// textOr is a string, or what was known where it is none.
func textOr(value []byte, known string) string {
	if len(value) == 0 || value[0] != '"' {
		return known
	}
	return rawmsg.Text(value)
}

// objectOf is a value that is an object, and else an empty one.
func objectOf(value []byte) []byte {
	if len(value) == 0 || value[0] != '{' {
		return []byte("{}")
	}
	return value
}

// pathsOf are the paths of the objects of a list that have a type; "" is any.
func pathsOf(list []byte, kind string) (paths []string) {
	if len(list) == 0 || list[0] != '[' {
		return nil
	}
	for element := range rawjson.Elements(list) {
		if element[0] == '{' && (kind == "" || rawmsg.MemberText(element, "type") == kind) {
			if path := rawmsg.MemberText(element, "path"); path != "" {
				paths = append(paths, path)
			}
		}
	}
	return paths
}

// describe completes a call with the facts. What the arguments say is believed
// beside the locations, never in their place.
func (f *facts) describe(c *consent.Call) {
	c.Kind, c.Tool, c.Command = consent.DefaultKind, f.tool, consent.Command(f.input)
	if f.kind != "" {
		c.Kind = f.kind
	}
	for _, p := range f.locations {
		c.AddPath(p)
	}
	for _, p := range f.diffs {
		c.AddPath(p)
	}
	if len(c.Paths) == 0 || len(f.input) == 0 {
		return
	}
	for _, l := range toolview.Describe(nil, agent.View{}, f.tool, f.input, c.Dir).Locations {
		c.AddPath(l.Path)
	}
}

// factKey is where the facts of a call are: sub-agents have their own ids.
func factKey(remote, call string) string { return remote + "\x00" + call }

// learns reports whether somebody wants to know what calls are about.
func (u *upstream) learns() bool { return u.relay.cfg.Judge != nil || u.relay.cfg.Audit != nil }

// learn remembers what an update of a session says of a call. remote is that
// session, or the one of a sub-agent. The lock is held.
func (u *upstream) learn(s *session, remote string, said *update) {
	if kind := string(said.kind); !u.learns() || kind != kindCall && kind != kindCallUpdate {
		return
	}
	key := factKey(remote, rawjson.String(said.call).String())
	if said.isFinal() {
		delete(s.facts, key)
		return
	}
	f := s.facts[key]
	if f == nil {
		if len(s.facts) >= maxCalls {
			return
		}
		f = new(facts)
		s.facts[key] = f
	}
	for _, m := range said.members {
		f.learn(string(m.key), m.value)
	}
}

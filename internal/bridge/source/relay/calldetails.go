package relay

import (
	"bytes"
	"cmp"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/toolview"
	"github.com/turnwire/turnwire/internal/bridge/consent"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	"github.com/turnwire/turnwire/internal/protocol/toolcall"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// maxInput bounds the remembered arguments of a call, in bytes.
const maxInput = 64 << 10

// callDetails are the parts of a running call that matter for consent. They are stored
// because a permission request may only name the call.
type callDetails struct {
	kind, name, claudeName string
	locations, diffs       []string
	input                  []byte
}

// record stores a member of the call's update or request.
func (f *callDetails) record(key, value []byte) {
	for name, value := range toolcall.Changes(key, value) {
		switch name {
		case toolcall.Name{Text: "kind"}:
			f.kind = rawmsg.Text(value)
		case toolcall.Name{Text: "name"}:
			f.name = rawmsg.Text(value)
		case toolcall.Name{Text: "claudeCode", Meta: true}: // Claude Code's agent sends no name
			f.claudeName = rawmsg.MemberText(objectOf(value), "toolName")
		case toolcall.Name{Text: "rawInput"}:
			f.input = nil
			if len(value) <= maxInput {
				f.input = bytes.Clone(value)
			}
		case toolcall.Name{Text: "locations"}:
			f.locations = pathsOf(value, "")
		case toolcall.Name{Text: "content"}:
			f.diffs = pathsOf(value, "diff")
		}
	}
}

// objectOf returns value if it is an object, otherwise an empty object.
func objectOf(value []byte) []byte {
	if len(value) == 0 || value[0] != '{' {
		return []byte("{}")
	}
	return value
}

// pathsOf returns the paths of the objects in a list that have a type. If kind is "",
// any type matches.
func pathsOf(list []byte, kind string) (paths []string) {
	for element := range rawjson.Elements(list) {
		if element[0] == '{' && (kind == "" || rawmsg.MemberText(element, "type") == kind) {
			if path := rawmsg.MemberText(element, "path"); path != "" {
				paths = append(paths, path)
			}
		}
	}
	return paths
}

// describe fills in a call from the details. Paths in the arguments are added to the
// locations, and never replace them.
func (f *callDetails) describe(c *consent.Call) {
	c.Kind = cmp.Or(f.kind, consent.DefaultKind)
	c.Tool, c.Command = cmp.Or(f.name, f.claudeName), consent.Command(f.input)
	for _, p := range f.locations {
		c.AddPath(p)
	}
	for _, p := range f.diffs {
		c.AddPath(p)
	}
	if len(c.Paths) == 0 || len(f.input) == 0 {
		return
	}
	for _, l := range toolview.Describe(nil, agent.View{}, c.Tool, f.input, c.Dir).Locations {
		c.AddPath(l.Path)
	}
}

// learns reports whether the relay needs details of calls.
func (r *relay) learns() bool { return r.cfg.Judge != nil || r.cfg.Audit != nil }

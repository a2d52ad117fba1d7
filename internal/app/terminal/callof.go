package terminal

import (
	"path/filepath"

	"github.com/turnwire/turnwire/internal/app/policy"
	"github.com/turnwire/turnwire/internal/exactjson"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// calls are the tool calls that run, as the agent has described them so far: a
// request for permission may say no more than which one it is about.
type calls map[string]*toolCall

// update follows an update. What has ended is never asked about.
func (c calls) update(u v1.Update) {
	var f *v1.ToolCallFields
	switch u := u.(type) {
	case *v1.ToolCall:
		f = &u.ToolCallFields
	case *v1.ToolCallUpdate:
		f = &u.ToolCallFields
	default:
		return
	}
	if t := c.merged(f); t.finished() {
		delete(c, f.ToolCallID)
	}
}

// merged returns the call that f is about, with what f says.
func (c calls) merged(f *v1.ToolCallFields) *toolCall {
	t := c[f.ToolCallID]
	if t == nil {
		t = new(toolCall)
		c[f.ToolCallID] = t
	}
	t.merge(f)
	return t
}

// callOf returns what a policy looks at of a tool call.
func callOf(t *toolCall, dir string) policy.Call {
	c := policy.Call{Kind: string(t.Kind), Dir: dir}
	add := func(path string) {
		if path == "" {
			return
		}
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		c.Paths = append(c.Paths, path)
	}
	for _, l := range t.Locations {
		add(l.Path)
	}
	for _, item := range t.Content {
		if d, ok := item.(*v1.DiffItem); ok {
			add(d.Path)
		}
	}
	var input commandInput
	if exactjson.Unmarshal(t.RawInput, &input) == nil {
		c.Command = commandLine(input.Command)
	}
	return c
}

package acp

import (
	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/toolview"
)

// Repairs says how an agent departs from the protocol. The zero value repairs
// only what no agent that keeps to the protocol writes:
//
//   - permission requests for a call that is announced later, under another
//     id (Agentao);
//   - thoughts that repeat the whole message before them (Agentao);
//   - content that adds to the content before it, marked by the member
//     "schema_version" (Agentao);
//   - a second end of a call (Glue);
//   - stack traces in errors (Glue).
type Repairs struct {
	// Options says what the options of a permission request mean whose kind is
	// missing, by their ids. An option that is not here cannot be chosen.
	Options map[string]agent.Decision
	// Notices are the marks that begin a chunk which is a line of its own, and
	// no part of the answer; the value is its severity.
	Notices map[string]string
	// ErrorMark begins a chunk that says why the turn then ends with "refusal".
	ErrorMark string
	// Busy and Lost are the codes of errors that say that another prompt runs,
	// and that the session is not known any more.
	Busy, Lost int64
	// Tools describes calls whose title is only the name of a tool.
	Tools toolview.Table
}

// GlueRepairs returns those for `glue acp`. Its permission requests have
// toolCallId, title and kind where toolCall should be, and options with a label
// but no kind; notices and errors come as chunks of the message; tools come
// with their bare name as title.
func GlueRepairs() Repairs {
	return Repairs{
		Options:   map[string]agent.Decision{"allow": agent.AllowOnce, "deny": agent.RejectOnce},
		Notices:   map[string]string{"! ": "warning", "· ": "info"},
		ErrorMark: "[error] ",
		Busy:      -32600,
		Lost:      -32001,
		Tools: toolview.Table{
			{Name: "read_file", Kind: "read", Verb: "Read", Subject: "path", Path: "path"},
			{Name: "list_directory", Kind: "read", Verb: "List", Subject: "path", Path: "path"},
			{Name: "grep", Kind: "search", Verb: "Search for", Subject: "pattern"},
			{Name: "write_file", Kind: "edit", Verb: "Write", Subject: "path", Path: "path"},
			{Name: "edit_file", Kind: "edit", Verb: "Edit", Subject: "path", Path: "path"},
			{Name: "bash", Kind: "execute", Verb: "Run", Subject: "command"},
			{Name: "web_fetch", Kind: "fetch", Verb: "Fetch", Subject: "url"},
			{Name: "web_search", Kind: "search", Verb: "Search the web for", Subject: "query"},
			{Name: "web_browser", Kind: "fetch", Verb: "Browse", Subject: "url"},
			{Name: "spawn_subagent", Kind: "think", Verb: "Ask a helper", Subject: "task"},
			{Name: "spawn_parallel_subagents", Kind: "think", Verb: "Ask several helpers"},
			{Name: "skill", Kind: "other", Verb: "Use the skill", Subject: "name"},
		},
	}
}

// marks reports whether chunks may be something else than text.
func (r *Repairs) marks() bool { return len(r.Notices) > 0 || r.ErrorMark != "" }

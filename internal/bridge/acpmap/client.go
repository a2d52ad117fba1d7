package acpmap

import v1 "github.com/turnwire/turnwire/internal/protocol/v1"

// A Client lists what a client supports beyond the baseline.
type Client struct {
	Notices      bool // session.notices
	Compaction   bool // session.compaction
	Booleans     bool // session.configOptions.boolean
	Form         bool // elicitation.form
	Page         bool // elicitation.url
	Plans        bool // plan, which is unstable: several plans at once, and plans other than lists
	Subagents    bool // subagents, which is unstable: sub-agents as separate sessions
	TerminalMeta bool // Zed's _meta.terminal_output
	Events       bool // _meta["turnwire.dev/events"]
}

// NewClient reads a client's capabilities.
func NewClient(c v1.ClientCapabilities) Client {
	var out Client
	if s := c.Session; s != nil {
		out.Notices = s.Notices != nil
		out.Compaction = s.Compaction != nil
		out.Booleans = s.ConfigOptions != nil && s.ConfigOptions.Boolean != nil
	}
	if e := c.Elicitation; e != nil {
		out.Form, out.Page = e.Form != nil, e.URL != nil
	}
	out.Plans = c.Plan != nil
	out.Subagents = c.Subagents != nil
	out.TerminalMeta = c.Meta["terminal_output"] == true
	out.Events = c.Meta[v1.EventsMeta] == true
	return out
}

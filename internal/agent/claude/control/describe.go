package control

import "github.com/turnwire/turnwire/internal/exactjson"

// FirstMessages returns the requests that tell a new process about its session. Secrets of
// MCP servers must not be arguments, which everybody can read.
func (h *Host) FirstMessages() []any {
	initialize := object{"subtype": "initialize", "forwardSubagentText": true}
	if s := h.Options.System; s != nil && s.Mode == "override" {
		initialize["systemPrompt"] = []string{s.Text}
	} else if s != nil {
		initialize["appendSystemPrompt"] = s.Text
	}
	messages, servers := []any{ask("initialize", initialize)}, object{}
	for _, raw := range h.Options.MCPServers {
		s := server{Type: "stdio"}
		if exactjson.Unmarshal(raw, &s) == nil && s.Name != "" {
			name := s.Name
			s.Name = ""
			servers[name] = s
		}
	}
	if len(servers) > 0 {
		messages = append(messages, ask("mcp", object{"subtype": "mcp_set_servers", "servers": servers}))
	}
	return messages
}

// A server is an MCP server, as editors and Claude Code describe it.
type server struct {
	Name    string   `json:"name,omitempty"` // Claude Code has it elsewhere
	Type    string   `json:"type"`
	Command string   `json:"command,omitempty"`
	Args    []string `json:"args,omitempty"`
	Env     pairs    `json:"env,omitempty"`
	URL     string   `json:"url,omitempty"`
	Headers pairs    `json:"headers,omitempty"`
}

// pairs are variables or headers. Editors send them as a list.
type pairs map[string]string

// UnmarshalJSON implements [json.Unmarshaler].
func (p *pairs) UnmarshalJSON(raw []byte) error {
	var list []struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	err := exactjson.Unmarshal(raw, &list)
	*p = pairs{}
	for _, pair := range list {
		(*p)[pair.Name] = pair.Value
	}
	return err
}

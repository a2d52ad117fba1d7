package events

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/normalize"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// unserved returns the notice, once a session, about the editor's MCP servers that the
// agent doesn't use, or nil. It is called when a turn begins: by then the agent has
// said what it uses.
func (s *setup) unserved() *agent.Notice {
	names := unused(s.servers, s.taking().MCP)
	s.servers = nil
	if len(names) == 0 {
		return nil
	}
	return &agent.Notice{
		Severity:    "warning",
		Message:     "The agent does not use the editor's MCP servers: " + strings.Join(names, ", "),
		Description: "They were set up in the editor, and an agent of this kind has no way to use them.",
	}
}

// unused returns the names of the servers that an agent does not use. It uses
// none if takes is nil.
func unused(servers []json.RawMessage, takes *agent.MCPTakes) []string {
	var names []string
	for _, raw := range servers {
		var server struct {
			Type string `json:"type"`
			Name string `json:"name"`
		}
		_ = exactjson.Unmarshal(raw, &server) // a part that is malformed is absent
		switch {
		case takes == nil:
			names = append(names, normalize.Short(server.Name))
		case server.Type == "http" && !takes.HTTP, server.Type == "sse" && !takes.SSE:
			names = append(names, fmt.Sprintf("%s (by %s)", normalize.Short(server.Name), server.Type))
		}
	}
	return names
}

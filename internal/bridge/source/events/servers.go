package events

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/normalize"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// unserved returns a notice about the editor's MCP servers that the agent doesn't use,
// once per session. Otherwise it returns nil. It is called when a turn begins: by then
// the agent has said which servers it supports.
func (s *setup) unserved() *agent.Notice {
	names := unused(s.servers, s.taking().MCP)
	s.servers = nil
	if len(names) == 0 {
		return nil
	}
	return &agent.Notice{
		Severity:    "warning",
		Message:     "The agent does not use the editor's MCP servers: " + strings.Join(names, ", "),
		Description: "They were configured in the editor, but this kind of agent cannot use them.",
	}
}

// unused returns the names of the servers that an agent does not use. If takes is nil,
// it uses none.
func unused(servers []json.RawMessage, takes *agent.MCPTakes) []string {
	var names []string
	for _, raw := range servers {
		var server struct {
			Type string `json:"type"`
			Name string `json:"name"`
		}
		_ = exactjson.Unmarshal(raw, &server) // a malformed member counts as missing
		switch {
		case takes == nil:
			names = append(names, normalize.Short(server.Name))
		case server.Type == "http" && !takes.HTTP, server.Type == "sse" && !takes.SSE:
			names = append(names, fmt.Sprintf("%s (by %s)", normalize.Short(server.Name), server.Type))
		}
	}
	return names
}

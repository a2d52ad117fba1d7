package events

import (
	"encoding/json"
	"strings"
	"sync"

	"github.com/turnwire/turnwire/agent"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/protocol"
)

// A setup is what an editor gives the agent of a session besides prompts, and what the
// agent takes of it. mu guards takes, which the reader uses too; all else
// belongs to the goroutine that opens the session, and then to the session's own.
type setup struct {
	system  *agent.SystemPrompt // the editor's instructions, or nil
	servers []json.RawMessage   // MCP servers, until the user is told which are not used

	mu    sync.Mutex
	takes agent.Takes
}

// fill takes the setup from the request that opens the session. It fails if the agent
// doesn't take the instructions; takes is what the agent said before.
func (s *setup) fill(req *v1.NewSessionRequest, takes agent.Takes) error {
	s.servers = req.MCPServers
	p := req.SystemPrompt
	if p == nil {
		return nil
	}
	if err := takesSystem(p.Mode, takes); err != nil {
		return err
	}
	var texts []string
	for i, b := range p.Content {
		text, ok := b.(*v1.TextBlock)
		if !ok {
			return protocol.Errorf(protocol.CodeInvalidParams, "systemPrompt.content[%d] is of the type %s, and only text can be there", i, b.BlockType())
		}
		texts = append(texts, text.Text.String())
	}
	if len(texts) == 0 {
		return missing("systemPrompt.content")
	}
	s.system = &agent.SystemPrompt{Mode: string(p.Mode), Text: strings.Join(texts, "\n\n")}
	return nil
}

// takesSystem refuses instructions that an agent does not take.
func takesSystem(mode v1.SystemPromptMode, takes agent.Takes) error {
	switch {
	case takes.System == nil:
		return protocol.Errorf(protocol.CodeInvalidParams,
			`the agent takes no systemPrompt; one that does says so with {"type":"agent_info","systemPrompt":{}}`)
	case mode == v1.SystemPromptAppend, mode == v1.SystemPromptOverride && takes.System.Replace:
		return nil
	}
	return protocol.Errorf(protocol.CodeInvalidParams, "the agent takes no systemPrompt of the mode %q", mode)
}

// introduce records what the agent says that it takes.
func (s *setup) introduce(e *agent.Introduction) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.takes = e.Takes()
}

// taking returns what the agent takes, as far as it has said so.
func (s *setup) taking() agent.Takes {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.takes
}

// start records what is known of an agent that has been started.
func (s *setup) start(takes agent.Takes) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.takes = takes
}

// check returns an error if the agent, now that it runs, doesn't take the
// instructions, although it did the last time.
func (s *setup) check() error {
	if s.system == nil {
		return nil
	}
	return takesSystem(v1.SystemPromptMode(s.system.Mode), s.taking())
}

// uninstructed returns the notice, once, that the agent said too late that it takes no
// instructions, or nil.
func (s *setup) uninstructed() *agent.Notice {
	if s.system == nil || s.taking().System != nil {
		return nil
	}
	s.system = nil
	return &agent.Notice{
		Severity:    "warning",
		Message:     "The agent does not use the editor's instructions (systemPrompt).",
		Description: "It has done so when it was run last.",
	}
}

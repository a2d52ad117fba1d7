package events

import (
	"encoding/json"
	"strings"
	"sync"

	"github.com/turnwire/turnwire/agent"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/protocol"
)

// A setup is what an editor gives a session's agent besides prompts, and the agent's
// capabilities. mu guards takes, which the reader uses too. All other fields belong to
// the goroutine that opens the session, and then to the session's own goroutine.
type setup struct {
	system  *agent.SystemPrompt // the editor's instructions, or nil
	servers []json.RawMessage   // MCP servers; nil once the user was told which are not used
	steers  bool                // the client knows that the agent reads messages during turns

	mu    sync.Mutex
	takes agent.Takes
}

// fill reads the setup from the request that opens the session. takes are the agent's
// last known capabilities. It returns an error if these exclude the instructions.
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
			return protocol.Errorf(protocol.CodeInvalidParams, "systemPrompt.content[%d] has the type %s, but only text is allowed", i, b.BlockType())
		}
		texts = append(texts, text.Text.String())
	}
	if len(texts) == 0 {
		return missing("systemPrompt.content")
	}
	s.system = &agent.SystemPrompt{Mode: string(p.Mode), Text: strings.Join(texts, "\n\n")}
	return nil
}

// takesSystem returns an error if an agent does not accept system prompts of this mode.
func takesSystem(mode v1.SystemPromptMode, takes agent.Takes) error {
	switch {
	case takes.System == nil:
		return protocol.Errorf(protocol.CodeInvalidParams,
			`the agent does not accept a systemPrompt; one that does declares it with {"type":"agent_info","systemPrompt":{}}`)
	case mode == v1.SystemPromptAppend, mode == v1.SystemPromptOverride && takes.System.Replace:
		return nil
	}
	return protocol.Errorf(protocol.CodeInvalidParams, "the agent does not accept the systemPrompt mode %q", mode)
}

// introduce records the capabilities in the agent's introduction.
func (s *setup) introduce(e *agent.Introduction) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.takes = e.Takes()
}

// taking returns the agent's capabilities as known so far.
func (s *setup) taking() agent.Takes {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.takes
}

// start records the known capabilities of an agent that was just started.
func (s *setup) start(takes agent.Takes) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.takes = takes
}

// steering returns the _meta that corrects what the client knows about messages during
// turns, or nil. An agent may introduce itself after the initialize response.
func (s *setup) steering() v1.Meta {
	steers := s.taking().Steer != nil
	if steers == s.steers {
		return nil
	}
	s.steers = steers
	return v1.Meta{v1.SteeringMeta: v1.Meta{"supported": steers}}
}

// check returns an error if the running agent no longer accepts the instructions,
// although it did last time.
func (s *setup) check() error {
	if s.system == nil {
		return nil
	}
	return takesSystem(v1.SystemPromptMode(s.system.Mode), s.taking())
}

// uninstructed returns a notice, once, if the agent said too late that it accepts no
// instructions. Otherwise it returns nil.
func (s *setup) uninstructed() *agent.Notice {
	if s.system == nil || s.taking().System != nil {
		return nil
	}
	s.system = nil
	return &agent.Notice{
		Severity:    "warning",
		Message:     "The agent does not use the editor's instructions (systemPrompt).",
		Description: "It did so the last time it ran.",
	}
}

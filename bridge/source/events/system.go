package events

import (
	"context"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/protocol"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// instruct gives a session instructions of the editor, before the agent opens
// it. The agent has said before that it takes them.
func (s *session) instruct(p *v1.SystemPrompt) error {
	if p == nil {
		return nil
	}
	if err := takesSystem(p.Mode, s.source.agent.Info().Takes()); err != nil {
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

// checkInstructed fails if the agent that was started does not take what it was
// to be given: it may have said something else the last time.
func (s *session) checkInstructed(ctx context.Context) error {
	if s.system == nil {
		return nil
	}
	err := takesSystem(v1.SystemPromptMode(s.system.Mode), s.taking())
	if err != nil {
		s.source.work.Go(func() { _ = s.peers.agent.Close(context.WithoutCancel(ctx)) })
	}
	return err
}

// tellUninstructed tells the user, once, that an agent has said too late that it
// takes no instructions.
func (s *session) tellUninstructed() {
	if s.system == nil || s.taking().System != nil {
		return
	}
	s.system = nil
	s.normalizer.Add(&agent.Notice{
		Severity:    "warning",
		Message:     "The agent does not use the editor's instructions (systemPrompt).",
		Description: "It has done so when it was run last.",
	}, s.step)
}

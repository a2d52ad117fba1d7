package events

import (
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/bridge/core"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/protocol"
)

// steer handles _session/steering. It answers once the agent has read the message, or
// once it is known that the agent won't.
func (c *source) steer(call *core.Call) error {
	var req v1.SteeringRequest
	if err := call.Decode(&req); err != nil {
		return err
	}
	s, err := c.sessions.get(req.SessionID)
	if err != nil {
		return err
	}
	takes := s.setup.taking().Steer
	if takes == nil {
		return protocol.Errorf(protocol.CodeMethodNotFound, "the agent accepts no messages during a turn").With("method", call.Method)
	}
	if len(req.Prompt) == 0 {
		return missing("prompt")
	}
	promptRequired, err := req.PromptRequired()
	if err != nil {
		return protocol.Errorf(protocol.CodeInvalidParams, "%w", err)
	}
	if err := taken(req.Prompt, *takes, "steer"); err != nil {
		return err
	}
	blocks := contents(req.Prompt)
	if isBlank(blocks) {
		return protocol.Errorf(protocol.CodeInvalidParams, "prompt is empty")
	}
	return s.queue.submit(&prompt{
		request: call, blocks: blocks,
		steer: &steering{text: flatten(blocks), blocks: blocks, asked: true, promptRequired: promptRequired},
	})
}

// isBlank reports whether a message consists of blank text only.
func isBlank(blocks []agent.Content) bool {
	for _, b := range blocks {
		if b.Type != "text" || strings.TrimSpace(b.Text) != "" {
			return false
		}
	}
	return true
}

// startsTurn answers _session/steering because its message starts a new turn. The
// client gets no response at the end of that turn.
func (p *prompt) startsTurn() {
	if p.steer == nil || !p.steer.asked {
		return
	}
	p.request.Reply(v1.SteeringResponse{Outcome: v1.StartedNewTurn})
	p.request = core.NewCall(v1.MethodSessionPrompt, p.request.Params, func(*core.Call, []byte, error) {})
}

// answerInjected answers a message that the agent has read within the turn.
func (p *prompt) answerInjected() {
	if p.steer.asked {
		p.request.Reply(v1.SteeringResponse{Outcome: v1.Injected})
		return
	}
	p.request.Reply(v1.PromptResponse{StopReason: v1.StopEndTurn})
}

// answerCancelled answers a prompt or message that was cancelled.
func (p *prompt) answerCancelled() {
	if p.steer != nil && p.steer.asked {
		p.request.Fail(protocol.Errorf(protocol.CodeRequestCancelled, "the turn was cancelled before the agent confirmed the message"))
		return
	}
	p.request.Reply(v1.PromptResponse{StopReason: v1.StopCancelled})
}

// answerUninjected answers messages that the client itself must send as prompts.
func answerUninjected(back []*prompt) {
	for _, p := range back {
		reason := v1.ReasonNoRunningTurn
		if p.steer.refused {
			reason = v1.ReasonRefused
		}
		p.request.Reply(v1.SteeringResponse{Outcome: v1.PromptRequired, Reason: reason})
	}
}

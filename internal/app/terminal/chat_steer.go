package terminal

import (
	"errors"

	tea "charm.land/bubbletea/v2"

	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// A steering is a prompt that the agent may read during the turn, and has not read yet.
type steering struct {
	request uint64
	text    string
}

// steered reports what happened to a message during the turn. It is delivered between the
// updates before and after it.
type steered struct {
	request uint64
	outcome v1.SteeringOutcome
	err     error
}

func (*steered) isMessage() {}

// steer sends a message during the turn. A [*steered] follows.
func (c *conversation) steer(request uint64, blocks v1.Blocks) {
	c.stream.await(request, func(result []byte, err error) message {
		return &steered{request: request, outcome: v1.SteeringOutcome(rawmsg.MemberText(result, "outcome")), err: err}
	})
	_, err := c.dispatch(request, v1.MethodSteering, v1.SteeringRequest{
		SessionID: c.id, Prompt: blocks,
		Meta: v1.SteeringHost{Steering: &v1.SteeringOptions{IdleBehavior: string(v1.PromptRequired)}},
	})
	if err != nil {
		c.deliver(&steered{request: request, err: plainError(err)})
	}
}

// metaOf returns a _meta, or nil if it is malformed.
func metaOf(raw []byte) (meta v1.Meta) {
	if exactjson.Unmarshal(raw, &meta) != nil {
		return nil
	}
	return meta
}

// noteSteering applies what a response or an update says about messages during a turn.
func (c *chosen) noteSteering(meta v1.Meta) {
	if steering, ok := meta[v1.SteeringMeta].(map[string]any); ok {
		c.steers = steering["supported"] == true
	}
}

// steers reports whether prompts can be sent into the running turn.
func (m *chat) steers() bool {
	return m.works() && !m.turn.cancelled && m.state.steers
}

// steer sends prompts into the running turn.
func (m *chat) steer(texts ...string) tea.Cmd {
	var send []func()
	for _, text := range texts {
		blocks, err := m.blocks(text, files(text, m.opts.Cwd))
		if err != nil {
			m.log.say(err.Error())
			m.queue = append(m.queue, text)
			continue
		}
		s := steering{m.talk.next(), text}
		m.steering = append(m.steering, s)
		send = append(send, func() { m.talk.steer(s.request, blocks) })
	}
	return func() tea.Msg {
		for _, do := range send {
			do()
		}
		return nil
	}
}

// steered shows a message that the agent has read. Any other is sent when the turn ends.
func (m *chat) steered(end *steered) tea.Cmd {
	text, rest := "", m.steering[:0:0]
	for _, s := range m.steering {
		if s.request == end.request {
			text = s.text
			continue
		}
		rest = append(rest, s)
	}
	m.steering = rest
	switch end.outcome {
	case v1.Injected, v1.StartedNewTurn:
		m.log.interjected(text, within(m.opts.Cwd, files(text, m.opts.Cwd)))
	default:
		m.queue = append([]string{text}, m.queue...)
		m.paused = m.paused || m.turn.cancelled
		if err, ok := errors.AsType[*AgentError](end.err); end.err != nil && (!ok || err.Code != codeRequestCancelled) {
			m.log.say("the agent did not take the message during its turn: " + end.err.Error())
		}
	}
	return m.sendNext()
}

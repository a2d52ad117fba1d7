package events

import (
	"slices"
	"strconv"
	"strings"

	"github.com/turnwire/turnwire/agent"
)

// A steering makes a prompt a message for the running turn. The queue's mu guards the
// fields that change.
type steering struct {
	text           string
	blocks         []agent.Content
	asked          bool // by _session/steering, and not by /steer
	promptRequired bool // the client sends the message again if it can't be injected

	id      string  // known to the agent once it has the message
	turn    *prompt // whose turn the message is for; nil if it is too late for that
	refused bool    // by the agent
}

// isReturned reports whether the message goes back to the client.
func (m *steering) isReturned() bool { return m != nil && m.promptRequired && m.turn == nil }

// adviceIn returns the message in a prompt that starts with /steer. It returns nil for
// any other prompt, and if the agent accepts no messages during a turn.
func adviceIn(blocks []agent.Content, takes agent.Takes) *steering {
	if takes.Steer == nil {
		return nil
	}
	advice, is := strings.CutPrefix(strings.TrimSpace(flatten(blocks)), "/"+agent.SteerCommand+" ")
	if advice = strings.TrimSpace(advice); !is || advice == "" {
		return nil
	}
	return &steering{text: advice, blocks: []agent.Content{{Type: "text", Text: advice}}}
}

// inject passes a message to the agent, and reports whether it did. If the agent does
// not have the turn's prompt yet, the message waits in the queue for injectWaiting. The
// caller holds mu.
func (q *queue) inject(p *prompt) bool {
	if p.steer == nil || q.cancelled() {
		return false
	}
	p.steer.turn = q.current
	if i := slices.IndexFunc(q.waiting, func(p *prompt) bool { return !p.cancelled }); q.current == nil && i >= 0 {
		p.steer.turn = q.waiting[i] // it is about to begin
	}
	return q.current != nil && q.current.delivered && q.send(p)
}

// send reports whether the session accepted p as a message for the running turn. The
// caller holds mu.
func (q *queue) send(p *prompt) bool {
	q.steers++
	p.steer.id = "steer-" + strconv.Itoa(q.steers)
	steerer, can := q.peers.agent.(agent.Steerer)
	if !can || !steerer.Steer(agent.Steer{
		Type: agent.CommandSteer, SessionID: q.peers.id, TurnID: q.current.turnID, SteerID: p.steer.id,
		Text: p.steer.text, Blocks: p.steer.blocks,
	}) {
		p.steer.turn = nil
		return false
	}
	q.unread = append(q.unread, p)
	return true
}

// injectWaiting passes on the messages for a prompt that was just delivered. It removes
// and returns those that go back to the client. The caller holds mu.
func (q *queue) injectWaiting(delivered *prompt) []*prompt {
	q.waiting = slices.DeleteFunc(q.waiting, func(p *prompt) bool {
		return p.steer != nil && p.steer.turn == delivered && !p.cancelled && !delivered.cancelled && !q.closed && q.send(p)
	})
	return q.takeReturned()
}

// takeReturned removes and returns the messages that go back to the client, because their
// turn has ended or will never begin. The caller holds mu.
func (q *queue) takeReturned() (back []*prompt) {
	for _, p := range q.waiting {
		if p.steer != nil && p.steer.turn != q.current && !slices.Contains(q.waiting, p.steer.turn) {
			p.steer.turn = nil
		}
	}
	q.waiting = slices.DeleteFunc(q.waiting, func(p *prompt) bool {
		if p.cancelled || !p.steer.isReturned() {
			return false
		}
		back = append(back, p)
		return true
	})
	return back
}

// steered removes and returns the message with an id, which the agent read or refused.
// It returns nil if no such message is unread.
func (q *queue) steered(id string, refused bool) (read *prompt, back []*prompt) {
	q.mu.Lock()
	defer q.mu.Unlock()
	i := slices.IndexFunc(q.unread, func(p *prompt) bool { return p.steer.id == id })
	if i < 0 {
		return nil, nil
	}
	p := q.unread[i]
	q.unread = slices.Delete(q.unread, i, i+1)
	if !refused {
		return p, nil
	}
	p.steer.turn, p.steer.refused = nil, true
	q.waiting = slices.Insert(q.waiting, 0, p)
	q.loop.wake()
	return nil, q.takeReturned()
}

// cancelUnread cancels the messages that the agent has, but not read yet, because it did not end
// the cancelled turn in time. It may still read them, so they must not be sent again.
func cancelUnread(q *queue) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, p := range q.unread {
		p.cancelled = true
	}
}

// endSteering makes the messages that the agent has not read in the ended turn ordinary
// prompts. It removes and returns those that go back to the client. The caller holds mu.
func (q *queue) endSteering() []*prompt {
	q.waiting = slices.Concat(q.unread, q.waiting)
	q.unread = nil
	return q.takeReturned()
}

// steered handles the agent's reply to a message. The transcript shows the message where
// the agent read it.
func (s *session) steered(e *agent.Steered) {
	read, back := s.queue.steered(e.SteerID, e.Refused != "")
	answerUninjected(back)
	if e.Refused != "" {
		s.turn.logger().Info("the agent refused a message during a turn", "reason", e.Refused)
	}
	if read == nil {
		return
	}
	s.memory.user(read.steer.text)
	s.record.event(&agent.UserMessage{Content: read.blocks})
	read.answerInjected()
}

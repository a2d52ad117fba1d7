package hostahp

import (
	"slices"
	"time"

	"github.com/turnwire/turnwire/bridge/mapahp"
	"github.com/turnwire/turnwire/protocol/ahp"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// otherSent notes that another front end has sent a prompt. Its blocks follow.
func (s *session) otherSent(by string, blocks int) {
	if by == s.self && s.chat.ready() {
		return
	}
	p := &prompt{by: by, blocks: blocks, message: ahp.Message{Origin: ahp.Origin{Kind: ahp.FromUser}}}
	s.stamp(&p.message)
	s.others = append(s.others, p)
	if blocks == 0 {
		s.otherWhole(p)
	}
}

// stamp says which model a message is for: clients read it there.
func (s *session) stamp(m *ahp.Message) {
	if _, _, current := mapahp.Models(s.agent.Provider, s.offers.Options); current != "" && m.Model == nil {
		m.Model = &ahp.ModelSelection{ID: current}
	}
}

// otherSaid takes a block of a prompt of another front end, or of one that the
// journal has.
func (s *session) otherSaid(c *v1.MessageChunk) {
	if i := slices.IndexFunc(s.others, func(p *prompt) bool { return p.blocks > 0 }); i >= 0 {
		p := s.others[i]
		mapahp.UserText(&p.message, c.Content)
		if p.blocks--; p.blocks == 0 {
			s.otherWhole(p)
		}
		return
	}
	if t := s.chat.active(); !s.chat.ready() && t != nil && len(t.ResponseParts) == 0 && s.running != nil && !s.running.aside && s.running.own {
		mapahp.UserText(&t.Message, c.Content) // the next block of the same prompt
		return
	}
	s.endRecorded()
	m := ahp.Message{Origin: ahp.Origin{Kind: ahp.FromUser}}
	mapahp.UserText(&m, c.Content)
	turn := s.chat.newTurn()
	// The journal says who has begun a turn of nobody.
	s.began(&running{turn: turn, own: true}, nil, ahp.TurnStarted{TurnID: turn, Message: m})
}

// endRecorded ends a turn of the journal, which does not say how it has ended.
func (s *session) endRecorded() {
	if s.running == nil {
		return
	}
	if s.shown() {
		s.chat.say(nil, s.mapper.End(v1.StopEndTurn, s.lasted())...)
	}
	s.running = nil
}

// otherWhole shows a prompt of another front end: as a turn, or, while one runs, in
// the queue.
func (s *session) otherWhole(p *prompt) {
	if !s.chat.ready() && s.running != nil && s.running.own { // one of the journal is over
		s.endRecorded()
	}
	s.endAside()
	if s.running == nil && s.chat.active() == nil {
		s.beginOther(p)
		return
	}
	p.id = "other-" + s.host.cfg.NewID()
	s.chat.say(nil, &ahp.PendingMessageSet{Kind: ahp.PendingQueued, ID: p.id, Message: p.message})
}

// isOthers reports whether a queued message is of another front end.
func (s *session) isOthers(id string) bool {
	return slices.ContainsFunc(s.others, func(p *prompt) bool { return p.id == id })
}

// beginOther shows the turn of another front end's prompt, or hides it behind one
// that a client of this host has begun meanwhile.
func (s *session) beginOther(p *prompt) {
	if s.chat.active() != nil {
		if p.id != "" {
			s.chat.say(nil, &ahp.PendingMessageRemoved{Kind: ahp.PendingQueued, ID: p.id})
		}
		s.running = &running{began: time.Now()}
		return
	}
	turn := s.chat.newTurn()
	s.began(&running{turn: turn}, nil, ahp.TurnStarted{TurnID: turn, Message: p.message, QueuedMessageID: p.id})
}

// otherEnded ends the turn of another front end's prompt.
func (s *session) otherEnded(by string, reason v1.StopReason, failure string) {
	if by == s.self && s.chat.ready() { // the answer follows
		return
	}
	i := slices.IndexFunc(s.others, func(p *prompt) bool { return p.by == by })
	if i < 0 {
		return
	}
	p := s.others[i]
	s.others = slices.Delete(s.others, i, i+1)
	switch {
	case i > 0 || s.running == nil || s.running.own: // it was answered along with another one
		if p.id != "" {
			s.chat.say(nil, &ahp.PendingMessageRemoved{Kind: ahp.PendingQueued, ID: p.id})
		}
	case failure != "":
		s.failTurn(sentenceError(failure))
	default:
		s.endTurn(reason)
	}
}

// A sentenceError is an error that is only a sentence.
type sentenceError string

// Error implements error.
func (e sentenceError) Error() string { return string(e) }

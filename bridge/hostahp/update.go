package hostahp

import (
	"github.com/turnwire/turnwire/bridge/core"
	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// update takes an update of the session. The lock is held.
func (s *session) update(raw []byte) {
	u, err := v1.UnmarshalUpdate(raw)
	if err != nil {
		s.host.cfg.Log.Debug("ignored an update", "kind", short(rawmsg.MemberText(object(raw), "sessionUpdate")), "error", err)
		return
	}
	if s.updateOfSession(u) {
		return
	}
	if c, is := u.(*v1.MessageChunk); is && c.Kind == v1.UserMessage {
		s.otherSaid(c)
		return
	}
	s.show(u)
}

// past takes an update of the session's history, which may be news of front ends.
func (s *session) past(raw []byte) {
	type client struct {
		ClientID string `json:"clientId"`
	}
	var about struct {
		Kind       core.NewsKind `json:"sessionUpdate"`
		SentBy     client        `json:"sentBy"`
		Blocks     int           `json:"blocks"`
		StopReason v1.StopReason `json:"stopReason"`
		Error      string        `json:"error"`
	}
	switch kind := core.NewsKind(rawmsg.MemberText(object(raw), "sessionUpdate")); kind {
	case core.Prompted, core.TurnEnded:
		if exactjson.Unmarshal(raw, &about) == nil {
			s.news(&core.News{Kind: kind, By: about.SentBy.ClientID, Blocks: about.Blocks, StopReason: about.StopReason, Error: about.Error})
		}
	case core.Resolved, core.Left:
	default:
		s.update(raw)
	}
}

// news takes what the hub says of its front ends.
func (s *session) news(n *core.News) {
	switch n.Kind {
	case core.Prompted:
		s.otherSent(n.By, n.Blocks)
	case core.TurnEnded:
		s.otherEnded(n.By, n.StopReason, n.Error)
	case core.Resolved:
		if s.chat.ready() {
			s.resolved(n.ToolCall, n.By, n.Option)
		}
	}
}

// show shows an update that is part of an answer.
func (s *session) show(u v1.Update) {
	if s.running == nil || s.running.aside {
		if _, usage := u.(*v1.UsageUpdate); usage {
			return
		}
		s.speakAside()
	}
	if !s.shown() {
		return // the user has stopped the turn
	}
	s.chat.say(nil, s.mapper.Update(u)...)
	if !s.chat.ready() || s.flushing != nil || !s.mapper.Waits() {
		return
	}
	s.flushing = s.later(throttle, func() {
		s.flushing = nil
		if s.shown() {
			s.chat.say(nil, s.mapper.Flush()...)
		}
	})
}

// updateOfSession takes what an update says of the session, and reports whether it is
// about that.
func (s *session) updateOfSession(u v1.Update) bool {
	switch u := u.(type) {
	case *v1.SessionInfoUpdate:
		s.overview.entitle(u.Title)
	case *v1.CurrentModeUpdate:
		if m := s.offers.Modes; m != nil {
			modes := *m
			modes.CurrentModeID = u.CurrentModeID
			s.setOffers(nil, &modes)
		}
	case *v1.ConfigOptionUpdate:
		s.setOffers(u.ConfigOptions, nil)
	case *v1.AvailableCommandsUpdate:
		s.offers.Commands = u.AvailableCommands
		known := s.agent.offers
		known.Commands = u.AvailableCommands
		s.agent.offer(known)
	default:
		return false
	}
	return true
}

// notice shows a sentence that is the host's.
func (s *session) notice(text string) {
	s.speakAside()
	if s.shown() {
		s.chat.say(nil, s.mapper.Notice(text)...)
	}
}

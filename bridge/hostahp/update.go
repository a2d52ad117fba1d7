package hostahp

import (
	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// Updates that only the hub knows.
const (
	updatePrompted = "prompt_received"
	updateEnded    = "turn_complete"
	updateResolved = "permission_resolved"
)

// update takes an update of the session. The lock is held.
func (s *session) update(raw []byte) {
	kind := rawmsg.MemberText(object(raw), "sessionUpdate")
	if kind == updatePrompted || kind == updateEnded || kind == updateResolved {
		s.updateOfHub(kind, raw)
		return
	}
	u, err := v1.UnmarshalUpdate(raw)
	if err != nil {
		s.host.log.Debug("ignored an update", "kind", short(kind), "error", err)
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

// updateOfHub takes what the hub says of its front ends.
func (s *session) updateOfHub(kind string, raw []byte) {
	type client struct {
		ClientID string `json:"clientId"`
	}
	var about struct {
		SentBy     client        `json:"sentBy"`
		ResolvedBy client        `json:"resolvedBy"`
		Blocks     int           `json:"blocks"`
		StopReason v1.StopReason `json:"stopReason"`
		Error      string        `json:"error"`
		ToolCallID string        `json:"toolCallId"`
		OptionID   string        `json:"optionId"`
	}
	if exactjson.Unmarshal(raw, &about) != nil {
		return
	}
	switch {
	case kind == updatePrompted:
		s.otherSent(about.SentBy.ClientID, about.Blocks)
	case kind == updateEnded:
		s.otherEnded(about.SentBy.ClientID, about.StopReason, about.Error)
	case !s.replaying:
		s.resolved(about.ToolCallID, about.ResolvedBy.ClientID, about.OptionID)
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
	s.say(nil, s.mapper.Update(u)...)
	if s.replaying || s.flushing != nil || !s.mapper.Waits() {
		return
	}
	s.flushing = s.later(throttle, func() {
		s.flushing = nil
		if s.shown() {
			s.say(nil, s.mapper.Flush()...)
		}
	})
}

// updateOfSession takes what an update says of the session, and reports whether it is
// about that.
func (s *session) updateOfSession(u v1.Update) bool {
	switch u := u.(type) {
	case *v1.SessionInfoUpdate:
		s.entitle(u.Title)
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
		s.say(nil, s.mapper.Notice(text)...)
	}
}

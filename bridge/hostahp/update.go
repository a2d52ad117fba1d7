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
		s.others.add(c)
		return
	}
	s.turn.update(u)
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
	ours := s.chat.ready() && n.By == s.self // the history has prompts of a former host
	switch n.Kind {
	case core.Prompted:
		if !ours {
			s.others.sent(n.By, n.Blocks)
		}
	case core.TurnEnded:
		if !ours {
			s.others.ended(n.By, n.StopReason, n.Error)
		}
	case core.Resolved:
		s.asks.resolved(n.ToolCall, ours, n.Option)
	}
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

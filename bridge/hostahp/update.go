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

// past takes an update of the session's history, which may be news of the hub's clients.
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

// news takes what the hub says of its clients.
func (s *session) news(n *core.News) {
	ours := s.chat.ready() && s.remote.isSelf(n.By) // the history has prompts of a former host
	switch {
	case n.Kind == core.Resolved:
		s.asks.resolved(n.ToolCall, ours, n.Option)
	case ours: // the agent's answer follows
	case n.Kind == core.Prompted:
		s.others.sent(n.By, n.Blocks)
	case n.Kind == core.TurnEnded:
		s.others.ended(n.By, n.StopReason, n.Error)
	}
}

// updateOfSession takes what an update says of the session, and reports whether it is
// about that.
func (s *session) updateOfSession(u v1.Update) bool {
	switch u := u.(type) {
	case *v1.SessionInfoUpdate:
		s.overview.entitle(u.Title)
	case *v1.CurrentModeUpdate:
		s.choices.setMode(u.CurrentModeID)
	case *v1.ConfigOptionUpdate:
		s.choices.set(u.ConfigOptions, nil)
	case *v1.AvailableCommandsUpdate:
		s.choices.setCommands(u.AvailableCommands)
	default:
		return false
	}
	return true
}

// attached takes the session's history. running reports whether a turn runs.
func (s *session) attached(history []said, running bool) {
	if s.chat.ready() {
		for _, m := range history {
			if u, err := v1.UnmarshalUpdate(m.Params.Update); err == nil {
				s.updateOfSession(u)
			}
		}
		return
	}
	s.chat.replay(func() {
		for _, m := range history {
			if m.Method == v1.MethodSessionUpdate {
				s.past(m.Params.Update)
			}
		}
		s.settle(running)
	})
}

// settle ends the turn that the history left open, unless it still runs. The history
// doesn't say when that one began.
func (s *session) settle(running bool) {
	if s.turn.runs() && (s.turn.isUnsolicited() || s.turn.isOwn() || !running) {
		s.turn.end(v1.StopEndTurn, nil)
	}
	if t := s.chat.active(); t != nil && t.StartedAt == "" {
		t.StartedAt = now()
	}
	if t := s.chat.last(); t != nil {
		s.choices.stamp(&t.Message) // VS Code reads the model there
	}
	s.turn.flush()
}

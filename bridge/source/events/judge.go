package events

import (
	"cmp"
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/bridge/consent"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// rule has the judge decide a confirmation. It reports false where the user has to
// be asked.
func (s *session) rule(c *confirmation, options []v1.PermissionOption) bool {
	ruling := consent.Rule(s.source.judge, s.callOf(c))
	chosen, decided := ruling.Choose(offered(options))
	if !decided {
		return false
	}
	made := consent.Of(s.callOf(c), time.Now()).Ruled(ruling, chosen)
	if !s.queue.isCancelled() {
		s.out.updateOf(addressed{s.children.of(c.tool), &v1.ToolCallUpdate{ToolCallFields: v1.ToolCallFields{
			ToolCallID: c.tool.ID, Meta: v1.Meta{consent.DecidedBy: made},
		}}})
	}
	reason := ""
	if made.Verdict != consent.Allowed {
		reason = "the user's policy denies it: " + ruling.Rule
	}
	s.respond(c, cmp.Or(chosen, consent.Option{Kind: string(agent.RejectOnce)}), reason, made)
	return true
}

// callOf is what a confirmation is about.
func (s *session) callOf(c *confirmation) consent.Call {
	call := consent.Call{Agent: s.source.key, Session: s.peers.id, Dir: s.peers.cwd, ID: c.call, Kind: consent.DefaultKind}
	t := c.tool
	if t == nil {
		return call
	}
	call.ID, call.Tool, call.Command = t.ID, t.Name, consent.Command(t.Args)
	if t.View.Kind != "" {
		call.Kind = t.View.Kind
	}
	for _, l := range t.View.Locations {
		call.AddPath(l.Path)
	}
	for _, d := range t.View.Diffs {
		call.AddPath(d.Path)
	}
	return call
}

// undecided is the decision of a confirmation that nobody has answered.
func (s *session) undecided(c *confirmation, reason string) consent.Decision {
	return consent.Of(s.callOf(c), time.Now()).Open(reason)
}

// note keeps a decision.
func (s *session) note(d consent.Decision) {
	if s.source.audit != nil {
		s.source.audit(d)
	}
	s.record.decision(d)
}

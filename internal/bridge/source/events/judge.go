package events

import (
	"cmp"
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/bridge/consent"
	"github.com/turnwire/turnwire/internal/bridge/core"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// rules hold who, besides the user, decides about permission, and who receives the
// outcomes.
type rules struct {
	judge consent.Judge          // may be nil
	audit func(consent.Decision) // may be nil
	key   string                 // the agent's name in decisions
}

// rule lets the judge decide a permission request. It returns false if the user must be
// asked.
func (cs *confirmations) rule(c *confirmation, options []v1.PermissionOption) bool {
	ruling := consent.Rule(cs.rules.judge, cs.callOf(c))
	chosen, decided := ruling.Choose(offered(options))
	if !decided {
		return false
	}
	made := consent.Of(cs.callOf(c), time.Now()).Ruled(ruling, chosen)
	if !cs.queue.isCancelled() {
		cs.out.updateOf(addressed{cs.out.sessionOf(c.tool), &v1.ToolCallUpdate{ToolCallFields: v1.ToolCallFields{
			ToolCallID: c.tool.ID, Meta: v1.Meta{consent.DecidedBy: made},
		}}})
	}
	reason := ""
	if made.Verdict != consent.Allowed {
		reason = "denied by the user's policy: " + ruling.Rule
	}
	answer := core.Answer{Chosen: cmp.Or(chosen, consent.Option{Kind: string(agent.RejectOnce)})}
	cs.respond(c, answer, reason, made)
	return true
}

// callOf returns the call that a permission request is about.
func (cs *confirmations) callOf(c *confirmation) consent.Call {
	call := consent.Call{Agent: cs.rules.key, Session: cs.peers.id, Dir: cs.peers.cwd, ID: c.call, Kind: consent.DefaultKind}
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

// undecided returns the decision for a permission request that nobody answered.
func (cs *confirmations) undecided(c *confirmation, reason string) consent.Decision {
	return consent.Of(cs.callOf(c), time.Now()).Open(reason)
}

// note reports and records a decision.
func (cs *confirmations) note(d consent.Decision) {
	if cs.rules.audit != nil {
		cs.rules.audit(d)
	}
	cs.record.decision(d)
}

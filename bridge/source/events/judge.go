package events

import (
	"slices"
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/bridge/consent"
	"github.com/turnwire/turnwire/bridge/journal"
	"github.com/turnwire/turnwire/bridge/mapv1"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// rule has the judge decide a confirmation. It reports false where the user has to
// be asked.
func (s *session) rule(c *confirmation, offered []v1.PermissionOption) bool {
	ruling := consent.Rule(s.source.judge, s.callOf(c))
	options := make([]consent.Option, len(offered))
	for i, o := range offered {
		options[i] = consent.Option{ID: o.OptionID, Kind: string(o.Kind), Name: o.Name}
	}
	chosen, decided := ruling.Choose(options)
	if !decided {
		return false
	}
	made := consent.Of(s.callOf(c), time.Now()).Ruled(ruling, chosen)
	if !s.isCancelled() {
		s.updateOf(addressed{s.sessionOf(c.tool), &v1.ToolCallUpdate{ToolCallFields: v1.ToolCallFields{
			ToolCallID: c.tool.ID, Meta: v1.Meta{consent.DecidedBy: made},
		}}})
	}
	d, option := agent.RejectOnce, ""
	if chosen.ID != "" {
		answer := v1.RequestPermissionResponse{Outcome: v1.PermissionOutcome{Outcome: v1.OutcomeSelected, OptionID: chosen.ID}}
		d, option = mapv1.Decision(answer, offered)
	}
	reason := ""
	if !d.Allows() {
		reason = "the user's policy denies it: " + ruling.Rule
	}
	s.respond(c, d, option, reason, made)
	return true
}

// callOf is what a confirmation is about.
func (s *session) callOf(c *confirmation) consent.Call {
	call := consent.Call{Agent: s.source.key, Session: s.id, Dir: s.cwd, ID: c.call, Kind: consent.DefaultKind}
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

// byUser is the decision of a user: option is nil if none was chosen.
func (s *session) byUser(a *ask, answer v1.RequestPermissionResponse, offered []v1.PermissionOption) consent.Decision {
	var chosen consent.Option
	if d, id := mapv1.Decision(answer, offered); id != "" {
		at := slices.IndexFunc(offered, func(o v1.PermissionOption) bool { return o.OptionID == id })
		chosen = consent.Option{ID: id, Kind: string(d), Name: offered[at].Name}
	}
	unasked, _ := answer.Meta[consent.Unasked].(string)
	return consent.Of(s.callOf(a.confirmation), time.Now()).Answered(chosen, a.by).Unasked(unasked)
}

// note keeps a decision.
func (s *session) note(d consent.Decision) {
	if s.source.audit != nil {
		s.source.audit(d)
	}
	if s.recorder != nil {
		s.recorder.AddData(d.Time, journal.TypeDecision, d.Line())
	}
}

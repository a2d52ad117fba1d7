package sim

import (
	"fmt"
	"slices"
	"strings"

	"github.com/turnwire/turnwire/internal/bridge/consent"
)

// A rule is one of an operator's rules about permissions.
type rule struct {
	verdict consent.Verdict
	agent   string // only the calls of this agent; "" means all
	edits   bool   // only edits
	odd     uint32 // only calls with an odd number if 1, with an even one if 2
}

// matches reports whether the rule is about a call.
func (r rule) matches(agent, call string, isEdit bool) bool {
	_, number, is := strings.Cut(original(call), "/call")
	if !is || r.agent != "" && r.agent != agent || r.edits && !isEdit {
		return false
	}
	odd := strings.ContainsRune("13579", rune(number[len(number)-1]))
	return r.odd == 0 || odd == (r.odd == 1)
}

// String returns the rule's text.
func (r rule) String() string {
	return fmt.Sprintf("%v %q edits=%v odd=%d", r.verdict, r.agent, r.edits, r.odd)
}

// ruling returns what a list of rules says about a call. The strictest rule counts.
func ruling(rules []rule, agent, call string, isEdit bool) (all consent.Ruling) {
	for _, r := range rules {
		if r.matches(agent, call, isEdit) && (all.Rule == "" || r.verdict > all.Verdict) {
			all = consent.Ruling{Verdict: r.verdict, Rule: r.String(), At: "rules"}
		}
	}
	return all
}

// A judge applies the world's rules, as turnwire policy does.
type judge struct{ world *World }

// Judge implements [consent.Judge].
func (j judge) Judge(c consent.Call) consent.Ruling {
	j.world.mu.Lock()
	defer j.world.mu.Unlock()
	isEdit := c.Kind == "edit" && slices.ContainsFunc(c.Paths, func(path string) bool { return strings.HasPrefix(path, j.world.files) })
	return ruling(j.world.rules, c.Agent, c.ID, isEdit)
}

// changeRules lets the operator add a rule, or remove all.
func (w *World) changeRules(s *Step) string {
	w.mu.Lock()
	did := "the rules are removed"
	if s.A%4 == 0 {
		w.rules = nil
	} else {
		r := rule{verdict: consent.Verdict(s.B%3) - 1, edits: s.C%3 == 0, odd: s.B / 3 % 3}
		if s.C/3%2 == 0 {
			r.agent = w.plan.Agents[s.A/4%uint32(len(w.plan.Agents))].Name //nolint:gosec // few agents
		}
		w.rules = append(slices.Clip(w.rules), r)
		did = "there is a rule: " + r.String()
	}
	w.mu.Unlock()
	w.see(&event{kind: ruled})
	return did
}

// revoke lets the operator revoke the token of a client, which then tries to go on.
func (w *World) revoke(s *Step) string {
	var able []*client
	w.mu.Lock()
	for _, c := range w.clients {
		if c.hangUp != nil && !c.gone && !c.leaving {
			able = append(able, c)
		}
	}
	w.mu.Unlock()
	if len(able) == 0 {
		return ""
	}
	c := able[s.A%uint32(len(able))] //nolint:gosec // few clients
	c.hangUp()
	w.settle()
	c.mark(func() { c.revoked, c.leaving = true, true })
	did := []string{"the token of " + c.name + " is revoked"}
	w.mu.Lock()
	ids := sortedKeys(c.views)
	w.mu.Unlock()
	if len(ids) > 0 {
		did = append(did, prompt(w, c, ids[s.B%uint32(len(ids))], s)) //nolint:gosec // few sessions
	}
	for range 3 {
		if answered := answer(w, c, &Step{A: s.A, B: s.B}); answered != "" {
			did = append(did, answered)
		}
	}
	return strings.Join(did, ", ")
}

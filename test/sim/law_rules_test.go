package sim

import (
	"fmt"
	"slices"
	"strings"

	"github.com/turnwire/turnwire/internal/bridge/consent"
)

// rulesLaw: an operator's rule permits a call once, and only a call that it matches. What a
// rule decides, no client is asked. What a rule refuses, no client permits. The decision is
// recorded with its rule.
type rulesLaw struct {
	open    map[string]*event           // by request
	rulings map[string][]consent.Ruling // by request: those that may count
}

func newRules() law {
	return &rulesLaw{open: make(map[string]*event), rulings: make(map[string][]consent.Ruling)}
}

func (*rulesLaw) name() string { return "rules decide only what they match" }

func (l *rulesLaw) see(w *World, e *event) error {
	switch {
	case e.kind == asked && strings.Contains(e.subject, "/call"):
		l.open[e.subject] = e
		l.judge(w, e)
	case e.kind == ruled:
		for _, subject := range sortedKeys(l.open) {
			l.judge(w, l.open[subject])
		}
	case e.kind == shown && e.request != nil && e.request.method == "session/request_permission" && l.decides(e.request.subject):
		return fmt.Errorf("%s is asked about %s, which a rule decides: %v", e.client.name, e.request.subject, l.rulings[e.request.subject])
	case e.kind == resolved:
		delete(l.open, e.subject)
	case e.kind == decided:
		delete(l.open, e.subject)
		always := e.reason == "allow_always" && l.decides(e.subject)
		if e.allows && (always || l.rulings[e.subject] != nil && !l.has(e.subject, consent.Allow) && !l.has(e.subject, consent.Ask)) {
			return fmt.Errorf("%s is permitted %s (%s) against the rules: %v", e.actor.agent.Name, e.subject, e.reason, l.rulings[e.subject])
		}
		w.ruled[e.subject] = e.allows && l.has(e.subject, consent.Allow)
	}
	return nil
}

// judge records what the rules say about a request now. Turnwire may judge it later, and an
// agent may describe the call in several ways.
func (l *rulesLaw) judge(w *World, e *event) {
	isEdit := w.edits[e.subject] != nil
	name := e.actor.agent.Name
	l.rulings[e.subject] = append(l.rulings[e.subject], ruling(w.rules, name, e.subject, isEdit))
	if e.actor.agent.Manner == malicious || e.actor.agent.Manner == sloppy {
		l.rulings[e.subject] = append(l.rulings[e.subject], ruling(w.rules, name, e.subject, !isEdit))
	}
}

// has reports whether the rules may have had a verdict about a request.
func (l *rulesLaw) has(subject string, v consent.Verdict) bool {
	return slices.ContainsFunc(l.rulings[subject], func(r consent.Ruling) bool { return r.Verdict == v })
}

// decides reports whether a rule certainly decides a request.
func (l *rulesLaw) decides(subject string) bool {
	return len(l.rulings[subject]) > 0 && !l.has(subject, consent.Ask)
}

func (l *rulesLaw) end(w *World) error {
	for _, d := range w.audited {
		call := original(d.Call)
		if d.By == consent.ByUser && l.decides(call) {
			return fmt.Errorf("it was recorded that a client decided about %s, but a rule did: %v", call, l.rulings[call])
		}
		if d.By != consent.ByRule {
			continue
		}
		kind := map[string]string{consent.Allowed: "allow_once", consent.Denied: "reject_once"}[d.Verdict]
		if kind == "" || d.Option != kind && (d.Option != "" || d.Verdict == consent.Allowed) || !slices.ContainsFunc(l.rulings[call], func(r consent.Ruling) bool {
			return r.Rule == d.Rule && r.At == d.At && (r.Verdict == consent.Allow) == (d.Verdict == consent.Allowed)
		}) {
			return fmt.Errorf("the recorded decision about %s is of no rule: %s", call, d.Line())
		}
	}
	return nil
}

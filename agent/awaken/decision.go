package awaken

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/remote"
)

// A decision is what a suspension is resumed with, or that it is refused.
type decision struct {
	suspension suspension
	resume     bool
	payload    json.RawMessage // nil where there is none
}

// permission is a decision about whether a tool may run. The head's server
// knows its payload as that of its own ACP adapter, the older one looks at
// "approved" alone.
func permission(s suspension, d agent.Decision) decision {
	policy := agent.RejectOnce
	if d.Allows() {
		policy = agent.AllowOnce
	}
	payload, err := json.Marshal(map[string]any{"kind": "permission_decision", "approved": d.Allows(), "policy": policy})
	if err != nil { // of two strings and a bool: it cannot be
		return decision{suspension: s}
	}
	return decision{s, d.Allows(), payload}
}

// refusal is the decision that cancels a call.
func refusal(s suspension) decision {
	if s.permission {
		return permission(s, agent.NotDecided)
	}
	return decision{suspension: s}
}

func (d decision) action() string {
	if d.resume {
		return "resume"
	}
	return "cancel"
}

// headBody is a decision for /v1/runs/:id/decision.
func (d decision) headBody() any {
	return map[string]any{"toolCallId": d.suspension.callID, "action": d.action(), "payload": d.payload}
}

// olderBody is a decision as /v1/runs/:id/inputs takes a list of.
func (d decision) olderBody() any {
	result := d.payload
	if d.suspension.permission {
		result = json.RawMessage(`{"approved":false}`)
		if d.resume {
			result = json.RawMessage(`{"approved":true}`)
		}
	}
	return map[string]any{
		"target_id": d.suspension.id, "decision_id": rand.Text(), "action": d.action(),
		"result": result, "updated_at": time.Now().UnixMilli(),
	}
}

func olderBodies(list []decision) []any {
	bodies := make([]any, 0, len(list))
	for _, d := range list {
		bodies = append(bodies, d.olderBody())
	}
	return bodies
}

// decide passes a decision on, or keeps it until the server takes it: at the
// head that is when the run is suspended and somebody reads what follows.
func (a *activity) decide(ctx context.Context, d decision) error {
	_, _, older := a.run.place()
	_, p := a.run.state()
	a.mu.Lock()
	if a.decided[d.suspension.id] {
		a.mu.Unlock()
		return nil
	}
	a.decided[d.suspension.id] = true
	keep := older && p == suspended || !older && !a.following
	if keep {
		a.kept = append(a.kept, d)
	}
	a.mu.Unlock()
	if keep {
		a.signal()
		return nil
	}
	err := a.send(ctx, d)
	if older && hasStatus(err, http.StatusNotFound, http.StatusConflict, http.StatusGone) {
		// The run is suspended already, and its stream is about to say so.
		a.mu.Lock()
		a.kept = append(a.kept, d)
		a.mu.Unlock()
		a.signal()
		return nil
	}
	return err
}

// signal says that something was decided.
func (a *activity) signal() {
	select {
	case a.changed <- struct{}{}:
	default:
	}
}

// send sends a decision. A run that has just been suspended is not known as
// waiting at once, so a decision that nobody waits for is tried again.
func (a *activity) send(ctx context.Context, d decision) error {
	id, _, older := a.run.place()
	if older {
		return a.backend.post(ctx, runPath(id, "inputs"), map[string]any{"decisions": olderBodies([]decision{d})})
	}
	delay := a.backend.pace.retry
	for attempt := 1; ; attempt++ {
		err := a.backend.post(ctx, runPath(id, "decision"), d.headBody())
		if !hasStatus(err, http.StatusNotFound) || attempt == a.backend.pace.attempts || !a.backend.wait(ctx, delay) {
			return err
		}
		if _, open := a.run.find(d.suspension.id); !open {
			return nil // somebody else was quicker
		}
		delay *= 2
	}
}

// cancel cancels the run, and refuses what it waits for: also what was allowed
// and not passed on yet. A run that has not begun is cancelled when it does.
func (a *activity) cancel(ctx context.Context) error {
	id, thread, _ := a.run.place()
	a.mu.Lock()
	a.wanted = true
	if a.told || id == "" && !a.leaving {
		a.mu.Unlock()
		return nil
	}
	a.told = true
	for _, d := range a.kept {
		delete(a.decided, d.suspension.id)
	}
	a.kept = nil
	var refused []suspension
	for _, s := range a.run.waiting() {
		if !a.decided[s.id] {
			a.decided[s.id] = true
			refused = append(refused, s)
		}
	}
	a.mu.Unlock()
	for _, s := range refused {
		if err := a.refuse(ctx, s); err != nil {
			a.backend.log.Info("a suspended call could not be refused", "run", id, "error", err)
		}
	}
	path := runPath(id, "cancel")
	if id == "" {
		if thread == "" {
			return nil // nothing is known to cancel
		}
		path = "/v1/threads/" + url.PathEscape(thread) + "/cancel"
	}
	err := a.backend.post(ctx, path, nil)
	if hasStatus(err, http.StatusNotFound, http.StatusConflict, http.StatusGone) {
		return nil // it is over
	}
	return err
}

// refuse refuses a suspension, in one try: the run is cancelled in any case.
func (a *activity) refuse(ctx context.Context, s suspension) error {
	id, _, older := a.run.place()
	if older {
		return a.backend.post(ctx, runPath(id, "inputs"), map[string]any{"decisions": olderBodies([]decision{refusal(s)})})
	}
	return a.backend.post(ctx, runPath(id, "decision"), refusal(s).headBody())
}

func runPath(id, rest string) string { return "/v1/runs/" + url.PathEscape(id) + "/" + rest }

// hasStatus tells whether err is an answer with one of these statuses.
func hasStatus(err error, statuses ...int) bool {
	answer, ok := errors.AsType[*remote.StatusError](err)
	return ok && slices.Contains(statuses, answer.Status)
}

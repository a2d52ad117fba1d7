package awaken

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"net/url"
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/awaken/wire"
	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
)

// A decision resumes a suspension with a payload, or refuses it.
type decision struct {
	suspension wire.Suspension
	resume     bool
	payload    json.RawMessage // may be nil
}

// permission returns a decision about whether a tool may run. The current
// server expects the payload of its ACP adapter; the older one only reads
// "approved".
func permission(s wire.Suspension, d agent.Decision) decision {
	policy := agent.RejectOnce
	if d.Allows() {
		policy = agent.AllowOnce
	}
	payload, err := json.Marshal(map[string]any{"kind": "permission_decision", "approved": d.Allows(), "policy": policy})
	if err != nil { // impossible: two strings and a bool
		return decision{suspension: s}
	}
	return decision{s, d.Allows(), payload}
}

// refusal returns the decision that cancels a call.
func refusal(s wire.Suspension) decision {
	if s.Permission {
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

// headBody returns the body for /v1/runs/:id/decision.
func (d decision) headBody(target string) any {
	return map[string]any{"toolCallId": target, "action": d.action(), "payload": d.payload}
}

// olderBody returns one element of the list for /v1/runs/:id/inputs.
func (d decision) olderBody() any {
	result := d.payload
	if d.suspension.Permission {
		result = json.RawMessage(`{"approved":false}`)
		if d.resume {
			result = json.RawMessage(`{"approved":true}`)
		}
	}
	return map[string]any{
		"target_id": d.suspension.ID, "decision_id": rand.Text(), "action": d.action(),
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

// decide sends a decision, or defers it until the server accepts it. For a
// current server, that is when the run is suspended and the following events
// are being read.
func (x *exchange) decide(ctx context.Context, d decision) error {
	select {
	case x.sending <- struct{}{}:
		defer func() { <-x.sending }()
	case <-ctx.Done():
		return ctx.Err()
	}
	x.mu.Lock()
	run := x.run
	// After a first decision, only a refusal is possible.
	was := x.decided[d.suspension.ID]
	if was == onItsWay || was == refusable && d.resume {
		x.mu.Unlock()
		return nil
	}
	x.decided[d.suspension.ID] = onItsWay
	deferred := run.Older && run.Phase == wire.Suspended || !run.Older && !x.following
	if deferred {
		x.deferred = append(x.deferred, d)
	}
	x.mu.Unlock()
	if deferred {
		x.signal()
		return nil
	}
	err := x.send(ctx, d)
	if run.Older && httpsse.HasStatus(err, http.StatusNotFound, http.StatusConflict, http.StatusGone) {
		// The run is already suspended, and its stream is about to report
		// that.
		x.mu.Lock()
		x.decided[d.suspension.ID] = onItsWay
		x.deferred = append(x.deferred, d)
		x.mu.Unlock()
		x.signal()
		return nil
	}
	return err
}

// signal wakes a goroutine that waits for a decision.
func (x *exchange) signal() {
	select {
	case x.changed <- struct{}{}:
	default:
	}
}

func runPath(id, rest string) string { return "/v1/runs/" + url.PathEscape(id) + "/" + rest }

package run

import (
	"encoding/json"
	"slices"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/awaken/wire"
	"github.com/turnwire/turnwire/internal/agent/transport/requests"
)

// A Decision resumes a suspended call with a payload, or cancels it.
type Decision struct {
	suspension wire.Suspension
	target     string // the server's name of the suspension
	resume     bool
	payload    json.RawMessage // may be nil
}

// Decision returns the decision for an answer. It returns false if the run does not wait for
// it any more.
func (r *Run) Decision(a requests.Answer) (Decision, bool) {
	now := r.Now()
	i := slices.IndexFunc(now.Waiting, func(s wire.Suspension) bool { return s.ID == a.ID })
	if i < 0 {
		return Decision{}, false
	}
	d := Decision{suspension: now.Waiting[i], target: now.Target(now.Waiting[i]), resume: a.Allows()}
	if !a.Question {
		d.payload = permission(d.resume)
		return d, true
	}
	value, err := d.suspension.Answer.Value(a.Response)
	d.payload, d.resume = value, err == nil && value != nil
	return d, true
}

// permission returns the payload for a decision about whether a tool may run, which is that
// of Awaken's own ACP adapter.
func permission(approved bool) json.RawMessage {
	policy := agent.RejectOnce
	if approved {
		policy = agent.AllowOnce
	}
	payload, err := json.Marshal(map[string]any{"kind": "permission_decision", "approved": approved, "policy": policy})
	if err != nil { // impossible: two strings and a bool
		return nil
	}
	return payload
}

func (d Decision) action() string {
	if d.resume {
		return "resume"
	}
	return "cancel"
}

// Body returns the body for /v1/runs/:id/decision.
func (d Decision) Body() any {
	return map[string]any{"toolCallId": d.target, "action": d.action(), "payload": d.payload}
}

// OlderBody returns one element of the list for /v1/runs/:id/inputs. id is random, and time
// is in milliseconds since 1970. About permissions, older servers only read "approved".
func (d Decision) OlderBody(id string, time int64) any {
	var result any = d.payload
	if d.suspension.Permission {
		result = map[string]bool{"approved": d.resume}
	}
	return map[string]any{"target_id": d.suspension.ID, "decision_id": id, "action": d.action(), "result": result, "updated_at": time}
}

package awaken_test

import (
	"encoding/json"
	"net/http"
)

// command handles a decision or a cancel.
func (s *standIn) command(w http.ResponseWriter, r *http.Request, id, what string) {
	s.mu.Lock()
	run := s.runs[id]
	s.mu.Unlock()
	if run == nil {
		http.NotFound(w, r)
		return
	}
	var got []decided
	switch {
	case what == "cancel":
		select {
		case <-run.cancel:
		default:
			close(run.cancel)
		}
		s.cancelled <- id
	case what == "decision" && s.isEarly():
		http.NotFound(w, r)
		return
	case what == "decision" && !s.older:
		var body struct {
			ToolCallID, Action string
			Payload            json.RawMessage
		}
		_ = json.NewDecoder(r.Body).Decode(&body)
		got = append(got, decided{body.ToolCallID, body.Action, body.Payload})
		if s.stuck != nil && body.Action == "resume" {
			s.decisions <- got[0]
			select {
			case <-s.stuck:
			case <-s.stop:
			}
			return
		}
	case what == "inputs" && s.passive:
		s.decisions <- decided{Action: "refused"}
		http.Error(w, `{"error":"the run is not active"}`, http.StatusConflict)
		return
	case what == "inputs" && s.older:
		got = decisionsIn(json.NewDecoder(r.Body))
	default:
		http.NotFound(w, r)
		return
	}
	for _, d := range got {
		s.decisions <- d
		run.decided <- d
	}
	w.WriteHeader(http.StatusAccepted)
	_, _ = w.Write([]byte(`{"status":"accepted"}`))
}

// patient makes the stand-in wait for decisions.
func (s *standIn) patient() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.early = 0
}

// isEarly counts down the decisions for which nothing waits.
func (s *standIn) isEarly() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.early--
	return s.early >= 0
}

func decisionsIn(from *json.Decoder) []decided {
	var body struct {
		Decisions []struct {
			TargetID   string          `json:"target_id"`
			DecisionID string          `json:"decision_id"`
			Action     string          `json:"action"`
			Result     json.RawMessage `json:"result"`
			UpdatedAt  int64           `json:"updated_at"`
		} `json:"decisions"`
	}
	_ = from.Decode(&body)
	var got []decided
	for _, d := range body.Decisions {
		if d.DecisionID != "" && d.UpdatedAt > 0 {
			got = append(got, decided{d.TargetID, d.Action, d.Result})
		}
	}
	return got
}

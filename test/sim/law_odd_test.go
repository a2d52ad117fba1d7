package sim

import (
	"fmt"
	"strings"

	"github.com/turnwire/turnwire/internal/exactjson"
)

// oddLaw: clients don't see the mistakes of ACP agents that Turnwire repairs: relative paths,
// calls that end twice in the same way, titles that are names, notices within the answer, and
// stack traces instead of reasons. A session that the agent has lost is opened again. Calls are known for one
// turn, so a call of no turn, which only a liar ends, may be shown as ended in each.
type oddLaw struct {
	ends map[*view]map[string]int // how often a call ended with the same line
	over map[string]bool          // by turn: it was perhaps cancelled, and nothing is repaired
}

func newOdd() law {
	return &oddLaw{ends: make(map[*view]map[string]int), over: make(map[string]bool)}
}

func (*oddLaw) name() string { return "agents' mistakes are repaired" }

func (l *oddLaw) see(w *World, e *event) error {
	if e.kind == cancelled {
		l.over[e.turn] = true
	}
	if e.kind == sent && e.session != "" {
		if s := w.session(e.session); s != nil && e.message.Method != "session/prompt" && e.message.Method != "" {
			l.over[s.running] = true // it may be cancelled, or replayed
		}
	}
	if e.kind != shown || e.client.agent.Skills&odd == 0 {
		return nil
	}
	if e.call != nil && e.turn != "" {
		return l.answered(w, e)
	}
	u := &e.message.params.Update
	turn := turnOf(u.ToolCallID)
	v := e.client.views[e.session]
	switch {
	case strings.Contains(e.message.line, `"locations":[{"path":"odd/`):
		return fmt.Errorf("%s is shown a relative path", e.client.name)
	case u.Type == "tool_call" && u.Title == "write_file":
		return fmt.Errorf("%s is shown the call %s without a title", e.client.name, u.ToolCallID)
	case strings.HasPrefix(u.Content.Text, oddNotice) && !l.over[strings.TrimSpace(strings.TrimPrefix(u.Content.Text, oddNotice))]:
		return fmt.Errorf("%s is shown a notice as a part of the answer: %s", e.client.name, u.Content.Text)
	case u.Type == "tool_call_update" && u.Status == "completed" && v != nil && !v.unclear && turn != "" && !l.over[turn]:
		if l.ends[v] == nil {
			l.ends[v] = make(map[string]int)
		}
		if l.ends[v][e.message.line]++; l.ends[v][e.message.line] > 1 {
			return fmt.Errorf("%s is shown the end of the call %s twice", e.client.name, u.ToolCallID)
		}
	}
	return nil
}

// answered checks the answer to a prompt.
func (l *oddLaw) answered(w *World, e *event) error {
	var failure struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	}
	reason := w.failing[e.turn]
	if len(e.message.Error) == 0 {
		if reason != "" && e.message.result.StopReason != "cancelled" && !l.over[e.turn] {
			return fmt.Errorf("%s is not told why %s failed: %s", e.client.name, e.turn, e.message.line)
		}
		return nil
	}
	err := exactjson.Unmarshal(e.message.Error, &failure)
	switch {
	case err != nil:
		return err
	case strings.Contains(failure.Message, "Traceback"):
		return fmt.Errorf("%s is shown a stack trace: %s", e.client.name, failure.Message)
	case failure.Code == -32001 && e.client.kind != traveller:
		return fmt.Errorf("%s is told that the session is lost: %s", e.client.name, failure.Message)
	}
	return nil
}

func (*oddLaw) end(*World) error { return nil }

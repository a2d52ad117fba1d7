package agenttest

import (
	"context"
	"encoding/json"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/test/limits"
)

// RequireTurn runs a turn and requires it to end exactly once, with events that can be
// passed on. It cancels when the agent asks something.
func RequireTurn(t *testing.T, a agent.Agent) {
	t.Helper()
	if ended := RequireEnd(t, a); ended != 1 {
		t.Fatalf("the turn ended %d times", ended)
	}
}

// RequireEnd is like RequireTurn for an agent that may go on by itself after a turn, and end
// that too. It returns how many ends arrived with the first.
func RequireEnd(t *testing.T, a agent.Agent) (ended int) {
	t.Helper()
	s, err := a.Open(t.Context(), agent.Options{SessionID: "s", Cwd: "/"})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Prompt(agent.Prompt{SessionID: "s", TurnID: "t", Text: "go"}); err != nil {
		t.Fatal(err)
	}
	silence := time.NewTimer(limits.Patience)
	defer silence.Stop()
	for ended == 0 {
		select {
		case b, ok := <-s.Events():
			if !ok {
				t.Fatal("the events end before the turn")
			}
			for e := range b.Events() {
				if line := agent.AppendJSON(nil, e); !json.Valid(line) || !utf8.Valid(line) {
					t.Fatalf("no JSON: %q", line)
				}
				if Asks(e) {
					s.Cancel(agent.Cancel{TurnID: "t"})
				}
				if Ends(e) {
					ended++
				}
			}
			b.Release()
		case <-silence.C:
			t.Fatal("the turn does not end")
		}
	}
	if err := s.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	return ended
}

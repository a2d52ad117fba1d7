package agui_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
)

// A permission that was given before the cancel is not sent either, if the run waited for
// another answer.
func TestNothingIsPermittedAfterACancel(t *testing.T) {
	for name, decide := range map[string]func(s *conversation, ids []string){
		"given before": func(s *conversation, ids []string) {
			s.Decide(ids[0], "c1", agent.AllowOnce)
			s.Stop()
		},
		"given after": func(s *conversation, ids []string) {
			s.Stop()
			s.Decide(ids[0], "c1", agent.AllowOnce)
			s.Decide(ids[1], "c2", agent.AllowOnce)
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHost(t, run(called("c1"), called("c2"), interrupted(approval("i1", "c1"), approval("i2", "c2"))), run(finished), run(finished))
			s := h.open(agent.Options{})
			s.prompt("fly")
			decide(s, s.awaitRequests(2))
			s.UntilEnd()
			h.input()
			s.answered("hi")
			require.Equal(t, []any{entry("i1", "cancelled", nil), entry("i2", "cancelled", nil)}, h.input()["resume"])
			require.NotContains(t, h.input(), "resume")
		})
	}
}

// The server may have received the permission, but it hasn't said so: it is withdrawn.
func TestACancelDuringAResumeCancelsItsInterrupts(t *testing.T) {
	arrived := make(chan bool)
	h := newHost(t, run(called("c1"), interrupted(approval("i1", "c1"))), func(_ http.ResponseWriter, r *http.Request) {
		arrived <- true
		<-r.Context().Done()
	}, run(finished), run(finished))
	s := h.open(agent.Options{})
	s.prompt("fly")
	s.Decide(s.awaitRequests(1)[0], "c1", agent.AllowOnce)
	s.Until(func(e agent.Event) bool { return e.Type() == "state" }) // with the pending interrupt
	<-arrived
	s.Stop()
	s.UntilEnd()
	require.Equal(t, []any{entry("i1", "resolved", map[string]any{"approved": true})}, h.resumed())
	s.answered("hi")
	require.Equal(t, []any{entry("i1", "cancelled", nil)}, h.input()["resume"])
}

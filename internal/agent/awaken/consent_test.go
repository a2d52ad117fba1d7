package awaken_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
)

func (c *conversation) confirm(id string, d agent.Decision) { c.Decide(id, "c1", d) }

// received returns the decisions that the server has received so far.
func (s *standIn) received() (all []string) {
	for len(s.decisions) > 0 {
		d := <-s.decisions
		all = append(all, d.Action+" "+d.Target)
	}
	return all
}

// two is a run that waits for two decisions about one call.
func two(r *standRun) {
	r.say(began, ready("c1"), suspends("c1"), strings.ReplaceAll(suspends("c1"), "perm_c1", "perm_again"), paused)
	for range 2 {
		if _, ok := r.wait(); !ok {
			r.say(stopped)
			return
		}
	}
	r.say(began, resumes("c1", `"ok"`), finished)
}

func TestSuspensionsOfOneCallAreDecidedSeparately(t *testing.T) {
	s := stand(t, two)
	c := open(t, s.url)
	c.prompt("t1")
	c.until(`"confirmationId":"perm_c1","toolCallId":"c1"`)
	c.until(`"confirmationId":"perm_again","toolCallId":"c1"`)
	c.confirm("perm_again", agent.AllowOnce)
	c.confirm("perm_c1", agent.RejectOnce)
	c.untilEnd()
	require.Equal(t, []string{"resume perm_again", "cancel perm_c1"}, s.received())
}

func TestAnAmbiguousDecisionPermitsNothing(t *testing.T) {
	s := stand(t, two)
	c := open(t, s.url)
	c.prompt("t1")
	c.until(`"confirmationId":"perm_again"`)
	c.confirm("", agent.AllowOnce)
	c.untilEnd()
	require.Equal(t, []string{"cancel perm_c1", "cancel perm_again"}, s.received())
}

func TestNothingIsPermittedAfterACancel(t *testing.T) {
	s := stand(t, two)
	c := open(t, s.url)
	c.prompt("t1")
	c.until(`"confirmationId":"perm_again"`)
	c.Stop()
	c.confirm("perm_c1", agent.AllowOnce)
	c.confirm("perm_again", agent.AllowOnce)
	c.untilEnd()
	require.NotEmpty(t, s.bodies())
	for _, d := range s.received() {
		require.True(t, strings.HasPrefix(d, "cancel "), d)
	}
}

func TestACancelRefusesDecisionsQueuedBehindASlowOne(t *testing.T) {
	for name, deferred := range map[string]bool{"the first is sent at once": false, "it was deferred until the run is followed": true} {
		t.Run(name, func(t *testing.T) {
			s := stand(t, func(r *standRun) {
				r.say(began, ready("c1"), suspends("c1"), strings.ReplaceAll(suspends("c1"), "perm_c1", "perm_again"), paused)
				r.say(textDelta("now it is followed"))
				select {
				case <-r.server.stuck:
				case <-r.server.stop:
				}
				r.say(stopped)
			})
			s.stuck, s.held = make(chan struct{}), make(chan struct{})
			c := open(t, s.url)
			c.prompt("t1")
			c.until(`"confirmationId":"perm_again"`)
			if !deferred {
				close(s.held)
				c.until("now it is followed")
			}
			c.confirm("perm_c1", agent.AllowOnce)
			if deferred {
				close(s.held)
			}
			require.Equal(t, "resume", (<-s.decisions).Action) // and no response arrives
			c.confirm("perm_again", agent.AllowOnce)
			c.Stop()
			for range 2 { // the first one may not have arrived
				require.Equal(t, "cancel", (<-s.decisions).Action)
			}
			close(s.stuck)
			c.untilEnd()
			s.noDecision()
		})
	}
}

func TestRetriedDecisionsAreNotSentAfterACancel(t *testing.T) {
	s := stand(t, two)
	s.early = 1 << 20
	c := open(t, s.url)
	c.prompt("t1")
	c.until(`"confirmationId":"perm_again"`)
	c.confirm("perm_c1", agent.AllowOnce)
	c.Stop()
	require.Equal(t, "r1", <-s.cancelled)
	s.patient()
	c.untilEnd()
	s.noDecision()
}

func TestEveryRequestIsAnsweredOnce(t *testing.T) {
	nested := strings.Repeat(`{"a":[`, 10_000) + strings.Repeat("]}", 10_000)
	asked := func(old, instead string) string { return strings.ReplaceAll(suspends("c1"), old, instead) }
	const resumed = "resume c1"
	for name, c := range map[string]struct {
		line string
		want []string // nil: the run is cancelled
	}{
		"nested 20,000 deep": {asked(`{"to":"c1"}`, nested), []string{resumed}},
		"wrong types":        {strings.ReplaceAll(asked(`"May deploy run?"`, `7`), `"message":"waits"`, `"message":[]`), []string{resumed}},
		"a tool of no name":  {asked(`"tool_name":"deploy"`, `"tool_name":{}`), []string{resumed}},
		"no suspension id":   {asked(`"id":"perm_c1"`, `"id":7`), []string{resumed}},
		"twice the same":     {suspends("c1") + "\n" + suspends("c1"), []string{resumed}},
		"not UTF-8":          {asked(`{"to":"c1"}`, "{\"to\":\"\xff\"}"), []string{resumed}},
		"no ticket":          {`{"event_type":"tool_call_done","id":"c1","result":7,"outcome":"suspended"}`, nil},
		"no call":            {strings.Replace(suspends("c1"), `"id":"c1"`, `"id":null`, 1), nil},
		"an unreadable schema": {`{"event_type":"tool_call_done","id":"c1","result":{"tool_name":"choose","status":"pending","suspension":{"suspension":{"id":"s1",` +
			`"action":"tool:choose","message":"?","response_schema":[]},"pending":{},"resume_mode":"x"}},"outcome":"suspended"}`, nil},
		"too long": {asked(`{"to":"c1"}`, `{"to":"LONG"}`), nil},
	} {
		t.Run(name, func(t *testing.T) {
			s := stand(t, func(r *standRun) {
				r.say(began)
				for line := range strings.SplitSeq(c.line, "\n") {
					r.say(strings.Replace(line, "LONG", strings.Repeat("x", 33<<20), 1))
				}
				r.say(paused)
				if _, ok := r.wait(); ok {
					r.say(began, resumes("c1", `"ok"`), finished)
				}
			})
			conv := open(t, s.url)
			conv.prompt("t1")
			conv.takeUntil(func(line string) bool {
				require.True(t, json.Valid([]byte(line)), line)
				if strings.HasPrefix(line, `{"type":"tool_confirmation_request"`) {
					var e agent.ConfirmationRequested
					require.NoError(t, json.Unmarshal([]byte(line), &e))
					conv.confirm(e.ConfirmationID, agent.AllowOnce)
				}
				return strings.HasPrefix(line, `{"type":"done"`) || strings.HasPrefix(line, `{"type":"error"`)
			})
			if c.want == nil {
				require.Equal(t, "r1", <-s.cancelled, "what cannot be asked is refused with the run")
			}
			require.Equal(t, c.want, s.received())
		})
	}
}

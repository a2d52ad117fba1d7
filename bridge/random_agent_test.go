package bridge_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
)

// A randomAgent is the agent of one session. It sends its batches one after the other,
// on its own goroutine, because the bridge may not receive them.
type randomAgent struct {
	s      *puppetSession
	closed bool // the session was closed early
	last   chan struct{}

	mu    sync.Mutex
	asks  map[string]int  // how often each request was made; see askKey
	loose map[string]bool // requests that the agent may have settled itself
}

func newRandomAgent(s *puppetSession) *randomAgent {
	a := &randomAgent{s: s, asks: map[string]int{}, loose: map[string]bool{}, last: make(chan struct{})}
	close(a.last)
	return a
}

// agentSays makes an agent send some lines as one batch.
func (r *random) agentSays(n int) {
	if n >= len(r.agents) {
		return
	}
	a := r.agents[n]
	var lines []string
	for range 1 + r.next()%6 {
		line := pick(r, randomEvents)
		if strings.Contains(line, "%d") {
			line = fmt.Sprintf(line, r.next()%4)
		}
		if strings.Contains(line, "%s") {
			line = fmt.Sprintf(line, strings.Repeat("long ", int(r.next())*40))
		}
		lines = append(lines, line)
	}
	if r.next()%16 == 0 { // whatever the script contains
		n := int(r.next())
		raw := r.script[:min(len(r.script), n)]
		lines = append(lines, strings.ReplaceAll(string(raw), "\n", " "))
	}
	before, done := a.last, make(chan struct{})
	a.last = done
	go func() {
		defer close(done)
		<-before
		if a.s.say(lines...) {
			a.note(lines)
		}
	}()
}

// An askKey identifies a request by the members that the answer repeats.
type askKey struct {
	Type           string
	ConfirmationID string
	ToolCallID     string
	QuestionID     string
	ID             string
	TurnID         string
	Decision       string
	Answer         string
	Cancelled      bool
}

func (k askKey) confirmation() string { return "c/" + k.ConfirmationID + "/" + k.ToolCallID }
func (k askKey) question() string     { return "q/" + k.QuestionID }

func parseAsk(line string) (k askKey, ok bool) {
	ok = json.Unmarshal([]byte(strings.Replace(line, deep, "1", 1)), &k) == nil
	return k, ok
}

// note counts the requests in lines, and those that the lines settle.
func (a *randomAgent) note(lines []string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, line := range lines {
		k, ok := parseAsk(line)
		if !ok {
			continue
		}
		k.ToolCallID += k.ID
		switch k.Type {
		case "tool_confirmation_request":
			a.asks[k.confirmation()]++
		case "question":
			a.asks[k.question()]++
		case "tool_end", "tool_confirmation_resolved", "subagent_end":
			if k.ToolCallID == "" { // identified by the tool's name
				for key := range a.asks {
					a.loose[key] = a.loose[key] || strings.HasPrefix(key, "c/")
				}
			}
			for key := range a.asks {
				a.loose[key] = a.loose[key] || strings.HasPrefix(key, "c/") && strings.HasSuffix(key, "/"+k.ToolCallID)
			}
			a.loose["c//"+k.ToolCallID], a.loose["c/1/"+k.ToolCallID], a.loose["c/2/"+k.ToolCallID] = true, true, true
		case "question_answered":
			a.loose[k.question()] = true
		}
	}
}

// checkConsent checks the commands that the agents received against these rules:
//
//   - each of an agent's requests gets one answer, unless the agent has settled it;
//   - nothing after the cancel of a turn permits anything in that turn;
//   - nothing else is answered.
func (r *random) checkConsent() {
	for n, a := range r.agents {
		<-a.last
		answers := map[string]int{}
		cancelled := map[string]bool{}
		commands := a.s.received()
		for _, line := range commands {
			k, ok := parseAsk(line)
			require.True(r.t, ok, "%s", line)
			switch k.Type {
			case agent.CommandCancel:
				cancelled[k.TurnID] = true
			case agent.CommandConfirmation:
				answers[k.confirmation()]++
				require.False(r.t, cancelled[k.TurnID] && agent.Decision(k.Decision).Allows(), "%d: %v", n, commands)
			case agent.CommandQuestion:
				answers[k.question()]++
				require.False(r.t, cancelled[k.TurnID] && (!k.Cancelled || k.Answer != ""), "%d: %v", n, commands)
			}
		}
		a.mu.Lock()
		for key, count := range answers {
			require.LessOrEqual(r.t, count, a.asks[key], "%d: %s is answered too often: %v", n, key, commands)
		}
		for key, count := range a.asks {
			if !a.loose[key] && !a.closed {
				require.Equal(r.t, count, answers[key], "%d: %s: %v", n, key, commands)
			}
		}
		a.mu.Unlock()
	}
}

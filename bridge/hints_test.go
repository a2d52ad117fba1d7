package bridge_test

import (
	"iter"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
)

// made is a batch of events that were not read from lines.
type made []agent.Event

// Events implements [agent.Batch].
func (m made) Events() iter.Seq[agent.Event] { return slices.Values(m) }

// Release implements [agent.Batch].
func (made) Release() {}

// A turn with visible output reports its losses in one line.
func TestATurnSaysWhatWasLost(t *testing.T) {
	typo := agent.Hint{Rule: "unknown-event", Kind: "unknown-event text_dleta", Line: 7, Message: `unknown event "text_dleta"; did you mean "text_delta"?`, Help: "Use it.", Lost: true}
	again := typo
	again.Line, again.Again = 9, true
	debugging := agent.Hint{Rule: "not-json", Kind: "not-json ", Line: 3, Message: "this is not JSON", Help: "Print it on stderr."}
	const line = `unknown event \"text_dleta\"; did you mean \"text_delta\"?); run “turnwire check -- COMMAND” for details`
	for name, c := range map[string]struct {
		hints  []agent.Hint
		silent bool
		want   []string // parts of the notices
	}{
		"two events":            {[]agent.Hint{typo, again}, false, []string{"2 events could not be read (line 7: " + line}},
		"of an earlier kind":    {[]agent.Hint{again}, false, []string{"1 event could not be read (line 9: " + line}},
		"a line for people":     {[]agent.Hint{debugging}, false, nil},
		"nothing":               {nil, false, nil},
		"a turn without a word": {[]agent.Hint{typo, again}, true, []string{"Line 7 of the agent's output could not be read: "}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newPuppet()
				e := connect(t, p)
				e.initialize(`{"session":{"notices":{}}}`)
				s := e.newSession(p)
				e.write(promptS1("2", "go"))
				s.command()
				if !c.silent {
					s.say(`{"type":"text_delta","text":"hello"}`)
				}
				for _, h := range c.hints {
					s.send(made{&h})
				}
				s.say(`{"type":"done","text":""}`)
				var notices []string
				for _, m := range e.until("2") {
					if strings.Contains(m, `"notice"`) && !strings.Contains(m, "without an answer") {
						notices = append(notices, m)
					}
				}
				require.Len(t, notices, len(c.want), "%q", notices)
				for i, want := range c.want {
					require.Contains(t, notices[i], want)
				}
			})
		})
	}
}

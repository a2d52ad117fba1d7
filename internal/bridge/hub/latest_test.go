package hub_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

const (
	commands = `{"sessionUpdate":"available_commands_update","availableCommands":[{"name":"%s","description":"d"}]}`
	usage    = `{"sessionUpdate":"usage_update","used":%d,"size":100}`
	resume   = `{"jsonrpc":"2.0","id":"r","method":"session/resume","params":{"sessionId":"s1","cwd":"/w"%s}}`
	attach   = `{"jsonrpc":"2.0","id":"a","method":"session/attach","params":{"sessionId":"s1","historyPolicy":"%s"}}`
)

// nothingElse checks that the peer gets no more lines.
func (p *peer) nothingElse() {
	p.t.Helper()
	synctest.Wait()
	require.Empty(p.t, p.lines)
}

// openWithCommands opens the session s1, in which the agent announces its commands and its
// usage twice.
func (s *stage) openWithCommands() (opener *peer) {
	s.t.Helper()
	opener = s.join("one")
	s.open(opener)
	for _, u := range []string{
		fmt.Sprintf(commands, "old"), fmt.Sprintf(usage, 1), text("text"),
		`{"sessionUpdate":"session_info_update","title":"T"}`, fmt.Sprintf(commands, "new"), fmt.Sprintf(usage, 2),
	} {
		s.agent.say("%s", update(u))
		opener.expect(update(u))
	}
	return opener
}

// expectLatest expects the newest commands and usage of openWithCommands, and then nothing.
func (p *peer) expectLatest() {
	p.t.Helper()
	p.expect(update(fmt.Sprintf(commands, "new")))
	p.expect(update(fmt.Sprintf(usage, 2)))
	p.nothingElse()
}

// An agent announces its commands again after session/resume. A hub doesn't resume a session
// that is open, so it repeats them itself.
func TestAClientThatResumesGetsTheCommands(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		one := s.openWithCommands()
		two := s.join("two")
		two.say(resume, "")
		require.Contains(t, two.hear(), `"id":"r","result":{"modes"`)
		two.expectLatest()
		for _, policy := range []string{"none", "pending_only"} {
			p := s.join(policy)
			p.say(attach, policy)
			require.Contains(t, p.hear(), `"id":"a","result"`)
			p.expectLatest()
		}

		// Clients that were attached know the commands, and those that get the history have them.
		for _, p := range []*peer{one, two} {
			p.say(resume, "")
			require.Contains(t, p.hear(), `"id":"r","result"`)
			p.nothingElse()
		}
		load := s.join("load")
		s.load(load, text("text"), `{"sessionUpdate":"session_info_update","title":"T"}`, fmt.Sprintf(commands, "new"), fmt.Sprintf(usage, 2))
		load.nothingElse()
		full := s.join("full")
		full.say(attach, "full")
		require.Contains(t, full.hear(), `"name":"new"`)
		full.nothingElse()
	})
}

// A client that asks for what happened after a restart gets the commands from before it, unless
// there are newer ones.
func TestAClientThatReturnsAfterARestartGetsTheCommandsOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		first := s.join("first")
		first.say(`{"jsonrpc":"2.0","id":"load","method":"session/load","params":{"sessionId":"s1","cwd":"/w","mcpServers":[]}}`)
		load, _ := s.agent.awaitCall("session/load")
		s.agent.say("%s", update(fmt.Sprintf(commands, "before")))
		s.agent.say("%s", update(fmt.Sprintf(usage, 1)))
		s.agent.say(`{"jsonrpc":"2.0","id":%s,"result":{}}`, load)
		s.agent.say("%s", update(fmt.Sprintf(usage, 2)))
		for range 4 {
			first.hear()
		}
		returns := s.join("returns")
		returns.say(resume, `,"_meta":{"turnwire.dev/afterRestart":true}`)
		returns.expect(update(fmt.Sprintf(usage, 2)))
		returns.expect(`{"jsonrpc":"2.0","id":"r","result":{}}`)
		returns.expect(update(fmt.Sprintf(commands, "before")))
		returns.nothingElse()
	})
}

// The hub loads a session for a client that resumes it, so that later clients get the history.
// The agent may announce its commands with that.
func TestTheFirstClientThatResumesGetsTheCommands(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		one := s.join("one")
		one.say(resume, "")
		load, _ := s.agent.awaitCall("session/load")
		s.agent.say("%s", update(text("earlier")))
		s.agent.say("%s", update(fmt.Sprintf(commands, "new")))
		s.agent.say(`{"jsonrpc":"2.0","id":%s,"result":{}}`, load)
		one.expect(`{"jsonrpc":"2.0","id":"r","result":{}}`)
		one.expect(update(fmt.Sprintf(commands, "new")))
		one.nothingElse()
	})
}

func TestAClientOfAnotherServerThatResumesGetsTheCommands(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		has, reaches := twoServers(t)
		has.openWithCommands()
		for _, name := range []string{"first", "second"} {
			p := reaches.join(name)
			p.say(resume, "")
			require.Contains(t, p.hear(), `"id":"r","result":{"modes"`)
			p.expectLatest()
		}
	})
}

// Folding and a client that doesn't read change nothing. Commands that are too long to be
// repeated are not replaced by older ones.
func TestOnlyTheLatestCommandsAreRepeated(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		one := s.openWithCommands()
		long := strings.Repeat("x", 1000)
		for range 200 {
			s.agent.say("%s", update(text(long)))
		}
		one.expectText(strings.Repeat(long, 200))
		two := s.join("two")
		two.say(resume, "")
		two.hear()
		two.expectLatest()
		tooLong := fmt.Sprintf(commands, strings.Repeat("x", 200<<10))
		s.agent.say("%s", update(tooLong))
		one.expect(update(tooLong))
		three := s.join("three")
		three.say(resume, "")
		three.hear()
		three.expect(update(fmt.Sprintf(usage, 2)))
		three.nothingElse()
	})
}

// A fork at a cursor is loaded for its client, which gets what the agent announced meanwhile.
func TestAForkAtACursorHasTheCommands(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		one := s.openWithCommands()
		inFork := func(update string) string { return strings.Replace(update, `"s1"`, `"s2"`, 1) }
		one.say(`{"jsonrpc":"2.0","id":"fork","method":"session/fork","params":{"sessionId":"s1","cursorId":"c","cwd":"/w"}}`)
		id, _ := s.agent.awaitCall("session/fork")
		s.agent.say(`{"jsonrpc":"2.0","id":%s,"result":{"sessionId":"s2"}}`, id)
		load, _ := s.agent.awaitCall("session/load")
		s.agent.say("%s", inFork(update(fmt.Sprintf(commands, "fork"))))
		s.agent.say(`{"jsonrpc":"2.0","id":%s,"result":{}}`, load)
		one.expect(`{"jsonrpc":"2.0","id":"fork","result":{"sessionId":"s2"}}`)
		one.expect(inFork(update(fmt.Sprintf(commands, "fork"))))
		one.nothingElse()
	})
}

// The response to session/attach has only the newest part of a long history. The commands and
// the usage precede that part.
func TestAttachingToALongSessionGetsTheCommands(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		one := s.openWithCommands()
		long := strings.Repeat("x", 40<<10)
		for range 150 {
			s.agent.say("%s", update(text(long)))
		}
		one.expectText(strings.Repeat(long, 150))
		two := s.join("two")
		two.say(attach, "full")
		var attached struct {
			Result struct {
				History []struct {
					Params struct{ Update json.RawMessage }
				}
			}
		}
		require.NoError(t, json.Unmarshal([]byte(two.hear()), &attached))
		history := attached.Result.History
		require.JSONEq(t, fmt.Sprintf(commands, "new"), string(history[0].Params.Update))
		require.JSONEq(t, fmt.Sprintf(usage, 2), string(history[1].Params.Update))
		require.JSONEq(t, text(long), string(history[2].Params.Update))
	})
}

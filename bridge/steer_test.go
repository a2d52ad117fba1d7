package bridge_test

import (
	"strconv"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/bridge/journal"
)

// Steer implements [agent.Steerer]. A puppet accepts any message except "never".
func (s *puppetSession) Steer(c agent.Steer) bool {
	if c.Text == "never" {
		return false
	}
	s.notify(c)
	return true
}

// steerable returns a puppet that accepts text during turns.
func steerable() *puppet {
	p := newPuppet()
	p.info.Steer = &agent.PromptTakes{}
	return p
}

// readFirst says that a puppet has read its first message.
const readFirst = `{"type":"steered","steerId":"steer-1"}`

func TestAdviceReachesTheTurnThatRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := steerable()
		e, s := open(t, p, `{}`)
		e.write(promptS1("1", "one"))
		s.expect(`{"type":"prompt","text":"one"}`)
		e.write(promptS1("2", " /steer  use less salt"))
		s.expect(`{"type":"steer","turnId":"turn-1","steerId":"steer-1","text":"use less salt"}`)
		s.say(readFirst)
		e.stopped("2", "end_turn")
		e.write(promptS1("3", "/steer never") + promptS1("4", "/steering") + promptS1("5", "/steer"))
		s.say(`{"type":"text_delta","text":"Less salt."}`, done)
		e.stopped("1", "end_turn")
		for i, text := range []string{"/steer never", "/steering", "/steer"} {
			s.expect(`{"type":"prompt","text":"` + text + `"}`)
			s.say(`{"type":"text_delta","text":"x"}`, done)
			e.stopped(strconv.Itoa(i+3), "end_turn")
		}
	})
}

// If an agent is slow to take a prompt, advice sent meanwhile is delivered with that
// prompt, and not as the next prompt.
func TestAdviceWaitsForThePromptOfItsTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := steerable()
		e, s := open(t, p, `{}`)
		s.held = make(chan struct{})
		e.write(promptS1("1", "one"))
		s.expect(`{"type":"prompt","text":"one"}`)
		e.write(promptS1("2", "/steer use less salt") + promptS1("3", "/steer never") + promptS1("4", "/steer gone"))
		e.notify("$/cancel_request", `{"requestId":4}`)
		e.stopped("4", "cancelled")
		close(s.held)
		s.expect(`{"type":"steer","turnId":"turn-1","text":"use less salt"}`)
		s.say(readFirst)
		e.stopped("2", "end_turn")
		s.say(`{"type":"text_delta","text":"Less salt."}`, done)
		e.stopped("1", "end_turn")
		s.expect(`{"type":"prompt","text":"/steer never"}`)
		s.say(`{"type":"text_delta","text":"x"}`, done)
		e.stopped("3", "end_turn")
	})
}

func TestAdviceRightAfterAPromptBelongsToItsTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := steerable()
		e, s := open(t, p, `{}`)
		e.write(promptS1("1", "one") + promptS1("2", "/steer use less salt"))
		s.expect(`{"type":"prompt","text":"one"}`)
		s.expect(`{"type":"steer","turnId":"turn-1","text":"use less salt"}`)
		s.say(readFirst)
		e.stopped("2", "end_turn")
		s.say(`{"type":"text_delta","text":"Less salt."}`, done)
		e.stopped("1", "end_turn")
	})
}

func TestAdviceForATurnCancelledEarlyIsCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := steerable()
		e, s := open(t, p, `{}`)
		s.held = make(chan struct{})
		e.write(promptS1("1", "one"))
		s.expect(`{"type":"prompt","text":"one"}`)
		e.write(promptS1("2", "/steer use less salt") + cancelS1)
		e.sync()
		close(s.held)
		s.expect(`{"type":"cancel"}`)
		s.say(done)
		e.stopped("1", "cancelled")
		e.stopped("2", "cancelled")
	})
}

func TestAdviceAfterACancelIsAPrompt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := steerable()
		e, s := open(t, p, `{}`)
		e.write(promptS1("1", "one"))
		s.expect(`{"type":"prompt","text":"one"}`)
		e.write(cancelS1 + promptS1("2", "/steer on"))
		s.expect(`{"type":"cancel"}`)
		s.say(done)
		e.stopped("1", "cancelled")
		s.expect(`{"type":"prompt","text":"/steer on"}`)
		s.say(`{"type":"text_delta","text":"x"}`, done)
		e.stopped("2", "end_turn")
	})
}

var _ agent.Steerer = (*puppetSession)(nil)

func TestAdviceIsSaved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := journal.NewFolder(t.TempDir())
		p := steerable()
		e := connect(t, p, keeping(store))
		e.initialize(`{}`)
		s := e.newSession(p)
		e.write(promptS1("1", "one"))
		s.expect(`{"type":"prompt","text":"one"}`)
		e.write(promptS1("2", "/steer use less salt"))
		s.expect(`{"type":"steer"}`)
		s.say(readFirst)
		e.stopped("2", "end_turn")
		s.say(`{"type":"text_delta","text":"Less salt."}`, done)
		e.stopped("1", "end_turn")
		id := e.ids[0]
		e.close()
		e = reopened(t, store, steerable(), id)
		e.request("1", "session/load", loadS1)
		loaded := e.until("1")
		require.Contains(t, loaded[1], "user_message_chunk")
		require.Contains(t, loaded[1], "/steer use less salt")
		require.Contains(t, loaded[2], "Less salt.")
	})
}

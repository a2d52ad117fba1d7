package terminal

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

const (
	canSteer = `meta {"steering":{"supported":true}}` + "\n"
	inject   = `respond _session/steering {"outcome":"injected"}` + "\n"
)

func TestThePromptGoesIntoTheTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startChat(t, canSteer+text("cooking")+"\n"+inject+text("salted")+"\nstop end_turn", Options{})
		c.press(`"go"`, "enter")
		c.until("cooking")
		c.press(`"salt"`, "ctrl+s")
		c.until("done in")
		require.Contains(t, c.screen(), "cooking\n\n> salt\n\nsalted")
		require.NotContains(t, c.screen(), "→")
		require.Contains(t, c.agent.answers(), `"_meta":{"steering":{"idleBehavior":"promptRequired"}}`)
	})
}

func TestQueuedPromptsGoIntoTheTurnInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startChat(t, canSteer+text("cooking")+"\n"+inject+inject+"stop end_turn", Options{})
		c.press(`"go"`, "enter")
		c.until("cooking")
		c.press(`"one"`, "enter", `"two"`, "enter")
		require.Contains(t, c.screen(), "Ctrl-S sends it into the turn")
		c.press("ctrl+s")
		c.until("done in")
		require.Contains(t, c.screen(), "> one\n\n> two\n")
	})
}

func TestAnUnreadPromptFollowsTheTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startChat(t, canSteer+text("cooking")+"\nprompt\n"+text("second")+"\nstop end_turn", Options{})
		c.press(`"go"`, "enter", `"later"`, "enter", `"late"`, "ctrl+s")
		c.until("cooking")
		require.Contains(t, c.screen(), "→ late  (sent, not read yet)\n⏵ later  (Up edits it")
		require.Equal(t, []string{"later"}, c.m.queue)
		id := c.m.steering[0].request
		c.update(messages{&ended{stop: "end_turn"}})
		require.Equal(t, []string{"later"}, c.m.queue, "it is not sent before the other one")
		c.update(messages{&steered{request: id, outcome: "promptRequired"}})
		c.until("second")
		require.Contains(t, c.screen(), "> late\n")
	})
}

func TestACancelReturnsAnUnreadPrompt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startChat(t, canSteer+text("cooking")+"\ncancel\nstop cancelled", Options{})
		c.press(`"go"`, "enter")
		c.until("cooking")
		c.press(`"late"`, "ctrl+s", "esc")
		c.until("■ cancelled")
		c.update(messages{&steered{request: c.m.steering[0].request, err: &AgentError{Code: codeRequestCancelled}}})
		c.wait(time.Minute)
		require.Contains(t, c.screen(), "⏵ late  (paused: Enter sends, Up edits it)")
		require.NotContains(t, c.screen(), "did not take")
	})
}

func TestARefusedPromptStaysInTheQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startChat(t, canSteer+text("cooking")+"\nrefuse _session/steering {\"code\":-32602,\"message\":\"Invalid params\",\"data\":{\"details\":\"only text\"}}\nhang", Options{})
		c.press(`"go"`, "enter")
		c.until("cooking")
		c.press(`"salt"`, "ctrl+s")
		c.until("only text")
		require.Contains(t, c.screen(), "⏵ salt  (Up edits it")
		require.Equal(t, 1, strings.Count(c.screen(), "did not take the message"))
	})
}

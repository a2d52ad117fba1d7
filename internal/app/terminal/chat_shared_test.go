package terminal

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"
)

const (
	atServer = `session {"sessionId":"s1","_meta":{"turnwire.dev/turns":0}}` + "\nunprompted\n"
	begins   = `update {"sessionUpdate":"prompt_received","sentBy":{"clientId":"c2"},"blocks":1}` + "\n"
	ends     = `update {"sessionUpdate":"turn_complete","sentBy":{"clientId":"c2"},"stopReason":"end_turn"}` + "\n"
	breaks   = `update {"sessionUpdate":"turn_complete","sentBy":{"clientId":"c2"},"error":"The server was restarted."}` + "\n"
)

// shares lets a chat show other clients' turns.
func shares() Options { return Options{Leave: func(_, _ string) {}} }

func TestTheChatAsksForOtherClientsTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startChat(t, "unprompted\nhang", shares())
		require.Contains(t, c.agent.initialize, `"turnwire.dev/turns":true`)
	})
}

func TestAFailureOfAnotherClientsTurnIsShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startChat(t, atServer+begins+text("cooking")+"\n"+breaks+"prompt\n"+text("second")+"\nstop end_turn", shares())
		c.until("The turn failed: The server was restarted.")
		require.Equal(t, "Failed: Turnwire", c.m.View().WindowTitle)
		c.press(`"go"`, "enter")
		c.until("second")
	})
}

func TestAPromptWaitsForAnotherClientsTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startChat(t, atServer+begins+text("cooking")+"\n"+askedToEdit+"\n"+ends+"prompt\n"+text("second")+"\nstop end_turn", shares())
		c.until("Allow?  [y]es, once")
		require.Equal(t, tea.ProgramStateBlocked, c.m.View().ProgramStatus.State)
		c.press(`"quite"`, "enter")
		require.Contains(t, c.screen(), "⏵ quite  (Up edits it, Ctrl-S cancels and sends)")
		c.wait(time.Second)
		c.press(`"y"`)
		c.until("second")
		require.NotContains(t, c.screen(), "⏵")
	})
}

func TestEscapeCancelsAnotherClientsTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startChat(t, atServer+begins+text("cooking")+"\ncancel\n"+
			`update {"sessionUpdate":"turn_complete","sentBy":{"clientId":"c2"},"stopReason":"cancelled"}`+"\nprompt\n"+text("second")+"\nstop end_turn", shares())
		c.until("cooking")
		require.Equal(t, "Working: Turnwire", c.m.View().WindowTitle)
		c.press("esc")
		c.until("■ cancelled")
		require.Equal(t, "session/cancel\n", c.agent.answers())
		c.press(`"go"`, "enter")
		c.until("second")
		c.until("done in")
	})
}

func TestThePromptGoesIntoAnotherClientsTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startChat(t, canSteer+atServer+begins+text("cooking")+"\n"+inject+text("salted")+"\n"+ends+"hang", shares())
		c.until("cooking")
		c.press(`"salt"`, "ctrl+s")
		c.until("done in")
		require.Contains(t, c.screen(), "cooking\n\n> salt\n\nsalted")
	})
}

func TestACancelDoesNotReachTheNextClientsTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startChat(t, atServer+"prompt\n"+text("cooking")+"\n"+begins+"cancel\nstop cancelled\n"+askedToEdit+"\n"+ends+"prompt\n"+text("second")+"\nstop end_turn", shares())
		c.press(`"go"`, "enter")
		c.until("cooking")
		c.press("esc")
		c.until("Allow?  [y]es, once")
		c.press(`"later"`, "enter")
		require.Contains(t, c.screen(), "⏵ later", "the other turn runs")
		c.wait(time.Second)
		c.press(`"y"`)
		c.until("second")
		require.Contains(t, c.agent.answers(), `"optionId":"o"`)
	})
}

func TestARunningTurnIsKnownWhenTheSessionOpens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startChat(t, `session {"sessionId":"s1","_meta":{"turnwire.dev/turns":1}}`+"\nunprompted\n"+text("cooking")+"\n"+ends+"hang", shares())
		c.until("cooking")
		c.until("done in")
		require.Equal(t, "Done: Turnwire", c.m.View().WindowTitle)
	})
}

func TestTurnsInTheHistoryAreOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := openChat(t, "unprompted\nhang", shares())
		for _, line := range []string{begins, ends, begins, breaks, begins} {
			c.update(messages{decoded([]byte(strings.TrimPrefix(line, "update ")))})
		}
		c.until("scripted")
		require.Equal(t, 1, strings.Count(c.screen(), "The turn failed: The server was restarted."))
		require.NotContains(t, c.screen(), "done in")
		require.Equal(t, "Turnwire", c.m.View().WindowTitle)
	})
}

func TestAnotherClientsAnswerIsShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startChat(t, atServer+begins+"ask "+strings.TrimPrefix(askedToEdit, "permission ")+"\n"+
			`update {"sessionUpdate":"permission_resolved","toolCallId":"c1","optionId":"o","resolvedBy":{"clientId":"c2","name":"Phone"}}`+"\nwithdraw\n"+ends+"hang", shares())
		c.until("answered by Phone")
		require.NotContains(t, c.screen(), "withdrawn")
	})
}

// The reason for which a turn ended says that nobody needs to answer any more.
func TestAnInterruptedTurnNeedsNoWithdrawals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startChat(t, atServer+begins+"ask "+strings.TrimPrefix(askedToEdit, "permission ")+"\n"+breaks+"withdraw\nprompt\n"+text("second")+"\nstop end_turn", shares())
		c.until("The turn failed: The server was restarted.")
		c.press(`"go"`, "enter")
		c.until("second")
		require.NotContains(t, c.screen(), "withdrawn")
		require.NotContains(t, c.screen(), "Allow?")
	})
}

func TestTheUsersInterruptedTurnHasOneReason(t *testing.T) {
	for _, begun := range []string{"", `session {"sessionId":"s1","_meta":{"turnwire.dev/turns":0}}` + "\n"} {
		synctest.Test(t, func(t *testing.T) {
			c := startChat(t, begun+"ask "+strings.TrimPrefix(askedToEdit, "permission ")+"\n"+breaks+"withdraw\n"+
				`fail {"code":-32603,"message":"The server was restarted."}`+"\nhang", shares())
			c.press(`"go"`, "enter")
			c.until("✗ The server was restarted.")
			require.NotContains(t, c.screen(), "withdrawn")
			require.Equal(t, 1, strings.Count(c.screen(), "The server was restarted."))
		})
	}
}

func TestARestartDoesNotRepeatTheMode(t *testing.T) {
	const mode = `update {"sessionUpdate":"current_mode_update","currentModeId":"%s"}` + "\n"
	synctest.Test(t, func(t *testing.T) {
		c := startChat(t, `session {"sessionId":"s1","modes":{"currentModeId":"ask","availableModes":[{"id":"ask","name":"Ask"},{"id":"do","name":"Do it"}]},"_meta":{"turnwire.dev/turns":0}}`+"\nunprompted\n"+
			begins+breaks+fmt.Sprintf(mode, "ask")+fmt.Sprintf(mode, "do")+fmt.Sprintf(mode, "do")+"hang", shares())
		c.until("mode: do")
		require.NotContains(t, c.screen(), "mode: ask")
		require.Equal(t, 1, strings.Count(c.screen(), "mode: do"))
	})
}

// A request outside a turn has nothing to cancel, so Escape must not cancel the next
// prompt.
func TestEscapeRefusesARequestOutsideATurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startChat(t, atServer+askedToEdit+"\nprompt\n"+text("second")+"\nstop end_turn", shares())
		c.until("Allow?  [y]es, once")
		c.press("esc")
		c.until("not allowed")
		c.wait(time.Second) // until the agent has read it: it expects the prompt after it
		c.press(`"go"`, "enter")
		c.until("done in")
		require.Contains(t, c.agent.answers(), `"outcome":"cancelled"`)
		require.False(t, c.m.turn.cancelled)
	})
}

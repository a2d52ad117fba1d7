package terminal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"
)

func TestEscapePausesTheQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startChat(t, "cancel\nstop cancelled\nprompt\n"+text("first")+"\nstop end_turn\nprompt\n"+text("second")+"\nstop end_turn", Options{})
		c.press(`"go"`, "enter", `"next"`, "enter", `"later"`, "enter", "esc")
		c.until("■ cancelled")
		c.wait(time.Minute)
		require.Contains(t, c.screen(), "⏵ next\n⏵ later  (paused: Enter sends, Up edits it)")
		c.press("enter")
		c.until("second")
		require.NotContains(t, c.screen(), "⏵")
	})
}

func TestAFailedTurnPausesTheQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startChat(t, `fail {"code":-32603,"message":"out of tea"}`+"\nprompt\n"+text("better")+"\nstop end_turn", Options{})
		c.press(`"go"`, "enter", `"next"`, "enter")
		c.until("out of tea")
		c.wait(time.Minute)
		require.Contains(t, c.screen(), "⏵ next  (paused")
		require.Equal(t, "Failed: Turnwire", c.m.View().WindowTitle)
		c.press("enter")
		c.until("better")
	})
}

func TestTheTimeOfATurnExcludesTheUsers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startChat(t, askedToEdit+"\n"+text("thanks")+"\nstop end_turn", Options{})
		c.press(`"go"`, "enter")
		c.until("Allow?  [y]es, once")
		require.Equal(t, "Waiting: Turnwire", c.m.View().WindowTitle)
		require.Equal(t, tea.ProgramStateBlocked, c.m.View().ProgramStatus.State)
		c.wait(5 * time.Minute)
		c.press(`"y"`)
		c.until("done in")
		require.Regexp(t, `done in \d+ ms`, c.screen())
		require.Equal(t, "Done: Turnwire", c.m.View().WindowTitle)
	})
}

func TestTheChatHasCommandsOfItsOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startChat(t, `update {"sessionUpdate":"available_commands_update","availableCommands":[{"name":"help","description":"The agent's own"}]}`+
			"\nstop end_turn\nprompt\n"+text("from the agent")+"\nstop end_turn", Options{})
		c.press(`"/he"`)
		require.Contains(t, c.screen(), "› /help")
		c.press("tab", "enter")
		require.Contains(t, c.screen(), "Ctrl-G              write the prompt in your editor")
		c.press(`"go"`, "enter")
		c.until("done in")
		c.press(`"/help"`, "enter")
		c.until("from the agent")
		c.press(`"/mode"`, "enter")
		require.Contains(t, c.screen(), "the agent offers no mode to choose")
		c.press(`"/export"`, "enter")
		require.Contains(t, c.screen(), "this session is not saved")
		c.press(`"/quit"`)
		c.m.menu = nil
		_, cmd := c.m.Update(tea.KeyPressMsg{Code: tea.KeyEnter})
		require.Equal(t, tea.QuitMsg{}, cmd())
	})
}

func TestASessionIsExported(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		exported := ""
		c := startChat(t, text("ready")+"\nstop end_turn", Options{Chat: ChatOptions{Export: func(session string) (string, error) {
			exported = session
			return "talk.md", nil
		}}})
		c.press(`"/export"`, "enter")
		c.until("saved as talk.md")
		require.Equal(t, "s1", exported)
	})
}

func TestTheUserRunsACommand(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shell := func(ctx context.Context, command string) (string, int, error) {
			if command == "sleep" {
				<-ctx.Done()
				return "", 0, errors.New("killed")
			}
			return "output of " + command + "\x1b[2J\n", 3, nil
		}
		c := startChat(t, text("ready")+"\nstop end_turn", Options{Chat: ChatOptions{Shell: shell}})
		c.press(`"!make tea"`, "enter")
		c.until("exit code 3")
		require.Contains(t, c.screen(), "$ make tea\n    output of make tea\n")
		c.press(`"!sleep"`, "enter", `"!again"`, "enter")
		c.until("another command is running: Esc ends it")
		c.press("esc")
		c.until("killed")
		require.Empty(t, c.agent.answers())
	})
}

func TestCutOutputIsShownWhole(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var output strings.Builder
		for i := range 5000 {
			fmt.Fprintf(&output, "row %d\\n", i)
		}
		call := `update {"sessionUpdate":"tool_call","toolCallId":"c0","title":"Count","kind":"execute","status":"completed","content":[{"type":"content","content":{"type":"text","text":"` + output.String() + `"}}]}`
		c := startChat(t, call+"\nstop end_turn", Options{})
		c.press("ctrl+o")
		require.Contains(t, c.screen(), "nothing was cut")
		c.press(`"go"`, "enter")
		c.until("done in")
		require.Contains(t, c.screen(), "more lines")
		require.NotContains(t, c.screen(), "row 2500")
		c.press("ctrl+o")
		require.Contains(t, c.screen(), "row 20\n")
		require.Contains(t, c.screen(), "Count  / searches, Esc closes")
		c.press(`"/"`, `"row 2500"`)
		require.Contains(t, c.screen(), "row 2500")
		c.press("esc", `"G"`)
		require.Contains(t, c.screen(), "row 4999")
		require.NotContains(t, c.screen(), "row 2500")
		c.press("esc")
		require.Contains(t, c.screen(), "done in")
	})
}

func TestTheConversationStaysInTheTerminal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		again := func(session string) string { return "turnwire chat --resume " + session }
		c := startChat(t, text("an answer")+"\nstop end_turn", Options{Chat: ChatOptions{Again: again}})
		c.press(`"go"`, "enter")
		c.until("done in")
		var out bytes.Buffer
		require.NoError(t, c.m.printed(&out))
		require.Contains(t, ansi.Strip(out.String()), "> go\n\nan answer\n")
		require.NotContains(t, out.String(), "Continue with", "this agent's sessions can't be loaded")
		c.m.initialized.Capabilities.LoadSession = true
		out.Reset()
		require.NoError(t, c.m.printed(&out))
		require.True(t, strings.HasSuffix(ansi.Strip(out.String()), "\nContinue with: turnwire chat --resume s1\n"), out.String())
		c.m.switched = true
		out.Reset()
		require.NoError(t, c.m.printed(&out))
		require.Empty(t, out.String())
	})
}

func TestPromptsOfEarlierSessionsAreRecalled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var saved []string
		c := startChat(t, "stop end_turn", Options{Chat: ChatOptions{
			Earlier: []string{"oldest", "older"}, Remember: func(prompt string) { saved = append(saved, prompt) },
		}})
		c.press("up")
		c.until("│ older")
		c.press("up")
		c.until("│ oldest")
		c.press("enter")
		c.until("done in")
		require.Equal(t, []string{"oldest"}, saved)
	})
}

func TestAQuestionRingsTheBell(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startChat(t, text("ready")+"\nstop end_turn", Options{})
		require.Equal(t, tea.RawMsg{Msg: "\a"}, c.m.notify(waitsForAnswer)())
		c.update(tea.BlurMsg{})
		require.Equal(t, tea.RawMsg{Msg: "\a\x1b]9;Turnwire: The agent waits for your answer.\x1b\\"}, c.m.notify(waitsForAnswer)())
		c.m.opts.Chat.Notification = NotifyOSC777
		require.Equal(t, tea.RawMsg{Msg: "\a\x1b]777;notify;Turnwire;The agent waits for your answer.\x1b\\"}, c.m.notify(waitsForAnswer)())
		c.update(tea.FocusMsg{})
		c.press(`"go"`, "enter")
		c.until("done in")
		require.Nil(t, c.m.notify(turnOver), "a short turn")
		c.wait(time.Minute)
		require.Equal(t, tea.RawMsg{Msg: "\a"}, c.m.notify(turnOver)())
	})
}

func TestTheLastAnswerIsCopied(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startChat(t, text("**first**")+"\nstop end_turn", Options{})
		c.press("ctrl+y")
		require.Contains(t, c.screen(), "there is no answer to copy")
		c.press(`"go"`, "enter")
		c.until("done in")
		require.Equal(t, tea.SetClipboard("**first**")(), c.m.copyAnswer()())
	})
}

func TestTheEditorsTextIsTheInput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startChat(t, "stop end_turn", Options{})
		require.Nil(t, c.m.openEditor())
		require.Contains(t, c.screen(), "set VISUAL or EDITOR")
		c.update(&edited{text: "two\nlines"})
		require.Contains(t, c.screen(), "│ two")
		c.update(&edited{err: errors.New("vi: not found")})
		require.Contains(t, c.screen(), "the editor failed: vi: not found")
		require.Contains(t, c.screen(), "│ two")
	})
}

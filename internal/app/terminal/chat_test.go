package terminal

import (
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/internal/textwidth"
)

// A chatting is a chat with a scripted agent, step by step and in virtual time.
type chatting struct {
	t     *testing.T
	m     *chat
	agent *scriptedAgent
	todo  chan tea.Msg
	begun sync.WaitGroup // the running commands, including the blinking cursor
}

// startChat starts a chat and waits until the agent is ready.
func startChat(t *testing.T, script string, opts Options) *chatting {
	t.Helper()
	c := openChat(t, script, opts)
	c.until("scripted")
	return c
}

// openChat starts a chat without waiting for the agent.
func openChat(t *testing.T, script string, opts Options) *chatting {
	t.Helper()
	stream, in, out := pipes()
	c := &chatting{t: t, agent: newScriptedAgent(in, out, script), todo: make(chan tea.Msg)}
	done := make(chan struct{})
	go func() {
		defer close(done)
		c.agent.run()
	}()
	if opts.Cwd == "" {
		opts.Cwd = t.TempDir()
	}
	client := newClient(t.Context(), stream, slog.New(slog.DiscardHandler))
	t.Cleanup(func() {
		client.close()
		<-done
		c.begun.Wait()
	})
	c.m = newChat(&conversation{client: client}, &opts)
	c.begun.Go(func() { c.m.talk.converse(opts) })
	c.do(c.m.Init())
	c.update(tea.WindowSizeMsg{Width: 60, Height: 24})
	return c
}

// do runs a command outside the loop, like bubbletea.
func (c *chatting) do(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	c.begun.Go(func() {
		select {
		case c.todo <- cmd():
		case <-c.t.Context().Done():
		}
	})
}

func (c *chatting) update(msg tea.Msg) {
	if batch, ok := msg.(tea.BatchMsg); ok {
		for _, cmd := range batch {
			c.do(cmd)
		}
		return
	}
	_, cmd := c.m.Update(msg)
	c.do(cmd)
}

// until waits until the screen shows a text.
func (c *chatting) until(text string) {
	c.t.Helper()
	limit := time.After(30 * time.Second)
	for !strings.Contains(c.screen(), text) {
		select {
		case msg := <-c.todo:
			c.update(msg)
		case <-limit:
			require.FailNow(c.t, "not shown", "%q in\n%s", text, c.screen())
		}
	}
}

// wait lets time pass.
func (c *chatting) wait(d time.Duration) {
	for limit := time.After(d); ; {
		select {
		case msg := <-c.todo:
			c.update(msg)
		case <-limit:
			return
		}
	}
}

func (c *chatting) screen() string { return ansi.Strip(c.m.View().Content) }

// press presses keys: names such as "enter", or quoted texts.
func (c *chatting) press(keys ...string) {
	codes := map[string]tea.Key{
		"enter": {Code: tea.KeyEnter}, "esc": {Code: tea.KeyEscape}, "up": {Code: tea.KeyUp}, "down": {Code: tea.KeyDown},
		"tab": {Code: tea.KeyTab}, "pgup": {Code: tea.KeyPgUp}, "backspace": {Code: tea.KeyBackspace},
		"shift+tab": {Code: tea.KeyTab, Mod: tea.ModShift}, "ctrl+c": {Code: 'c', Mod: tea.ModCtrl}, "ctrl+f": {Code: 'f', Mod: tea.ModCtrl},
		"ctrl+o": {Code: 'o', Mod: tea.ModCtrl}, "ctrl+t": {Code: 't', Mod: tea.ModCtrl}, "ctrl+y": {Code: 'y', Mod: tea.ModCtrl}, "ctrl+s": {Code: 's', Mod: tea.ModCtrl}, "ctrl+r": {Code: 'r', Mod: tea.ModCtrl}, "alt+enter": {Code: tea.KeyEnter, Mod: tea.ModAlt},
	}
	for _, k := range keys {
		if code, ok := codes[k]; ok {
			c.update(tea.KeyPressMsg(code))
			continue
		}
		for _, r := range strings.Trim(k, `"`) {
			c.update(tea.KeyPressMsg{Code: r, Text: string(r)})
		}
	}
}

func text(s string) string {
	return fmt.Sprintf(`update {"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":%q}}`, s)
}

func TestAChatHasManyTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startChat(t, text("**first** answer")+"\nstop end_turn\nprompt\n"+text("second")+"\nstop end_turn", Options{})
		require.Contains(t, c.screen(), "Enter sends")
		c.press(`"hello"`, "enter")
		c.until("first answer")
		c.until("done in")
		c.press(`"a line"`, "alt+enter", `"and more"`, "enter")
		c.until("second")
		require.Contains(t, c.screen(), "> hello")
		require.Contains(t, c.screen(), "> a line\n> and more")
		require.Contains(t, c.agent.answers(), `"text":"a line\nand more"`)
		c.press("up")
		c.until("│ a line")
		c.press("up", "up")
		c.until("│ hello")
		c.press("down")
		c.until("│ a line")
	})
}

func TestPromptsWaitForTheEndOfATurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startChat(t, "cancel\nstop cancelled\nprompt\nstop end_turn\nprompt\nstop end_turn", Options{})
		c.press(`"go"`, "enter", `"next"`, "enter", `"later"`, "enter")
		require.Contains(t, c.screen(), "⏵ next\n⏵ later  (Up edits it")
		c.press("up", `"!"`)
		require.Contains(t, c.screen(), "│ later!")
		require.NotContains(t, c.screen(), "⏵ later")
		c.press("enter")
		c.press("ctrl+s")
		c.until("■ cancelled")
		c.until("> later!")
		require.Less(t, strings.Index(c.screen(), "> next"), strings.Index(c.screen(), "> later!"))
	})
}

const askedToEdit = `permission {"sessionId":"s1","toolCall":{"toolCallId":"c1","title":"Edit a.txt","kind":"edit"},"options":[{"optionId":"o","name":"Allow","kind":"allow_once"},{"optionId":"n","name":"No","kind":"reject_once"}]}`

func TestAPromptWaitsUntilTheAgentIsReady(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := openChat(t, text("early answer")+"\nstop end_turn\nprompt\n"+text("later answer")+"\nstop end_turn", Options{})
		require.Contains(t, c.screen(), "starting…")
		c.press(`"hello"`, "enter", `"more"`, "enter")
		require.Contains(t, c.screen(), "⏵ hello")
		require.Contains(t, c.screen(), "⏵ more  (sent when the agent is ready, Up edits it)")
		c.until("early answer")
		c.until("later answer")
		require.NotContains(t, c.screen(), "⏵")
	})
}

func TestAChatAsksForPermission(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startChat(t, askedToEdit+"\n"+text("thanks")+"\n"+askedToEdit+"\nstop end_turn", Options{})
		c.press(`"go"`, "enter")
		c.until("Allow?  [y]es, once")
		require.NotContains(t, c.screen(), "Enter sends", "keys are answers now")
		c.press(`"y"`)
		c.until("thanks")
		c.until("[n]o")
		c.press(`"n"`)
		c.until("done in")
		require.Equal(t, `{"outcome":{"outcome":"selected","optionId":"o"}}`+"\n"+`{"outcome":{"outcome":"selected","optionId":"n"}}`+"\n", c.agent.answers())
	})
}

func TestEscapeRefusesAndCancels(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startChat(t, strings.Replace(askedToEdit, "permission", "ask", 1)+"\ncancel\nanswer\nstop cancelled", Options{})
		c.press(`"go"`, "enter")
		c.until("Allow?")
		c.press("esc")
		c.until("■ cancelled")
		require.Equal(t, "session/cancel\n"+`{"outcome":{"outcome":"cancelled"}}`+"\n", c.agent.answers())
	})
}

func TestModesAndOptionsAreChosen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const option = `{"id":"model","name":"Model","category":"model","type":"select","currentValue":"%s","options":[{"value":"s","name":"Small"},{"value":"l","name":"Large"}]}`
		c := startChat(t, `session {"sessionId":"s1","modes":{"currentModeId":"ask","availableModes":[{"id":"ask","name":"Ask"},{"id":"do","name":"Do it"}]},"configOptions":[`+
			fmt.Sprintf(option, "s")+"]}\n"+text("ready")+"\nrespond session/set_config_option {\"configOptions\":["+fmt.Sprintf(option, "l")+"]}\nrespond session/set_mode {}\nstop end_turn", Options{})
		require.Contains(t, c.screen(), "scripted · Ask · Small")
		c.press(`"go"`, "enter")
		c.until("ready")
		c.press("ctrl+t", `"large"`)
		require.Contains(t, c.screen(), "› Model: Large")
		require.NotContains(t, c.screen(), "Mode: Ask")
		c.press("enter")
		c.until("Ask · Large")
		c.press("shift+tab")
		c.until("Do it · Large")
		require.Contains(t, c.agent.answers(), `{"sessionId":"s1","configId":"model","value":"l"}`)
		require.Contains(t, c.agent.answers(), `{"sessionId":"s1","modeId":"do"}`)
	})
}

func TestCommandsAndFilesAreCompleted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cwd := t.TempDir()
		for _, name := range []string{"notes.md", "sub/deep.md", ".hidden/no.md"} {
			require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(cwd, name)), 0o700))
			require.NoError(t, os.WriteFile(filepath.Join(cwd, name), []byte("what is in it"), 0o600))
		}
		c := startChat(t, `update {"sessionUpdate":"available_commands_update","availableCommands":[{"name":"test","description":"Run tests"},{"name":"plan","description":"Make a plan"}]}`+
			"\nstop end_turn\nprompt\nstop end_turn\nprompt\n"+text("read it")+"\nstop end_turn", Options{Cwd: cwd})
		c.press(`"go"`, "enter")
		c.until("done in")
		c.press(`"/"`)
		require.Contains(t, c.screen(), "› /test")
		c.press("down", "tab", `"it"`, "enter")
		c.until("> /plan it")
		c.until("done in")
		c.press(`"see @eep"`)
		require.Contains(t, c.screen(), "› sub/deep.md")
		require.NotContains(t, c.screen(), "no.md")
		c.press("enter")
		require.Contains(t, c.screen(), "see @sub/deep.md")
		c.press("enter")
		c.until("  + sub/deep.md")
		require.NotContains(t, c.screen(), "what is in it")
		c.until("read it")
		require.Contains(t, c.agent.answers(), `"text":"what is in it"`)
	})
}

func TestTheConversationCanBeSearched(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var script strings.Builder
		for i := range 200 {
			fmt.Fprintln(&script, text(fmt.Sprintf("line %d\n\n", i)))
		}
		script.WriteString("stop end_turn")
		c := startChat(t, script.String(), Options{})
		c.press(`"go"`, "enter")
		c.until("done in")
		require.NotContains(t, c.screen(), "line 17\n")
		c.press("ctrl+f", `"LINE 1"`)
		require.Contains(t, c.screen(), "line 199")
		c.press(`"7"`)
		require.Contains(t, c.screen(), "line 179")
		c.press("enter", "enter", "enter", "enter", "enter", "enter", "enter", "enter", "enter", "enter")
		require.Contains(t, c.screen(), "line 17\n")
		require.NotContains(t, c.screen(), "line 199")
		c.press(`"x"`)
		require.Contains(t, c.screen(), "not found")
		c.press("esc", "esc")
		require.Contains(t, c.screen(), "line 199")
		c.press("pgup")
		require.Contains(t, c.screen(), "Ctrl-End goes to the end")
	})
}

func TestAnotherSessionIsChosen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		left := "none"
		c := startChat(t, text("ready")+"\nstop end_turn", Options{Leave: func(session, _ string) { left = session }})
		c.press("ctrl+r")
		c.until("list saved sessions")
		c.m.initialized.Capabilities.LoadSession, c.m.initialized.Capabilities.Sessions.List = true, new(struct{})
		now := time.Now()
		sessions := &listed{sessions: []v1.SessionInfo{
			{SessionID: "tea", Cwd: c.m.opts.Cwd, Title: "About\ttea", UpdatedAt: now.Add(-3 * time.Hour).Format(time.RFC3339)},
			{SessionID: "s1", Cwd: c.m.opts.Cwd, UpdatedAt: now.Format(time.RFC3339)},
			{SessionID: "far", Cwd: "/elsewhere", Title: "Far away"},
		}}
		c.update(messages{sessions})
		require.Regexp(t, `› New session\s+About tea\s+3 h ago\s+s1 ✓ just now`, c.screen())
		require.NotContains(t, c.screen(), "Far away")
		c.press("esc")
		require.NotContains(t, c.screen(), "New session")
		c.update(messages{sessions})
		c.press(`"tea"`)
		_, cmd := c.m.Update(tea.KeyPressMsg{Code: tea.KeyEnter})
		require.Equal(t, tea.QuitMsg{}, cmd())
		require.Equal(t, "tea", left)
		c.press(`"go"`, "enter", "ctrl+r")
		c.until("a turn is running: cancel it")
	})
}

func TestLeavingTakesTwoInterrupts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startChat(t, "stop end_turn", Options{})
		c.press(`"draft"`, "ctrl+c")
		require.NotContains(t, c.screen(), "draft")
		c.press("ctrl+c")
		require.Contains(t, c.screen(), "press Ctrl-C again to quit")
		_, cmd := c.m.Update(tea.KeyPressMsg{Code: 'c', Mod: tea.ModCtrl})
		require.Equal(t, tea.QuitMsg{}, cmd())
	})
}

// Whatever happens, the screen is as large as the terminal.
func TestTheScreenFitsTheTerminal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		keys := []string{"enter", "esc", "up", "down", "tab", "pgup", "ctrl+f", "ctrl+o", "ctrl+t", "shift+tab", `"/help"`, `"/"`, `"@"`, `"some text that is longer than a row of the screen"`, `"漢字"`, "alt+enter", `"y"`}
		script := strings.Repeat(text("# A heading\n\n| a table | that is wide |\n|---|---|\n| 漢字漢字漢字漢字漢字漢字 | `code` |\n\n```\n"+strings.Repeat("long ", 60)+"\n```\n")+"\n", 4) +
			`update {"sessionUpdate":"tool_call","toolCallId":"c0","title":"Run ` + strings.Repeat("a very long command ", 20) + `","status":"in_progress"}` + "\n" +
			strings.Replace(askedToEdit, "permission", "ask", 1) + "\nhang"
		for seed := range uint64(20) {
			r := rand.New(rand.NewPCG(seed, 7))
			c := startChat(t, script, Options{Colour: seed%2 == 0, Plain: seed%3 == 0})
			c.press(`"go"`, "enter")
			c.until("Allow?")
			for range 60 {
				if r.IntN(4) == 0 {
					c.update(tea.WindowSizeMsg{Width: r.IntN(120), Height: r.IntN(50)})
				} else {
					c.press(keys[r.IntN(len(keys))])
				}
				rows := strings.Split(c.m.View().Content, "\n")
				require.Len(t, rows, c.m.height)
				for _, row := range rows {
					require.LessOrEqual(t, textwidth.Width(row), c.m.width, "%q", row)
				}
			}
		}
	})
}

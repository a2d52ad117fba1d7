package agui_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/agui"
	"github.com/turnwire/turnwire/internal/agent/tools"
)

// uses returns the events of a call of one of Turnwire's tools.
func uses(id, name, args string) string {
	quoted, _ := json.Marshal(args) // a string
	return strings.Join([]string{
		`{"type":"TOOL_CALL_START","toolCallId":"` + id + `","toolCallName":"` + name + `"}`,
		`{"type":"TOOL_CALL_ARGS","toolCallId":"` + id + `","delta":` + string(quoted) + `}`,
		`{"type":"TOOL_CALL_END","toolCallId":"` + id + `"}`,
	}, "\n\ndata: ")
}

// handed opens a session of an agent that may use tools, in a folder with the file a.
func (h *host) handed() (*conversation, string) {
	dir, err := filepath.EvalSymlinks(h.t.TempDir())
	require.NoError(h.t, err)
	require.NoError(h.t, os.WriteFile(filepath.Join(dir, "a"), []byte("one"), 0o600))
	return open(h.t, agui.Config{Tools: offered(h.t)}, h.URL, agent.Options{Cwd: dir}), dir
}

func offered(t *testing.T) []agent.OfferedTool {
	list, err := tools.Named([]string{tools.ReadFile, tools.WriteFile, tools.UpdatePlan})
	require.NoError(t, err)
	return list
}

func TestAServerUsesTurnwiresTools(t *testing.T) {
	h := newHost(t,
		run(textEvents("m1", "Look."), uses("c1", "read_file", `{"path":"a"}`), finished),
		run(uses("c2", "write_file", `{"path":"a","content":"two"}`), uses("c3", "update_plan", `{"entries":[]}`), finished),
		run(textEvents("m3", "Done."), finished))
	s, dir := h.handed()
	s.prompt("go")
	var asked *agent.ConfirmationRequested
	lines := s.Until(func(e agent.Event) bool {
		c, ok := e.(*agent.ConfirmationRequested)
		asked = c
		return ok
	})
	require.Contains(t, lines[0], tools.Notice(offered(t)))
	require.Equal(t, "c2", asked.ToolCallID)
	require.Equal(t, "two", asked.Diffs[0].NewText)
	s.Decide(asked.ConfirmationID, "c2", agent.AllowOnce)
	lines = append(lines, s.UntilEnd()...)
	require.Equal(t, `{"type":"done","text":""}`, lines[len(lines)-1])
	starts := slices.DeleteFunc(lines, func(line string) bool { return !strings.Contains(line, `"tool_start"`) })
	require.Len(t, starts, 2, "a call starts once: %v", starts)
	text, err := os.ReadFile(filepath.Join(dir, "a"))
	require.NoError(t, err)
	require.Equal(t, "two", string(text))

	require.Len(t, h.input()["tools"], 3)
	require.JSONEq(t, `[{"role":"user","content":"go"},
		{"role":"assistant","content":"Look.","toolCalls":[{"id":"c1","type":"function","function":{"name":"read_file","arguments":"{\"path\":\"a\"}"}}]},
		{"role":"tool","toolCallId":"c1","content":"one"}]`, h.messages())
	require.Contains(t, h.messages(), `"content":"Changed a: it has 3 bytes now."`)

	h.runs <- run(textEvents("m4", "Bye."), finished)
	require.NotContains(t, strings.Join(s.answered("again"), "\n"), "without asking", "it was said before")
	require.Contains(t, h.messages(), "go")

	h.runs <- run(textEvents("m5", "Hi."), finished)
	continued := open(t, agui.Config{Tools: offered(t)}, h.URL, recalling(s.state, ""))
	require.Contains(t, strings.Join(continued.answered("later"), "\n"), "without asking", "the session was reopened, perhaps by another user")
}

func TestAServerLearnsWhichChangesWereRefused(t *testing.T) {
	h := newHost(t,
		run(uses("c1", "write_file", `{"path":"a","content":"two\nthree\n"}`), finished),
		run(textEvents("m2", "Done."), finished))
	s, dir := h.handed()
	s.prompt("go")
	var asked *agent.ConfirmationRequested
	s.Until(func(e agent.Event) bool {
		c, ok := e.(*agent.ConfirmationRequested)
		asked = c
		return ok
	})
	require.True(t, asked.Partial)
	s.Confirm(agent.ConfirmationResponse{
		TurnID: s.Turn, ConfirmationID: asked.ConfirmationID, ToolCallID: "c1", Decision: agent.AllowOnce,
		Accepted: []agent.AcceptedText{{Path: asked.Diffs[0].Path, Text: "two\n"}},
	})
	s.UntilEnd()
	text, err := os.ReadFile(filepath.Join(dir, "a"))
	require.NoError(t, err)
	require.Equal(t, "two\n", string(text))
	h.input()
	require.Contains(t, h.messages(), `The user refused the rest of the change, so don't make it in another way:\n@@\n two\n+three\n`)
}

func TestACancelledToolEndsTheTurn(t *testing.T) {
	h := newHost(t, run(uses("c1", "write_file", `{"path":"a","content":"two"}`), finished), run(finished))
	s, dir := h.handed()
	s.prompt("go")
	s.awaitRequests(1)
	s.Stop()
	s.UntilEnd()
	text, err := os.ReadFile(filepath.Join(dir, "a"))
	require.NoError(t, err)
	require.Equal(t, "one", string(text))
	h.input()
	s.answered("again")
	require.Contains(t, h.messages(), `"toolCallId":"c1"`, "the call has a result all the same")
}

// A server can call only what it was offered. Its calls of other tools have no result.
func TestAToolThatWasNotOfferedDoesNotRun(t *testing.T) {
	h := newHost(t, run(uses("c1", "run_command", `{"command":"touch b"}`), finished))
	s, dir := h.handed()
	lines := strings.Join(s.answered("go"), "\n")
	require.Contains(t, lines, "no result: the server leaves this call to its client")
	require.NoFileExists(t, filepath.Join(dir, "b"))

	h.runs <- run(uses("c2", "read_file", `{"path":"a"}`), finished)
	require.Contains(t, strings.Join(h.open(agent.Options{}).answered("go"), "\n"), "no result", "it was offered nothing")
}

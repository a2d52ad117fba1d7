package claude_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/claude"
	"github.com/turnwire/turnwire/internal/agent/transport/child"
	"github.com/turnwire/turnwire/internal/agent/transport/process"
	"github.com/turnwire/turnwire/internal/test/agenttest"
)

// A standIn plays Claude Code in memory. A prompt says what it does:
//
//   - "say X" answers X;
//   - "tool X" asks whether it may run the command X, and runs it if it may;
//   - "print X" prints the line X, and ends the turn when it is answered;
//   - "hang" does nothing until it is interrupted, "stuck" not even then;
//   - "exit" exits.
//
// Everything that it reads is recorded.
type standIn struct {
	mu    sync.Mutex
	args  [][]string // of each process
	lines []string   // what the processes have read
}

// A fake is a process of the stand-in.
type fake struct {
	of     *standIn
	stdin  *io.PipeWriter
	stdout *io.PipeReader
	in     *io.PipeReader
	out    *io.PipeWriter
	done   chan struct{}
	once   sync.Once
}

func (f *fake) Stdin() io.WriteCloser { return f.stdin }
func (f *fake) Stdout() io.Reader     { return f.stdout }
func (f *fake) Done() <-chan struct{} { return f.done }
func (f *fake) StderrTail() string    { return "" }
func (f *fake) Close()                { f.Kill() }

func (f *fake) Kill() {
	f.once.Do(func() {
		_ = f.in.Close()
		_ = f.out.Close()
		close(f.done)
	})
}

func (f *fake) Stop(context.Context) child.ExitStatus {
	f.Kill()
	return child.ExitStatus{Code: 1}
}

func (s *standIn) start(spec child.Spec) (process.Child, error) {
	f := s.process(spec)
	go f.serve(spec.Args)
	return f, nil
}

func (s *standIn) process(spec child.Spec) *fake {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.args = append(s.args, spec.Args)
	f := &fake{of: s, done: make(chan struct{})}
	f.in, f.stdin = io.Pipe()
	f.stdout, f.out = io.Pipe()
	return f
}

func (f *fake) print(format string, args ...any) { _, _ = fmt.Fprintf(f.out, format+"\n", args...) }

func quote(s string) string {
	text, _ := json.Marshal(s)
	return string(text)
}

const (
	introduction = `{"type":"control_response","response":{"subtype":"success","request_id":"initialize","response":` +
		`{"commands":[],"models":[{"value":"default","resolvedModel":"big"},{"value":"small","resolvedModel":"little"}]}}}`
	begin       = `{"type":"system","subtype":"init","session_id":"own-1","model":"big","permissionMode":"default"}`
	end         = `{"type":"result","subtype":"success","is_error":false,"num_turns":1,"result":"","session_id":"own-1"}`
	interrupted = `{"type":"result","subtype":"error_during_execution","is_error":true,"num_turns":1,"session_id":"own-1","terminal_reason":"aborted_tools"}`
	request     = `{"type":"control_request","request_id":"r1","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{"command":%s,"n":12345678901234567890},` +
		`"tool_use_id":"t1","permission_suggestions":[{"type":"addRules","rules":[{"toolName":"Bash"}],"behavior":"allow","destination":"session"},` +
		`{"type":"setMode","mode":"acceptEdits","destination":"session"}]}}`
)

func (f *fake) serve(args []string) {
	defer f.Kill()
	if slices.Contains(args, "lost") {
		f.print(`{"type":"result","subtype":"error_during_execution","is_error":true,"num_turns":0,"errors":["No conversation found with session ID: lost"]}`)
		return
	}
	lines := bufio.NewScanner(f.in)
	what := ""
	for lines.Scan() {
		f.of.mu.Lock()
		f.of.lines = append(f.of.lines, lines.Text())
		f.of.mu.Unlock()
		var m struct {
			Type      string `json:"type"`
			RequestID string `json:"request_id"`
			Request   struct{ Subtype, Mode string }
			Message   struct{ Content []struct{ Text string } }
			Response  struct {
				Response struct{ Behavior, Message string }
			}
		}
		_ = json.Unmarshal(lines.Bytes(), &m)
		switch kind := m.Request.Subtype; {
		case m.Type == "user":
			what = m.Message.Content[0].Text
			f.print(begin)
			f.play(what)
		case kind == "initialize":
			f.print(introduction)
		case kind == "interrupt" && what != "stuck":
			f.print(`{"type":"control_response","response":{"subtype":"success","request_id":%q}}`, m.RequestID)
			f.print(interrupted)
		case kind == "set_permission_mode" && m.Request.Mode == "plan", kind == "set_model":
			f.print(`{"type":"control_response","response":{"subtype":"success","request_id":%q}}`, m.RequestID)
		case kind == "set_permission_mode":
			f.print(`{"type":"control_response","response":{"subtype":"error","request_id":%q,"error":"not now"}}`, m.RequestID)
		case m.Type == "control_response":
			result := m.Response.Response
			f.print(`{"type":"user","session_id":"own-1","message":{"content":[{"type":"tool_result","tool_use_id":"t1","is_error":%t,"content":%s}]}}`,
				result.Behavior != "allow", quote(result.Behavior+" "+result.Message))
			f.print(end)
		}
	}
}

// play begins what a prompt says.
func (f *fake) play(what string) {
	switch verb, rest, _ := strings.Cut(what, " "); verb {
	case "say":
		f.print(`{"type":"assistant","session_id":"own-1","message":{"id":"m1","content":[{"type":"text","text":%s}]}}`, quote(rest))
		f.print(end)
	case "tool":
		f.print(`{"type":"assistant","session_id":"own-1","message":{"id":"m1","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":%s}}]}}`, quote(rest))
		f.print(request, quote(rest))
	case "print":
		f.print("%s", rest)
	case "exit":
		f.Kill()
	}
}

// read returns the lines that contain a text.
func (s *standIn) read(text string) (found []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, line := range s.lines {
		if strings.Contains(line, text) {
			found = append(found, line)
		}
	}
	return found
}

type conversation struct {
	*agenttest.Conversation
	*standIn
	turns int
}

func open(t *testing.T, o agent.Options) *conversation {
	t.Helper()
	return openAs(t, claude.New, process.Config{}, o)
}

func openAs(t *testing.T, as func(process.Config) agent.Agent, c process.Config, o agent.Options) *conversation {
	t.Helper()
	s := new(standIn)
	o.SessionID, o.Cwd, c.Start = "s1", "/", s.start
	return &conversation{agenttest.Open(t, as(c), o, brief), s, 0}
}

func (c *conversation) prompt(text string) {
	c.T.Helper()
	c.turns++
	c.Send(agent.Prompt{SessionID: "s1", TurnID: fmt.Sprintf("turn-%d", c.turns), Text: text})
}

func (c *conversation) until(kind string) []string {
	c.T.Helper()
	return c.Until(func(e agent.Event) bool { return e.Type() == kind })
}

// decide answers the request r1 with an option.
func (c *conversation) decide(d agent.Decision, option string) {
	c.Confirm(agent.ConfirmationResponse{SessionID: "s1", TurnID: c.Turn, ConfirmationID: "r1", ToolCallID: "t1", Decision: d, OptionID: option})
}

// brief describes the events that the tests are about.
func brief(e agent.Event) string {
	switch e := e.(type) {
	case *agent.ToolEnd:
		return "end " + e.Result.String()
	case *agent.State:
		return "state " + string(e.State)
	case *agent.ConfirmationRequested:
		return "confirm " + e.ConfirmationID + e.Refusal
	case *agent.ModeChanged:
		return "mode " + e.ModeID
	case *agent.ModelChanged:
		return "model " + e.ModelID
	case *agent.OptionRefused:
		return "refused " + e.OptionID + ": " + e.Error
	case *agent.RunStart, *agent.Usage, *agent.ToolReady:
		return ""
	}
	return agenttest.Brief(e)
}

func (c *conversation) requireAnswer(want string) {
	c.T.Helper()
	answers := c.read(`"type":"control_response"`)
	require.Len(c.T, answers, 1)
	require.JSONEq(c.T, `{"type":"control_response","response":{"subtype":"success","request_id":"r1","response":`+want+`}}`, answers[0])
}

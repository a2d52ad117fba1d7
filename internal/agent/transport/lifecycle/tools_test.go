package lifecycle_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/tools"
	"github.com/turnwire/turnwire/internal/agent/transport/lifecycle"
)

// A handy agent uses Turnwire's tools. It prints the events of each turn, and stores the
// commands that it gets.
type handy struct {
	box    *tools.Box
	prints []agent.Event

	mu  sync.Mutex
	got []any
}

func (h *handy) Tools() *tools.Box { return h.box }

func (h *handy) Turn(ctx context.Context, t *lifecycle.Turn) error {
	stream := t.NewStream()
	defer stream.Close()
	for _, e := range h.prints {
		stream.Emit(e)
	}
	select {
	case <-t.Ended():
	case <-ctx.Done():
	}
	return nil
}

func (h *handy) Send(c lifecycle.Command) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.got = append(h.got, c.Line)
	return nil
}

func (h *handy) Close(context.Context) error { return nil }

// responses returns the answers to the agent's requests.
func (h *handy) responses() (list []agent.ToolResponse) {
	for _, c := range h.got {
		if r, ok := c.(agent.ToolResponse); ok {
			list = append(list, r)
		}
	}
	return list
}

// A reader receives a session's events.
type reader struct {
	agent.Session
	events []agent.Event
}

// play runs do with an agent that prints events in its first turn. The files are in the
// session's directory.
func play(t *testing.T, prints []agent.Event, do func(t *testing.T, dir string, h *handy, r *reader)) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a"), []byte("one"), 0o600))
	synctest.Test(t, func(t *testing.T) {
		h := &handy{box: tools.New(agent.Options{Cwd: dir}, tools.Limits{}), prints: prints}
		r := &reader{Session: lifecycle.NewLineSession(h, slog.New(slog.DiscardHandler))}
		received := make(chan struct{})
		go func() {
			defer close(received)
			for b := range r.Events() {
				for e := range b.Events() {
					r.events = append(r.events, e)
				}
				b.Release()
			}
		}()
		defer func() {
			require.NoError(t, r.Close(context.Background()))
			<-received
		}()
		prompt(t, r, "t")
		synctest.Wait()
		do(t, dir, h, r)
	})
}

// types returns the types of the received events of tools.
func (r *reader) types() (types []string) {
	for _, e := range r.events {
		if strings.HasPrefix(e.Type(), "tool_") && e.Type() != "tool_request" {
			types = append(types, e.Type())
		}
	}
	return types
}

func toolRequest(id, name, args string) agent.Event {
	return &agent.ToolRequested{ToolCallID: id, ToolName: name, Args: agent.Raw(args)}
}

func TestAToolRequestIsAnswered(t *testing.T) {
	play(t, []agent.Event{toolRequest("c1", tools.ReadFile, `{"path":"a"}`)}, func(t *testing.T, _ string, h *handy, r *reader) {
		require.Equal(t, []agent.ToolResponse{{Type: "tool_response", TurnID: "t", ToolCallID: "c1", OK: true, Text: "one"}}, h.responses())
		require.Equal(t, []string{"tool_start", "tool_end"}, r.types())
		for _, e := range r.events {
			require.Contains(t, []string{"", "t"}, e.Common().TurnID)
		}
	})
}

func TestAToolWaitsForConsent(t *testing.T) {
	write := toolRequest("c1", tools.WriteFile, `{"path":"a","content":"two"}`)
	for decision, want := range map[agent.Decision]string{agent.AllowOnce: "two", agent.RejectOnce: "one", "nonsense": "one"} {
		play(t, []agent.Event{write}, func(t *testing.T, dir string, h *handy, r *reader) {
			require.Empty(t, h.responses())
			r.Confirm(agent.ConfirmationResponse{TurnID: "t", ToolCallID: "c1", ConfirmationID: "c1", Decision: decision})
			synctest.Wait()
			require.Len(t, h.responses(), 1)
			require.Equal(t, decision == agent.AllowOnce, h.responses()[0].OK)
			require.Len(t, h.got, 1, "the agent must not see the decision")
			text, err := os.ReadFile(filepath.Join(dir, "a"))
			require.NoError(t, err)
			require.Equal(t, want, string(text))
		})
	}
}

func TestAToolDoesNothingAfterACancel(t *testing.T) {
	write := toolRequest("c1", tools.WriteFile, `{"path":"a","content":"two"}`)
	allow := agent.ConfirmationResponse{TurnID: "t", ToolCallID: "c1", ConfirmationID: "c1", Decision: agent.AllowOnce}
	part := allow
	part.Accepted = []agent.AcceptedText{{Path: "a", Text: "two"}}
	for name, race := range map[string]func(r *reader){
		"part after the cancel":    func(r *reader) { r.Cancel(agent.Cancel{TurnID: "t"}); r.Confirm(part) },
		"answer after the cancel":  func(r *reader) { r.Cancel(agent.Cancel{TurnID: "t"}); r.Confirm(allow) },
		"answer before the cancel": func(r *reader) { r.Confirm(allow); r.Cancel(agent.Cancel{TurnID: "t"}) },
		"abandoned":                func(r *reader) { r.Abandon("t"); r.Confirm(allow) },
	} {
		t.Run(name, func(t *testing.T) {
			play(t, []agent.Event{write}, func(t *testing.T, dir string, h *handy, r *reader) {
				race(r)
				synctest.Wait()
				text, err := os.ReadFile(filepath.Join(dir, "a"))
				require.NoError(t, err)
				done := false
				for _, response := range h.responses() {
					done = done || response.OK
					require.NotEqual(t, response.OK, response.Cancelled)
				}
				require.Equal(t, done, string(text) == "two")
				require.True(t, !done || name == "answer before the cancel")
			})
		})
	}
}

func TestToolRequestsThatCannotRunAreAnsweredWithAReason(t *testing.T) {
	many := []agent.Event{toolRequest("q", tools.AskUser, `{"question":"?"}`), toolRequest("q", tools.ReadFile, `{"path":"a"}`)}
	for i := range 16 {
		many = append(many, toolRequest(fmt.Sprintf("c%d", i), tools.AskUser, `{"question":"?"}`))
	}
	other := &agent.ToolRequested{ToolCallID: "o", ToolName: tools.ReadFile, Base: agent.Base{TurnID: "earlier"}}
	many = append(many, other, &agent.ToolRequested{ToolName: tools.ReadFile}, &agent.ToolRequested{ToolCallID: "r", Refusal: "it is malformed"})
	play(t, many, func(t *testing.T, _ string, h *handy, _ *reader) {
		var texts []string
		for _, r := range h.responses() {
			require.False(t, r.OK)
			texts = append(texts, r.ToolCallID+": "+r.Text)
		}
		require.Equal(t, []string{
			`q: Error: a tool with the id "q" is running`,
			"c15: Error: 16 tools are running, which is the limit",
			"o: Error: no turn is running",
			": Error: toolCallId is missing",
			"r: Error: it is malformed",
		}, texts)
	})
}

func TestAnAgentThatDidNotAskHasNoTools(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &handy{prints: []agent.Event{toolRequest("c", tools.ReadFile, `{}`)}}
		s := lifecycle.NewLineSession(h, slog.New(slog.DiscardHandler))
		prompt(t, s, "t")
		b := <-s.Events()
		require.Len(t, slices.Collect(b.Events()), 1)
		b.Release()
		require.Equal(t, `Error: the agent has no tools: it must set "tools" to true in agent_info`, h.responses()[0].Text)
		require.NoError(t, s.Close(t.Context()))
	})
}

func TestAToolEndsWithItsTurn(t *testing.T) {
	prints := []agent.Event{toolRequest("c", tools.AskUser, `{"question":"?"}`), &agent.Done{}}
	play(t, prints, func(t *testing.T, _ string, h *handy, r *reader) {
		require.Len(t, h.responses(), 1)
		require.True(t, h.responses()[0].Cancelled)
		require.Equal(t, "done", r.events[len(r.events)-1].Type(), "nothing follows the end of the turn")
	})
}

package agentb

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"sync"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/agentb/wire"
	"github.com/turnwire/turnwire/internal/agent/conversation"
	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
	"github.com/turnwire/turnwire/internal/agent/transport/lifecycle"
	"github.com/turnwire/turnwire/internal/agent/transport/runs"
)

// backend is one conversation: one thread on the server.
type backend struct {
	runs.Backend
	config Config

	// Used only by Turn.
	routes  []string // possible routes of the handler
	state   *wire.State
	decoder dialect.Decoder
	path    string // of the next request; "" for the handler
	body    request
	known   string // the thread that was continued; "" for none

	mu     sync.Mutex
	thread string // the server's id; "" before its first event
	turn   string // the id of the last turn
	run    string // the id of its run; "" before its first event
}

// A request starts a run, continues it with tool outputs, or cancels it.
type request struct {
	Prompt      string       `json:"prompt,omitempty"`
	RunID       string       `json:"runId,omitempty"`
	ThreadID    string       `json:"threadId,omitempty"`
	ToolOutputs []toolOutput `json:"toolOutputs,omitempty"`
}

type toolOutput struct {
	ToolCallID string `json:"tool_call_id"`
	Output     string `json:"output"`
}

// Turn implements [lifecycle.Backend].
func (b *backend) Turn(ctx context.Context, t *lifecycle.Turn) error { return b.Run(ctx, t, b) }

// Begin implements [runs.Conversation].
func (b *backend) Begin(t *lifecycle.Turn) {
	b.mu.Lock()
	b.turn, b.run = t.Prompt.TurnID, ""
	b.mu.Unlock()
	b.known = b.threadID()
	t.Keep(b.known) // in case the last turn ended with its first event
	b.state = wire.NewState(b.config.ToolOutputs != "", b.learn)
	b.decoder = wire.NewDecoder(b.state)
	b.path, b.body = "", request{Prompt: t.Prompt.Text, ThreadID: b.known}
}

// Phase implements [runs.Conversation].
func (b *backend) Phase(t *lifecycle.Turn) runs.Phase {
	if b.state.Over() {
		return runs.Ended // nothing more may be emitted
	}
	thread := b.threadID()
	t.Keep(thread)
	if b.known != "" && thread != b.known {
		t.Emit(&agent.Notice{
			Severity: "warning", Message: "AgentB's server no longer knows this conversation. A new one starts here.",
		})
	}
	if b.known = thread; b.state.Paused() {
		return runs.Ended
	}
	return runs.Running
}

// Next implements [runs.Conversation]. A run needs all of its outputs to continue, and the
// driver does not invent any.
func (b *backend) Next(ctx context.Context, t *lifecycle.Turn, failed error) (more bool, err error) {
	if cut, ok := errors.AsType[*httpsse.CutOffError](failed); ok {
		cut.Status = cmp.Or(b.state.Status(), cut.Status)
	}
	calls := b.state.TakePaused()
	if failed != nil || calls == nil {
		return false, failed
	}
	ids := make([]string, 0, len(calls))
	for _, c := range calls {
		ids = append(ids, c.ID)
	}
	answers, err := b.Answers.Wait(ctx, ids, conversation.Answer.IsCancelled)
	if err != nil || t.IsCancelled() {
		return false, err
	}
	body := b.runOf(t.Prompt.TurnID)
	for _, id := range ids {
		answer, ok := answers[id]
		if !ok || answer.IsCancelled() {
			for _, event := range wire.Unpaused(calls, "The run stays paused because its tool outputs were not provided.") {
				t.Emit(event)
			}
			return false, nil
		}
		body.ToolOutputs = append(body.ToolOutputs, toolOutput{id, answer.Response.Answer})
	}
	b.path, b.body = b.config.ToolOutputs, body
	return true, nil
}

// unknownThread is the id that the handler sends if it has no thread.
const unknownThread = "unknown"

// learn records the ids of the thread and the run.
func (b *backend) learn(run, thread string) {
	if thread == unknownThread {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.thread, b.run = thread, run
}

func (b *backend) threadID() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.thread
}

// runOf returns the run of a turn, if the server has named it.
func (b *backend) runOf(turn string) request {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.turn != turn {
		return request{} // it has not begun
	}
	return request{RunID: b.run, ThreadID: b.thread}
}

// Cancel implements [lifecycle.Backend]. The turn's context has closed the stream, so the
// turn ends without a response from the server.
func (b *backend) Cancel(ctx context.Context, turn string) error {
	run := b.runOf(turn)
	if run.RunID == "" {
		return nil // the server has not named the run, and may not have been asked for one
	}
	if b.config.CancelPath == "" {
		b.Log.Info("a cancelled run may continue on the server, because no route to cancel it is configured", "run", run.RunID)
		return nil
	}
	return b.Client.Call(ctx, http.MethodPost, b.config.CancelPath, run, nil)
}

package agentb

import (
	"context"
	"log/slog"
	"net/http"
	"sync"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/agentb/wire"
	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
	"github.com/turnwire/turnwire/internal/agent/transport/lifecycle"
)

// backend is one conversation: one thread on the server.
type backend struct {
	config Config
	client *httpsse.Client
	log    *slog.Logger
	routes []string // possible routes of the handler; used only by Turn

	answers lifecycle.Answers[agent.QuestionResponse]

	mu     sync.Mutex
	thread string // the server's id; "" before its first event
	turn   string // the id of the last turn
	run    string // the id of its run; "" before its first event
	forgot bool   // the server has replaced the thread that it was asked to continue
}

// promptBody starts a run.
type promptBody struct {
	Prompt   string `json:"prompt"`
	ThreadID string `json:"threadId,omitempty"`
}

// runBody identifies a run.
type runBody struct {
	RunID    string `json:"runId"`
	ThreadID string `json:"threadId"`
}

// outputsBody continues a paused run.
type outputsBody struct {
	runBody
	ToolOutputs []toolOutput `json:"toolOutputs"`
}

type toolOutput struct {
	ToolCallID string `json:"tool_call_id"`
	Output     string `json:"output"`
}

// Turn implements [lifecycle.Backend].
func (b *backend) Turn(ctx context.Context, t *lifecycle.Turn) error {
	ctx, stop := t.UntilCancelled(ctx)
	defer stop()
	b.begin(t.Prompt.TurnID)
	if t.IsCancelled() { // before there was anything to stop
		return nil
	}
	t.Keep(b.threadID()) // in case the last turn ended with its first event
	state := wire.NewState(b.config.ToolOutputs != "", b.learn)
	d := wire.NewDecoder(state)
	var next string // route of the next request; "" for the route of prompts
	body := any(promptBody{t.Prompt.Text, b.threadID()})
	for {
		done, path, err := b.stream(ctx, t, d, state, next, body)
		if done || err != nil {
			return err
		}
		calls := state.TakePaused()
		if calls == nil {
			return &httpsse.CutOffError{URL: b.client.Shown(path), Status: state.Status()}
		}
		outputs, err := b.outputs(ctx, calls)
		if err != nil {
			return err
		}
		if t.IsCancelled() {
			return context.Canceled
		}
		if outputs == nil {
			for _, event := range wire.Unpaused(calls, "The run stays paused because its tool outputs were not provided.") {
				t.Emit(event)
			}
			return nil
		}
		next, body = b.config.ToolOutputs, outputsBody{b.runOf(t.Prompt.TurnID), outputs}
	}
}

// stream opens a stream and emits its events. over reports whether the turn has
// ended; if not, the run has paused or the stream was cut off. at is the route
// of the stream.
func (b *backend) stream(
	ctx context.Context, t *lifecycle.Turn, d dialect.Decoder, state *wire.State, path string, body any,
) (done bool, at string, err error) {
	var events *httpsse.Stream
	if path == "" {
		events, path, err = b.open(ctx, body)
	} else {
		events, err = b.client.Stream(ctx, http.MethodPost, path, body, "")
	}
	if err != nil {
		return false, path, err
	}
	defer events.Close()
	for event, err := range events.All() {
		if err != nil {
			return false, path, err
		}
		if !t.Decode(d, event.Line()) {
			return true, path, nil // the turn's receiver has stopped it
		}
		if !state.Over() { // after the end of a turn, nothing more may be emitted
			t.Keep(b.threadID())
		}
		if b.hasForgotten() && !state.Over() {
			t.Emit(&agent.Notice{
				Severity: "warning", Message: "AgentB's server no longer knows this conversation. A new one starts here.",
			})
		}
		if state.Over() || state.Paused() {
			return state.Over(), path, nil
		}
	}
	return false, path, nil
}

// hasForgotten reports, once, that the server has replaced the thread.
func (b *backend) hasForgotten() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	forgot := b.forgot
	b.forgot = false
	return forgot
}

// unknownThread is the id that the handler sends if it has no thread.
const unknownThread = "unknown"

// learn records the ids of the thread and the run. The server may have replaced
// the thread.
func (b *backend) learn(run, thread string) {
	if thread == unknownThread {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.forgot = b.forgot || b.thread != "" && thread != "" && thread != b.thread
	b.thread, b.run = thread, run
}

func (b *backend) threadID() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.thread
}

// runOf returns the run of a turn, if the server has named it.
func (b *backend) runOf(turn string) runBody {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.turn != turn {
		return runBody{} // it has not begun
	}
	return runBody{b.run, b.thread}
}

func (b *backend) begin(turn string) {
	b.answers.Begin()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.turn, b.run = turn, ""
}

// Confirm implements [lifecycle.Backend]. AgentB requests no confirmations.
func (*backend) Confirm(context.Context, agent.ConfirmationResponse) error { return nil }

// Answer implements [lifecycle.Backend].
func (b *backend) Answer(_ context.Context, r agent.QuestionResponse) error {
	b.answers.Add(r.QuestionID, r)
	return nil
}

// Cancel implements [lifecycle.Backend]. The turn's context has closed the stream, so the
// turn ends without a response from the server.
func (b *backend) Cancel(ctx context.Context, turn string) error {
	ids := b.runOf(turn)
	if ids.RunID == "" {
		return nil // the server has not named the run, and may not have been asked for one
	}
	if b.config.CancelPath == "" {
		b.log.Info("a cancelled run may continue on the server, because no route to cancel it is configured", "run", ids.RunID)
		return nil
	}
	return b.client.Call(ctx, http.MethodPost, b.config.CancelPath, ids, nil)
}

// Close implements [lifecycle.Backend].
func (b *backend) Close(context.Context) error {
	b.client.Close()
	return nil
}

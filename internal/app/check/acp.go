package check

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/turnwire/turnwire/internal/agent/stream/lint"
)

// The JSON-RPC error codes that are checked. codeLogin is ACP's own.
const (
	codeParse    = -32700
	codeNoMethod = -32601
	codeLogin    = -32000
)

// noSuchMethod is a method that no agent has.
const noSuchMethod = "_turnwire.dev/no_such_method"

// ACP runs a script against a command that speaks ACP version 1. It returns how many
// lines the command printed.
func ACP(ctx context.Context, o Options) (lines int, err error) {
	shapes, err := acpShapes()
	if err != nil {
		return 0, err
	}
	tell := o.Tell
	o.Tell = func(f lint.Finding) { tell(withKit(f)) }
	a := &acp{
		runner: runner{Options: o}, shapes: shapes,
		asked: make(map[int]string), answers: make(map[int]*answer), sessions: make(map[string]*acpSession),
	}
	defer a.stop()
	a.script(ctx)
	if err := ctx.Err(); err != nil {
		return a.count, fmt.Errorf("the check was stopped: %w", err)
	}
	return a.count, nil
}

// acp is a client of one agent. It shares the child process with [runner], but reads the
// lines itself.
type acp struct {
	runner
	shapes  *grammar
	framing lint.Framing
	count   int // lines
	ids     int

	asked    map[int]string  // the methods of pending requests, by id
	answers  map[int]*answer // by id
	sessions map[string]*acpSession
	decision string // the kind of option to choose for permission requests; "" leaves them open
	parsed   bool   // a bad line was answered with an error
	requests int    // number of permission requests
	pending  []permission
	closed   bool // stdout was closed
}

// isOver reports whether the agent can send nothing more.
func (a *acp) isOver() bool { return a.closed || a.runner.isOver() }

type answer struct {
	result map[string]any
	failed *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	}
}

// An acpSession is the state of a session.
type acpSession struct {
	prompting bool
	prompted  bool
	calls     map[string]bool // by id; true if the call has ended
}

type permission struct {
	id      json.RawMessage
	session string
	options []any
}

func (a *acp) tellOf(rule, subject, message string) { a.Tell(acpRule(rule, subject, message)) }

// script does what an editor may do in a session.
func (a *acp) script(ctx context.Context) {
	a.step("initialize")
	if !a.start() {
		return
	}
	initialize, ok := a.initialize(ctx)
	if !ok {
		return
	}
	if v := initialize.result["protocolVersion"]; v != float64(1) {
		a.tellOf("acp-version", "", fmt.Sprintf("the agent answered with protocol version %v, but 1 was requested", v))
		return
	}
	a.logins(initialize.result)
	a.step("session/new")
	opened, ok := a.try(ctx, "session/new", map[string]any{"cwd": a.Dir, "mcpServers": []any{}})
	switch {
	case !ok:
		return
	case opened.failed != nil && opened.failed.Code == codeLogin:
		a.tellOf("acp-login", "", "session/new: "+opened.failed.Message)
		return
	case opened.failed != nil:
		a.refused("session/new", opened)
		return
	}
	a.options(opened.result)
	id, _ := opened.result["sessionId"].(string)
	s := a.session(id)
	if !a.turns(ctx, id, s) || ctx.Err() != nil || a.isOver() {
		return
	}
	a.oddities(ctx)
	if ctx.Err() != nil || a.isOver() {
		return
	}
	a.step("the end of stdin")
	a.closeStdin()
	a.until(ctx, ending, func() bool { return false })
	if !a.isGone(ctx, ending) {
		if ctx.Err() == nil {
			f := lint.New("does-not-end", fmt.Sprintf("the agent was still running %s after the end of stdin", ending))
			a.Tell(f)
		}
		return
	}
	if status := a.child.Wait(); status.Code != 0 || status.Signal != "" {
		a.found("bad-exit", a.exited("after the end of stdin"))
	}
}

// turns prompts, cancels, and prompts again. It reports whether the agent answered all of
// that.
func (a *acp) turns(ctx context.Context, id string, s *acpSession) bool {
	a.step("a prompt")
	a.decision = "allow_once"
	end, ok := a.prompt(ctx, id, s, nil)
	if !ok {
		return false
	}
	a.stopReason(end, "")
	asked := a.requests > 0
	if !asked {
		a.unchecked("permissions", "the agent requested no permission, so its handling of the answers was not checked")
	}
	a.step("a prompt that is cancelled")
	atAsk := false
	end, ok = a.prompt(ctx, id, s, func(number int) {
		if asked {
			a.decision = ""
			a.until(ctx, a.Timeout, func() bool { return len(a.pending) > 0 || a.asked[number] == "" })
			atAsk = len(a.pending) > 0
		} else {
			received := a.count
			a.until(ctx, middle, func() bool { return a.count > received })
		}
		if a.asked[number] != "" {
			a.write(map[string]any{"jsonrpc": "2.0", "method": "session/cancel", "params": map[string]any{"sessionId": id}})
		}
		for _, p := range a.pending {
			a.decide(p, "cancelled")
		}
		a.pending = nil
	})
	if !ok {
		return false
	}
	switch stop, _ := end.result["stopReason"].(string); {
	case stop == "cancelled":
	case end.failed != nil:
		a.tellOf("acp-cancel-unsaid", "", fmt.Sprintf("the cancelled prompt was answered with the error %d: %s", end.failed.Code, end.failed.Message))
	case atAsk:
		a.tellOf("acp-cancel-unsaid", "", fmt.Sprintf("the prompt was cancelled during a permission request, but answered with the stopReason %q", stop))
	default:
		a.unchecked("cancel", "the turn ended immediately after the cancel, but may have ended without it, so cancelling was not checked")
	}
	a.step("another prompt, with permissions refused")
	a.decision = "reject_once"
	if end, ok = a.prompt(ctx, id, s, nil); ok {
		a.stopReason(end, "after a cancel, ")
	}
	return ok
}

func (a *acp) stopReason(end *answer, when string) {
	if end.failed != nil {
		a.tellOf("acp-refused", "session/prompt", fmt.Sprintf("%ssession/prompt was answered with the error %d: %s", when, end.failed.Code, end.failed.Message))
	}
}

// prompt runs a turn. It calls during, unless nil, after it has written the prompt.
func (a *acp) prompt(ctx context.Context, id string, s *acpSession, during func(number int)) (*answer, bool) {
	s.prompting, s.prompted = true, true
	number := a.request("session/prompt", map[string]any{"sessionId": id, "prompt": []any{map[string]any{"type": "text", "text": a.Prompt}}})
	if during != nil {
		during(number)
	}
	end, ok := a.await(ctx, number)
	if !ok {
		if ctx.Err() == nil && during != nil && !a.isOver() {
			a.tellOf("acp-cancel-ignored", "", fmt.Sprintf("the cancelled session/prompt was not answered within %s", a.Timeout))
			return nil, false
		}
		a.unanswered(ctx, "session/prompt")
		return nil, false
	}
	a.until(ctx, settling, func() bool { return false }) // catch updates after the response
	for call, ended := range s.calls {
		if !ended {
			a.tellOf("acp-call-not-ended", "", fmt.Sprintf("the call %q was still open when the turn ended", call))
			break
		}
	}
	s.calls = make(map[string]bool)
	return end, true
}

// oddities sends input that an agent must survive.
func (a *acp) oddities(ctx context.Context) {
	a.step("an invalid JSON line, an unknown method and an unknown session")
	a.out.Put([]byte("{this is no JSON"))
	got, ok := a.try(ctx, noSuchMethod, map[string]any{})
	switch {
	case !ok && a.isOver():
		a.tellOf("acp-bad-line", "", "the agent exited after an invalid JSON line")
		return
	case !ok:
		return
	case got.failed == nil:
		a.tellOf("acp-method-not-found", "", "an unknown method was answered with a result")
	case got.failed.Code != codeNoMethod:
		a.tellOf("acp-method-not-found", "", fmt.Sprintf("an unknown method was answered with the error %d, not %d", got.failed.Code, codeNoMethod))
	}
	if !a.parsed {
		a.tellOf("acp-parse-error", "", "an invalid JSON line was not answered")
	}
	got, ok = a.try(ctx, "session/prompt", map[string]any{"sessionId": "no-such-session-of-turnwire", "prompt": []any{map[string]any{"type": "text", "text": a.Prompt}}})
	if ok && got.failed == nil {
		a.tellOf("acp-session-unknown", "", "a prompt for an unknown session was answered with a result")
	}
}

// try calls a method, and reports a missing response.
func (a *acp) try(ctx context.Context, method string, params any) (*answer, bool) {
	got, ok := a.await(ctx, a.request(method, params))
	if !ok {
		a.unanswered(ctx, method)
	}
	return got, ok
}

// refused reports the error of a method that every agent must support.
func (a *acp) refused(method string, got *answer) {
	a.tellOf("acp-refused", method, fmt.Sprintf("%s was answered with the error %d: %s", method, got.failed.Code, got.failed.Message))
}

func (a *acp) unanswered(ctx context.Context, method string) {
	switch {
	case ctx.Err() != nil, a.misused:
	case a.isOver():
		a.found("exited", a.exited("before it answered "+method))
	default:
		a.tellOf("acp-no-answer", method, fmt.Sprintf("%s was not answered within %s", method, a.Timeout))
	}
}

// await waits for a response.
func (a *acp) await(ctx context.Context, number int) (*answer, bool) {
	a.until(ctx, a.Timeout, func() bool { return a.answers[number] != nil })
	got := a.answers[number]
	delete(a.answers, number)
	return got, got != nil
}

// until reads lines until stop returns true, the time limit is reached, or the agent
// ends.
func (a *acp) until(ctx context.Context, limit time.Duration, stop func() bool) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	for !stop() && !a.misused {
		select {
		case line, open := <-a.lines:
			if !open {
				a.closed = true
				return
			}
			a.line(line)
		case <-timer.C:
			return
		case <-ctx.Done():
			return
		}
	}
}

func (a *acp) request(method string, params any) int {
	a.ids++
	a.asked[a.ids] = method
	a.write(map[string]any{"jsonrpc": "2.0", "id": a.ids, "method": method, "params": params})
	return a.ids
}

func (a *acp) write(message any) { a.send(message) }

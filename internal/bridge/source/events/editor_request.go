package events

import (
	"cmp"
	"errors"
	"maps"
	"slices"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/normalize"
	"github.com/turnwire/turnwire/internal/bridge/core"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// maxTerminals bounds the terminals that a session may have open.
const maxTerminals = 64

// editorRequests handle the agent's requests to the editor itself: files and terminals.
// They belong to the session's goroutine.
type editorRequests struct {
	pending *pendingRequests
	peers   *peers
	turn    *turn
	// terminals are those that the agent created in the editor; false if the editor was asked to
	// release one.
	terminals map[string]bool
}

// An editorRequest is one such request.
type editorRequest struct {
	all    *editorRequests
	id     string
	turnID string
	action agent.EditorAction
	frees  string // the terminal that it releases, or ""
}

// add forwards a request to the editor, or refuses it if the editor doesn't support it.
// A path is relative to the session's directory unless it is absolute.
func (rs *editorRequests) add(e *agent.EditorRequested) {
	q := &editorRequest{all: rs, id: e.RequestID, turnID: e.TurnID, action: e.Action}
	if rs.turn.running {
		q.turnID = rs.turn.id
	}
	a := &pendingRequest{kind: q}
	refusal := e.Refusal
	if refusal == "" {
		refusal = rs.prepare(a, q, e)
	}
	rs.pending.add(a, refusal)
}

// prepare builds the request to the editor, or returns why it can't be built.
func (rs *editorRequests) prepare(a *pendingRequest, q *editorRequest, e *agent.EditorRequested) (refusal string) {
	about := &rs.peers.client.about
	terminal := func() string {
		if e.Action == agent.CreateTerminal && about.Terminal {
			return ""
		}
		if err := rs.ownTerminal(e.TerminalID); err != nil {
			return err.Error()
		}
		return ""
	}
	switch e.Action {
	case agent.ReadFile:
		if !about.ReadFile {
			return "the editor does not read files for agents"
		}
		return rs.prepareRead(a, q, e)
	case agent.WriteFile:
		switch {
		case !about.WriteFile:
			return "the editor does not write files for agents"
		case e.Path == "":
			return "path is missing"
		}
		req := v1.WriteTextFileRequest{SessionID: rs.peers.id, Path: rs.peers.absolute(e.Path), Content: e.Text}
		rs.on(a, q, v1.MethodWriteTextFile, req, nil, nil)
		return ""
	case agent.CreateTerminal:
		if refusal := terminal(); refusal != "" {
			return refusal
		}
		return rs.prepareTerminal(a, q, e)
	case agent.TerminalOutput:
		var out v1.TerminalOutputResponse
		rs.on(a, q, v1.MethodTerminalOutput, v1.TerminalOutputRequest{SessionID: rs.peers.id, TerminalID: e.TerminalID}, &out, func(r *agent.EditorResponse) error {
			r.Output, r.Truncated = &out.Output, out.Truncated
			if out.ExitStatus != nil {
				r.Exited, r.ExitCode, r.Signal = true, out.ExitStatus.ExitCode, out.ExitStatus.Signal
			}
			return nil
		})
	case agent.WaitForTerminal:
		var out v1.WaitForTerminalExitResponse
		rs.on(a, q, v1.MethodTerminalWait, v1.WaitForTerminalExitRequest{SessionID: rs.peers.id, TerminalID: e.TerminalID}, &out, func(r *agent.EditorResponse) error {
			r.Exited, r.ExitCode, r.Signal = true, out.ExitCode, out.Signal
			return nil
		})
	case agent.KillTerminal:
		a.frees = true
		rs.on(a, q, v1.MethodTerminalKill, v1.KillTerminalRequest{SessionID: rs.peers.id, TerminalID: e.TerminalID}, nil, nil)
	case agent.ReleaseTerminal:
		a.frees, q.frees = true, e.TerminalID
		a.late = func() { delete(rs.terminals, q.frees) }
		rs.on(a, q, v1.MethodTerminalRelease, v1.ReleaseTerminalRequest{SessionID: rs.peers.id, TerminalID: e.TerminalID}, nil, nil)
	default:
		return "unknown action"
	}
	return terminal()
}

func (rs *editorRequests) prepareRead(a *pendingRequest, q *editorRequest, e *agent.EditorRequested) (refusal string) {
	if e.Path == "" {
		return "path is missing"
	}
	req := v1.ReadTextFileRequest{SessionID: rs.peers.id, Path: rs.peers.absolute(e.Path)}
	if line := e.Line; line > 0 {
		req.Line = &line
	}
	if limit := e.Limit; limit > 0 {
		req.Limit = &limit
	}
	var out struct {
		Content *string `json:"content"`
	}
	rs.on(a, q, v1.MethodReadTextFile, req, &out, func(r *agent.EditorResponse) error {
		if out.Content == nil {
			return core.ErrNoText
		}
		r.Text = out.Content
		return nil
	})
	return ""
}

var errNoTerminal = errors.New("the editor's response has no terminal")

func (rs *editorRequests) prepareTerminal(a *pendingRequest, q *editorRequest, e *agent.EditorRequested) (refusal string) {
	switch {
	case e.Command == "":
		return "command is missing"
	case len(rs.terminals) >= maxTerminals:
		return "the session has too many terminals; release some"
	}
	req := v1.CreateTerminalRequest{SessionID: rs.peers.id, Command: e.Command, Args: e.Args, Cwd: rs.peers.cwd}
	if e.Cwd != "" {
		req.Cwd = rs.peers.absolute(e.Cwd)
	}
	for _, v := range e.Env {
		req.Env = append(req.Env, v1.EnvVariable{Name: v.Name, Value: v.Value})
	}
	if limit := e.OutputLimit; limit > 0 {
		req.OutputByteLimit = &limit
	}
	var out v1.CreateTerminalResponse
	a.late = func() { rs.releaseTerminal(out.TerminalID) } // don't leave running what the agent withdrew
	rs.on(a, q, v1.MethodTerminalCreate, req, &out, func(r *agent.EditorResponse) error {
		if out.TerminalID == "" {
			return errNoTerminal
		}
		rs.terminals[out.TerminalID] = true
		r.TerminalID = out.TerminalID
		return nil
	})
	return ""
}

// on sets how a is sent. done, if not nil, completes the response to the agent from the
// editor's result.
func (rs *editorRequests) on(a *pendingRequest, q *editorRequest, method string, params, result any, done func(*agent.EditorResponse) error) {
	a.send = func() {
		if q.frees != "" {
			rs.terminals[q.frees] = false
		}
		rs.pending.editor(a, method, params, result, func(err error) {
			switch {
			case q.frees == "":
			case err != nil:
				rs.terminals[q.frees] = true
			default:
				delete(rs.terminals, q.frees)
			}
			r := agent.EditorResponse{OK: true}
			if err == nil && done != nil {
				err = done(&r)
			}
			if refused, ok := errors.AsType[*jsonrpc2.Error](err); ok {
				err = errors.New(refused.Message) // the rest is for the log
			}
			if err != nil {
				r = agent.EditorResponse{Error: err.Error()}
			}
			rs.respond(q, r)
		})
	}
}

// respond answers the agent.
func (rs *editorRequests) respond(q *editorRequest, r agent.EditorResponse) {
	user, ok := rs.peers.agent.(agent.EditorUser)
	if !ok {
		rs.turn.logger().Warn("a request to the editor could not be answered")
		return
	}
	r.Type, r.SessionID, r.TurnID, r.RequestID = agent.CommandEditor, rs.peers.id, q.turnID, q.id
	user.Respond(r)
}

// releaseTerminals makes the editor release the terminals that the agent left open.
func (rs *editorRequests) releaseTerminals() {
	for _, id := range slices.Sorted(maps.Keys(rs.terminals)) {
		if rs.terminals[id] {
			rs.releaseTerminal(id)
		}
	}
	clear(rs.terminals)
}

// releaseTerminal makes the editor kill a terminal's command and release the terminal.
func (rs *editorRequests) releaseTerminal(id string) {
	if id == "" {
		return
	}
	params := v1.AppendValue(nil, v1.ReleaseTerminalRequest{SessionID: rs.peers.id, TerminalID: id})
	rs.peers.sent(rs.peers.view.Request(&core.Request{Session: rs.peers.id, Method: v1.MethodTerminalRelease, Params: params}))
}

var (
	errNoTerminals   = errors.New("the editor has no terminals")
	errOtherTerminal = errors.New("unknown terminal")
)

// ownTerminal returns an error unless the agent created the terminal in this session.
func (rs *editorRequests) ownTerminal(id string) error {
	if !rs.peers.client.about.Terminal {
		return errNoTerminals
	}
	if _, owns := rs.terminals[id]; !owns {
		return errOtherTerminal
	}
	return nil
}

// refuse implements [askKind].
func (q *editorRequest) refuse(reason string) {
	q.all.respond(q, agent.EditorResponse{Error: cmp.Or(reason, turnCancelled)})
}

// ambiguous implements [askKind].
func (q *editorRequest) ambiguous(kind askKind) bool {
	other, ok := kind.(*editorRequest)
	return ok && q.id == other.id
}

// settledBy implements [askKind]: only the editor settles it.
func (*editorRequest) settledBy(normalize.Step) bool { return false }

// settled implements [askKind].
func (*editorRequest) settled(normalize.Step) {}

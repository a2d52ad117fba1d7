package events

import (
	"errors"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/bridge/core"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// maxTerminals bounds the terminals that a session may have at once.
const maxTerminals = 64

// An editorRequest is something that the agent has asked the editor to do.
type editorRequest struct {
	id     string
	turnID string
	action agent.EditorAction
}

// useEditor has the editor do what the agent asks for, and refuses what the
// editor cannot do. A path is one in the session's directory unless it is
// absolute.
func (s *session) useEditor(e *agent.EditorRequested) {
	q := &editorRequest{id: e.RequestID, turnID: e.TurnID, action: e.Action}
	if s.turn.running {
		q.turnID = s.turn.id
	}
	a := &ask{editor: q}
	refusal := e.Refusal
	if refusal == "" {
		refusal = s.prepareEditor(a, e)
	}
	s.addAsk(a, refusal)
}

// prepareEditor makes the request to the editor. It returns why there can be
// none.
func (s *session) prepareEditor(a *ask, e *agent.EditorRequested) (refusal string) {
	about := &s.peers.client.about
	terminal := func() string {
		if e.Action == agent.CreateTerminal && about.Terminal {
			return ""
		}
		if err := s.ownTerminal(e.TerminalID); err != nil {
			return err.Error()
		}
		return ""
	}
	switch e.Action {
	case agent.ReadFile:
		if !about.ReadFile {
			return "the editor does not read files for agents"
		}
		return s.prepareRead(a, e)
	case agent.WriteFile:
		switch {
		case !about.WriteFile:
			return "the editor does not write files for agents"
		case e.Path == "":
			return "path is missing"
		}
		req := v1.WriteTextFileRequest{SessionID: s.peers.id, Path: s.peers.absolute(e.Path), Content: e.Text}
		s.prepare(a, v1.MethodWriteTextFile, req, nil, func(*agent.EditorResponse) error { return nil })
		return ""
	case agent.CreateTerminal:
		if refusal := terminal(); refusal != "" {
			return refusal
		}
		return s.prepareTerminal(a, e)
	case agent.TerminalOutput:
		var out v1.TerminalOutputResponse
		s.prepare(a, v1.MethodTerminalOutput, v1.TerminalOutputRequest{SessionID: s.peers.id, TerminalID: e.TerminalID}, &out, func(r *agent.EditorResponse) error {
			r.Output, r.Truncated = &out.Output, out.Truncated
			if out.ExitStatus != nil {
				r.Exited, r.ExitCode, r.Signal = true, out.ExitStatus.ExitCode, out.ExitStatus.Signal
			}
			return nil
		})
	case agent.WaitForTerminal:
		var out v1.WaitForTerminalExitResponse
		s.prepare(a, v1.MethodTerminalWait, v1.WaitForTerminalExitRequest{SessionID: s.peers.id, TerminalID: e.TerminalID}, &out, func(r *agent.EditorResponse) error {
			r.Exited, r.ExitCode, r.Signal = true, out.ExitCode, out.Signal
			return nil
		})
	case agent.KillTerminal:
		a.frees = true
		s.prepare(a, v1.MethodTerminalKill, v1.KillTerminalRequest{SessionID: s.peers.id, TerminalID: e.TerminalID}, nil, func(*agent.EditorResponse) error { return nil })
	case agent.ReleaseTerminal:
		id := e.TerminalID
		a.frees = true
		s.prepare(a, v1.MethodTerminalRelease, v1.ReleaseTerminalRequest{SessionID: s.peers.id, TerminalID: id}, nil, func(*agent.EditorResponse) error {
			delete(s.terminals, id)
			return nil
		})
	default:
		return "there is no such action"
	}
	return terminal()
}

func (s *session) prepareRead(a *ask, e *agent.EditorRequested) (refusal string) {
	if e.Path == "" {
		return "path is missing"
	}
	req := v1.ReadTextFileRequest{SessionID: s.peers.id, Path: s.peers.absolute(e.Path)}
	if line := e.Line; line > 0 {
		req.Line = &line
	}
	if limit := e.Limit; limit > 0 {
		req.Limit = &limit
	}
	var out struct {
		Content *string `json:"content"`
	}
	s.prepare(a, v1.MethodReadTextFile, req, &out, func(r *agent.EditorResponse) error {
		if out.Content == nil {
			return errNoText
		}
		r.Text = out.Content
		return nil
	})
	return ""
}

var errNoTerminal = errors.New("the editor answered without a terminal")

func (s *session) prepareTerminal(a *ask, e *agent.EditorRequested) (refusal string) {
	switch {
	case e.Command == "":
		return "command is missing"
	case len(s.terminals) >= maxTerminals:
		return "the session has too many terminals; release some"
	}
	req := v1.CreateTerminalRequest{SessionID: s.peers.id, Command: e.Command, Args: e.Args, Cwd: s.peers.cwd}
	if e.Cwd != "" {
		req.Cwd = s.peers.absolute(e.Cwd)
	}
	for _, v := range e.Env {
		req.Env = append(req.Env, v1.EnvVariable{Name: v.Name, Value: v.Value})
	}
	if limit := e.OutputLimit; limit > 0 {
		req.OutputByteLimit = &limit
	}
	var out v1.CreateTerminalResponse
	a.late = func() { s.releaseTerminal(out.TerminalID) } // what runs in it was not to run
	s.prepare(a, v1.MethodTerminalCreate, req, &out, func(r *agent.EditorResponse) error {
		if out.TerminalID == "" {
			return errNoTerminal
		}
		s.terminals[out.TerminalID] = true
		r.TerminalID = out.TerminalID
		return nil
	})
	return ""
}

// prepare sets how a is sent. done completes the response to the agent from the
// editor's result.
func (s *session) prepare(a *ask, method string, params, result any, done func(*agent.EditorResponse) error) {
	a.send = func() {
		s.askEditor(a, method, params, result, func(err error) {
			r := agent.EditorResponse{OK: true}
			if err == nil {
				err = done(&r)
			}
			if refused, ok := errors.AsType[*jsonrpc2.Error](err); ok {
				err = errors.New(refused.Message) // the rest is for the log
			}
			if err != nil {
				r = agent.EditorResponse{Error: err.Error()}
			}
			s.respondEditor(a.editor, r)
		})
	}
}

// respondEditor answers the agent.
func (s *session) respondEditor(q *editorRequest, r agent.EditorResponse) {
	user, ok := s.peers.agent.(agent.EditorUser)
	if !ok {
		s.turn.logger().Warn("the agent cannot be answered what it asked of the editor")
		return
	}
	r.Type, r.SessionID, r.TurnID, r.RequestID = agent.CommandEditor, s.peers.id, q.turnID, q.id
	user.Respond(r)
}

// releaseTerminals has the editor forget the terminals that the agent has left,
// unless the editor itself is leaving.
func (s *session) releaseTerminals() {
	if s.source.isEnding() {
		return
	}
	for id := range s.terminals {
		s.releaseTerminal(id)
	}
	clear(s.terminals)
}

// releaseTerminal has the editor end what runs in a terminal, and forget it.
func (s *session) releaseTerminal(id string) {
	if id == "" {
		return
	}
	params := v1.AppendValue(nil, v1.ReleaseTerminalRequest{SessionID: s.peers.id, TerminalID: id})
	s.peers.sent(s.peers.view.Ask(&core.Ask{Session: s.peers.id, Method: v1.MethodTerminalRelease, Params: params}))
}

var (
	errNoTerminals   = errors.New("the editor has no terminals")
	errOtherTerminal = errors.New("the session has no such terminal")
)

// ownTerminal returns an error unless the agent has made the terminal in the
// session.
func (s *session) ownTerminal(id string) error {
	switch {
	case !s.peers.client.about.Terminal:
		return errNoTerminals
	case !s.terminals[id]:
		return errOtherTerminal
	}
	return nil
}

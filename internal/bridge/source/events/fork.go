package events

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/bridge/journal"
	"github.com/turnwire/turnwire/internal/exactjson"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/protocol"
)

// A forkRecord is the data of a [journal.TypeFork] record.
type forkRecord struct {
	Of      string `json:"of"`
	Rewound bool   `json:"rewound,omitempty"`
}

// forkSession handles session/fork: the new session begins as a copy of another, which
// may go on with a turn meanwhile. It sends no history unless the call asks for it.
func (c *source) forkSession(call *core.Call) error {
	var req v1.ForkSessionRequest
	if err := call.Decode(&req); err != nil {
		return err
	}
	if req.SessionID == "" {
		return missing("sessionId")
	}
	if err := checkFolders(req.Cwd, req.AdditionalDirectories); err != nil {
		return err
	}
	point, err := c.forkPoint(&req)
	if err != nil {
		return err
	}
	return c.opener.answer(call, false, func(ctx context.Context) (*session, error) {
		return c.opener.fork(ctx, &req, point, call.Replay)
	}, func(s *session) any {
		call.Replayed = call.Replay
		modes, options := s.choices.offers()
		return v1.ForkSessionResponse{SessionID: s.peers.id, Modes: modes, ConfigOptions: options, Meta: s.setup.steering()}
	})
}

// forkPoint returns where the copy ends, or nil if the whole session is copied.
func (c *source) forkPoint(req *v1.ForkSessionRequest) (*forkPoint, error) {
	if req.CursorID == nil {
		return nil, nil
	}
	able := c.cfg.Agent.Info().Rewind
	if s, err := c.sessions.get(req.SessionID); err == nil {
		able = s.cursors.able.Load()
	}
	if !able {
		return nil, protocol.Errorf(protocol.CodeInvalidParams, "the agent cannot continue from an earlier message")
	}
	n, ok := promptAfter(*req.CursorID)
	if !ok {
		return nil, errNoCursor(req)
	}
	return &forkPoint{before: n}, nil
}

func errNoCursor(req *v1.ForkSessionRequest) error {
	return protocol.Errorf(protocol.CodeInvalidParams, "the session has no cursor %q", *req.CursorID)
}

// A forkPoint finds the record at which a copy ends, and the agent's title at that point.
type forkPoint struct {
	before  int // the number of the first prompt that is not copied
	prompts int
	turn    string // the turn of the last prompt
	title   string
}

// ends reports whether the copy ends before a record. It never ends at a prompt that
// answers a question, because that is within a turn.
func (p *forkPoint) ends(r journal.Record) bool {
	switch {
	case r.Type == journal.TypePrompt:
		var c agent.Prompt
		if exactjson.Unmarshal(r.Data, &c) != nil {
			return false // opening the session would fail too
		}
		p.prompts++
		starts := c.TurnID == "" || c.TurnID != p.turn
		p.turn = c.TurnID
		return starts && p.prompts == p.before
	case r.Type == journal.TypeEvent && bytes.Contains(r.Data, []byte(`"session_title"`)):
		var e struct {
			Type  string `json:"type"`
			Title string `json:"title"`
		}
		if exactjson.Unmarshal(r.Data, &e) == nil && e.Type == new(agent.SessionTitle).Type() {
			p.title = e.Title
		}
	}
	return false
}

// fork opens a copy of a saved session that ends at a point, or a whole copy if that is
// nil. It shows the copy if shown is set.
func (o *opener) fork(ctx context.Context, req *v1.ForkSessionRequest, point *forkPoint, shown bool) (*session, error) {
	if s, err := o.sessions.get(req.SessionID); err == nil {
		s.record.flush()
	}
	opening := v1.NewSessionRequest{
		Cwd: req.Cwd, AdditionalDirectories: req.AdditionalDirectories, MCPServers: req.MCPServers, SystemPrompt: req.SystemPrompt,
	}
	var ends func(journal.Record) bool
	if point != nil {
		ends = point.ends
	}
	copied, err := journal.Copy(ctx, o.cfg.Journal, req.SessionID, o.header(opening), ends)
	if errors.Is(err, journal.ErrNoPoint) {
		return nil, errNoCursor(req)
	}
	if err != nil {
		return nil, core.SessionError(req.SessionID, err)
	}
	origin, err := json.Marshal(forkRecord{Of: req.SessionID, Rewound: point != nil})
	if err == nil {
		err = copied.Append(copied.Next(), []journal.Record{{Type: journal.TypeFork, Data: origin}})
	}
	if err == nil && point != nil && point.title != "" {
		err = journal.Distinguish(o.cfg.Journal, copied, point.title)
	}
	if err != nil {
		return nil, errors.Join(err, copied.Close())
	}
	return o.resume(ctx, copied, opening, shown)
}

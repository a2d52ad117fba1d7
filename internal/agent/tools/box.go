package tools

import (
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"sync/atomic"

	"github.com/turnwire/turnwire/agent"
)

// A Turn is the turn in which a tool is called.
type Turn interface {
	// Context ends when the turn is cancelled.
	Context() context.Context
	// Life ends when nobody receives the turn's events any more.
	Life() context.Context
	// Send sends events that belong together, until ctx ends. It reports whether they
	// were received.
	Send(ctx context.Context, events ...agent.Event) bool
}

// A Box runs the tools of one session. It is safe for concurrent use.
type Box struct {
	files         *files
	log           *slog.Logger
	permits       func() error
	confirmations pendingAnswers[agent.ConfirmationResponse]
	questions     pendingAnswers[agent.QuestionResponse]
	editor        pendingAnswers[agent.EditorResponse]
	terminals     bool // the editor has terminals
	allowed       allowances
	ids           atomic.Int64
}

// Limits are restrictions of a session's tools.
type Limits struct {
	// Permits returns an error if nothing may be changed now; it may be nil.
	Permits func() error
	// Confined makes paths outside the session's directories an error. Otherwise the user
	// is asked.
	Confined bool
}

// New returns the tools of a session.
func New(o agent.Options, l Limits) *Box {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if l.Permits == nil {
		l.Permits = func() error { return nil }
	}
	return &Box{files: newFiles(o, l.Confined), log: o.Log, permits: l.Permits, terminals: o.About.Terminal}
}

// Confirm delivers the decision about a call of a tool. It returns false if it is about
// something else. Only the first decision counts.
func (b *Box) Confirm(r agent.ConfirmationResponse) bool {
	id := r.ConfirmationID
	if id == "" {
		id = r.ToolCallID
	}
	return b.confirmations.deliver(id, r)
}

// Answer delivers the answer to a question of a tool. It returns false if it is about
// something else.
func (b *Box) Answer(r agent.QuestionResponse) bool { return b.questions.deliver(r.QuestionID, r) }

// Respond delivers the editor's response to a tool. It returns false if it is for
// something else.
func (b *Box) Respond(r agent.EditorResponse) bool { return b.editor.deliver(r.RequestID, r) }

// Dirs returns the session's directories, the working directory first.
func (b *Box) Dirs() []string { return b.files.dirs }

// Walk calls visit for each file and directory in the session's directories, with its path
// relative to one of them. top is set for entries of the working directory itself. Walk
// reports whether it has visited everything.
func (b *Box) Walk(ctx context.Context, visit func(e fs.DirEntry, top bool)) (all bool, err error) {
	return b.files.walk(ctx, func(p location, e fs.DirEntry) error {
		visit(e, p.dir == p.cwd && p.rel == e.Name())
		return nil
	})
}

// newID returns an id that is unique in the session, also among those of the agent.
func (b *Box) newID(kind string) string { return fmt.Sprintf("tools_%s_%d", kind, b.ids.Add(1)) }

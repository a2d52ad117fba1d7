// Package control implements Claude Code's control protocol: what its session offers,
// its requests, and the commands of its host. It adds them to the messages of package
// wire.
package control

import (
	"bytes"
	"slices"
	"sync"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/claude/wire"
)

// Dialect is the stream-json dialect, with its control messages.
var Dialect = func() dialect.Dialect {
	d := new(Host).Dialect()
	d.NewDecoder = func() dialect.Decoder { return new(Host).Dialect().NewDecoder() }
	return d
}()

// A Host is the other side of Claude Code's control protocol in a session, whose
// processes follow one another. It is safe for concurrent use.
type Host struct {
	Options agent.Options
	// Partial lets users accept a part of a change. The program must run a permitted call
	// with the arguments in the answer, as Claude Code does.
	Partial bool

	mu       sync.Mutex
	session  string // Claude Code's id
	lost     bool   // Claude Code doesn't have the session
	models   []model
	model    string // the chosen model
	requests []request
}

// Dialect returns the dialect. Its decoders tell the host what they read.
func (h *Host) Dialect() dialect.Dialect {
	t := wire.Table
	t.Forms = slices.Clone(t.Forms)
	t.Forms[0].Kinds = append(slices.Clip(t.Forms[0].Kinds), []dialect.Kind[wire.State]{
		{Name: "system", Decode: h.system},
		{Name: "control_request", Decode: h.request, Refuse: refused},
		{Name: "control_cancel_request", Decode: h.withdraw},
		{Name: "control_response", Decode: h.response},
	}...)
	t.Before = h.isUseful
	return t.Compile().Dialect()
}

// isUseful consumes the result of a process that can't resume its session.
func (h *Host) isUseful(_ *wire.State, l *dialect.Line) bool {
	if l.Name != "result" || !bytes.Contains(l.Raw("errors"), []byte("No conversation found with session ID")) {
		return true
	}
	h.mu.Lock()
	h.lost = true
	h.mu.Unlock()
	l.Emit(&agent.Notice{Severity: "warning", Message: "Claude Code no longer has this conversation. A new one starts."})
	return false
}

// Resume returns the id of the session that the next process resumes, or "". If own is
// false, the process makes a copy of it.
func (h *Host) Resume(m agent.Memory) (id string, own bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.lost:
		return "", true
	case h.session != "":
		return h.session, true
	}
	own, m.ForkOf = m.ForkOf == "", ""
	return m.Key(), own
}

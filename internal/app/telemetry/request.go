package telemetry

import (
	"slices"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"

	"github.com/turnwire/turnwire/internal/bridge/core"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// otherValue replaces values that neither the conventions nor the protocol define, so
// that no peer can create an unlimited number of metrics.
const otherValue = "_OTHER"

// methods are the methods for which errors are counted separately.
var methods = []string{
	v1.MethodInitialize, v1.MethodSessionNew, v1.MethodSessionLoad, v1.MethodSessionResume, v1.MethodSessionFork, v1.MethodSessionClose, v1.MethodSessionDelete, v1.MethodSessionPrompt, v1.MethodSteering,
	v1.MethodAuthenticate, "logout", v1.MethodSessionList, v1.MethodSetMode, "session/set_model", v1.MethodSetConfig,
}

// An asked is a pending call.
type asked struct {
	method  string
	session string
	turn    *turn // set for a prompt
}

// called records a call from the client.
func (w *Watcher) called(c *core.Call) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ended {
		return
	}
	a := &asked{method: c.Method, session: text(c.Params, "sessionId")}
	switch {
	case a.method == v1.MethodInitialize:
		w.span.SetAttributes(
			attribute.String("turnwire.client.name", short(text(c.Params, "clientInfo", "name"))),
			attribute.String("turnwire.client.version", short(text(c.Params, "clientInfo", "version"))))
	case a.method == v1.MethodSessionPrompt && object(c.Params) != nil:
		if s := w.open(a.session); s != nil {
			a.turn = w.beginTurn(s, c.Params)
			if w.t.traces {
				c.Params = withContext(a.turn.ctx, c.Params)
			}
		}
	}
	c.OnReply(func(result []byte, err error) { w.replied(a, result, err) })
}

// replied records the response to a call.
func (w *Watcher) replied(a *asked, result []byte, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ended {
		return
	}
	var failure []byte
	if err != nil {
		failure = core.Wire(err)
		w.t.metrics.failures.Add(w.ctx, 1, metric.WithAttributes(w.agent,
			attribute.String("turnwire.method", known(a.method, methods)), attribute.String("error.type", codeOf(failure))))
	}
	switch {
	case a.turn != nil:
		w.replyTurn(a, result, failure)
	case err != nil:
	case a.method == v1.MethodSessionNew || a.method == v1.MethodSessionFork:
		w.open(text(result, "sessionId"))
	case a.method == v1.MethodSessionLoad || a.method == v1.MethodSessionResume:
		w.open(a.session)
	case a.method == v1.MethodSessionClose || a.method == v1.MethodSessionDelete:
		w.closeSession(a.session)
	}
}

// codeOf returns the code of an error, or otherValue.
func codeOf(failure []byte) string {
	code := string(member(failure, "code"))
	if len(code) == 0 || len(code) > 6 || code[0] != '-' {
		return otherValue
	}
	return code
}

// A session is an open session.
type session struct {
	span  trace.Span
	turns []*turn // the running ones, oldest first
}

// open returns a session, and starts recording it if it is new. It returns nil if there
// are too many.
func (w *Watcher) open(id string) *session {
	s := w.sessions[id]
	if s != nil || id == "" || len(w.sessions) >= maxSessions {
		return s
	}
	_, span := w.t.tracer.Start(w.ctx, "session", trace.WithAttributes(w.agent, conversation(id)))
	s = &session{span: span}
	w.sessions[id] = s
	w.t.metrics.sessions.Add(w.ctx, 1, w.sum)
	return s
}

// closeSession ends an open session.
func (w *Watcher) closeSession(id string) {
	s := w.sessions[id]
	if s == nil {
		return
	}
	delete(w.sessions, id)
	for len(s.turns) > 0 {
		w.endTurn(s, s.turns[0], reasonGone)
	}
	s.span.End()
	w.t.metrics.sessions.Add(w.ctx, -1, w.sum)
}

func conversation(id string) attribute.KeyValue {
	return attribute.String("gen_ai.conversation.id", short(id))
}

// short truncates a peer's text for an attribute.
func short(s string) string { return s[:min(len(s), maxText)] }

// maxText is the maximum length of an attribute, in bytes.
const maxText = 256

// known returns value if all contains it, and otherValue if not.
func known(value string, all []string) string {
	if slices.Contains(all, value) {
		return value
	}
	return otherValue
}

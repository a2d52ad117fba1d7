package hub

import (
	"strconv"
	"time"

	"github.com/turnwire/turnwire/internal/bridge/consent"
	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// Questions saves permission requests and forms, so that they survive the death of a
// server. A decision is the JSON of a [consent.Decision] with what is known about the
// request so far. It is nil for a form, where it only matters that no more than one
// answer counts.
type Questions interface {
	// Asked saves a request. It does not block.
	Asked(session, id string, decision []byte)
	// Answered saves the answer that counts. saved blocks until the answer is durable,
	// or until a timeout. It returns an error if another server has the session; then
	// the answer does not count.
	Answered(session, id string, decision []byte) (saved func() error)
	// Over reports that the session's journal holds the decisions on all its requests.
	Over(session string)
}

// maxKept bounds the saved part of a request, in bytes.
const maxKept = 16 << 10

// The reasons saved with a request. They apply if its server dies.
const (
	reasonNobody  = "its server died before anyone answered"
	reasonUnknown = "its server died; it is unknown whether the agent received the answer"
)

// notFilledIn is the answer to a form that was not filled in.
const notFilledIn = `{"action":"cancel"}`

// isKept reports whether the request is saved: this server decides it, and another may
// take over the session.
func (k *pendingRequest) isKept() bool {
	return k.up.hub.cfg.Questions != nil && (k.method == v1.MethodRequestPermission || k.method == v1.MethodElicitationCreate) &&
		k.session != nil && k.up.peer == ""
}

// keep saves the pending request. The caller holds the lock.
func (k *pendingRequest) keep() {
	if k.isKept() && !k.done {
		h := k.up.hub
		k.name = strconv.FormatInt(k.order, 10) + "-" + k.call().ID
		h.cfg.Questions.Asked(k.session.id, k.name, k.line(func(d consent.Decision) consent.Decision { return d.Open(reasonNobody) }))
	}
}

// decide saves a client's answer, and passes it to the agent once it is durable. No
// other client can answer any more. The caller holds the lock.
func (k *pendingRequest) decide(cl *client, answer core.Answer) {
	h := k.up.hub
	k.deciding = true
	k.tellResolved(cl, answer) // before the others learn that they need not answer
	k.forgetAll()
	saved := h.cfg.Questions.Answered(k.session.id, k.name, k.line(func(d consent.Decision) consent.Decision {
		return d.Answered(answer.Chosen, answer.By).Unasked(answer.Unasked).InPart(answer.Accepted != nil).Open(reasonUnknown)
	}))
	h.work.Go(func() {
		err := saved()
		h.mu.Lock()
		defer h.mu.Unlock()
		switch {
		case k.done: // it was withdrawn, or the session has ended
		case err != nil:
			h.log.Warn("an answer was rejected", "session", k.session.id, "error", err)
			k.settle(core.Answer{Result: k.refusal()})
		default:
			k.settle(answer)
			k.remember(answer)
		}
	})
}

// refusal returns the answer that replaces a user's answer that does not count.
func (k *pendingRequest) refusal() []byte {
	if k.method == v1.MethodRequestPermission {
		return []byte(core.NotPermitted)
	}
	return []byte(notFilledIn)
}

// call returns the call that the request is about, as described by the agent.
func (k *pendingRequest) call() consent.Call {
	tool := object(k.params, "toolCall")
	c := consent.Call{
		Agent: k.up.hub.cfg.Agent, Session: k.session.id, Dir: k.session.cwd,
		ID: rawmsg.MemberText(tool, "toolCallId"), Kind: rawmsg.MemberText(tool, "kind"),
	}
	if c.Kind == "" {
		c.Kind = consent.DefaultKind
	}
	input, _, _ := rawmsg.Member(tool, "rawInput")
	c.Command = consent.Command(input)
	places, _, _ := rawmsg.Member(tool, "locations")
	if len(places) > 0 && places[0] == '[' {
		for p := range rawjson.Elements(places) {
			if p[0] == '{' {
				c.AddPath(rawmsg.MemberText(p, "path"))
			}
		}
	}
	return c
}

// line returns the saved form of the request.
func (k *pendingRequest) line(with func(consent.Decision) consent.Decision) []byte {
	if k.method != v1.MethodRequestPermission {
		return nil
	}
	d := with(consent.Of(k.call(), time.Now()))
	line := d.Line()
	if len(line) > maxKept {
		d.Paths, d.Command, d.Cut = nil, "", true
		line = d.Line()
	}
	return line
}

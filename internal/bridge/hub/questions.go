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

// Questions keeps requests for permission and forms beyond the death of a server. A
// decision is the JSON of a [consent.Decision]: what is known of the request then. It
// is nil for a form, of which only that counts that one answer counts.
type Questions interface {
	// Asked notes a request. It does not wait.
	Asked(session, id string, decision []byte)
	// Answered notes the answer that counts, unless kept returns an error: then
	// another server has the session. kept waits until the answer is kept, or that
	// takes too long.
	Answered(session, id string, decision []byte) (kept func() error)
	// Over says that the session's journal has the decisions of all that was asked.
	Over(session string)
}

// maxKept bounds what is kept of a request, in bytes.
const maxKept = 16 << 10

// What is kept of a request whose server dies.
const (
	reasonNobody  = "its server died before anybody had answered"
	reasonUnknown = "its server died: whether the agent was told is not known"
)

// notFilledIn is the answer to a form that was left empty.
const notFilledIn = `{"action":"cancel"}`

// isKept reports whether the request is kept: this server judges it, and others may
// have the session next.
func (k *ask) isKept() bool {
	return k.up.hub.cfg.Questions != nil && (k.method == v1.MethodRequestPermission || k.method == v1.MethodElicitationCreate) &&
		k.session != nil && k.up.peer == ""
}

// keep notes that the request waits. The lock is held.
func (k *ask) keep() {
	if k.isKept() && !k.done {
		h := k.up.hub
		h.lastAsk++
		k.name = strconv.FormatInt(h.lastAsk, 10) + "-" + k.call().ID
		h.cfg.Questions.Asked(k.session.id, k.name, k.line(func(d consent.Decision) consent.Decision { return d.Open(reasonNobody) }))
	}
}

// decide has the answer of a front end kept, and tells the agent then. Nobody else
// can answer any more. The lock is held.
func (k *ask) decide(f *front, answer core.Answer) {
	h := k.up.hub
	k.deciding = true
	k.tellResolved(f, answer) // before the others are told that they need not answer
	for other, of := range k.asked {
		k.forget(other, of)
	}
	kept := h.cfg.Questions.Answered(k.session.id, k.name, k.line(func(d consent.Decision) consent.Decision {
		return d.Answered(answer.Chosen, answer.By).Unasked(answer.Unasked).Open(reasonUnknown)
	}))
	h.work.Go(func() {
		err := kept()
		h.mu.Lock()
		defer h.mu.Unlock()
		switch {
		case k.done: // it was withdrawn, or the session has ended
		case err != nil:
			h.log.Warn("an answer does not count", "session", k.session.id, "error", err)
			k.settle(core.Answer{Result: k.refusal()})
		default:
			k.settle(answer)
			k.remember(answer)
		}
	})
}

// refusal is the answer where that of the user does not count.
func (k *ask) refusal() []byte {
	if k.method == v1.MethodRequestPermission {
		return []byte(core.NotPermitted)
	}
	return []byte(notFilledIn)
}

// call is what the request is about, as the agent says it.
func (k *ask) call() consent.Call {
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

// line is what is kept of the request.
func (k *ask) line(with func(consent.Decision) consent.Decision) []byte {
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

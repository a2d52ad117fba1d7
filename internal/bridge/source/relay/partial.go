package relay

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/transport/jsonrpc"
	"github.com/turnwire/turnwire/internal/bridge/consent"
	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/bridge/partial"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// A part is what a permission request needs if the user may accept a part of its change.
type part struct {
	reject consent.Option // the agent gets it, because an "allow" would permit everything
	files  agent.Options  // where Turnwire writes the part
	stop   func()         // keeps a part from being written; nil until the user accepts it
}

// offerPart offers a part of the change that the user is asked about, if that is possible,
// and returns the request's params. A server's files are on another machine. The caller
// holds the lock.
func (a *pendingRequest) offerPart(params []byte) []byte {
	r, s := a.up.relay, a.session
	if s == nil || a.cancelled == nil || a.shown != s.id || r.cfg.Agent.URL != "" {
		return params
	}
	if a.call.Kind == consent.DefaultKind && !r.learns() {
		return params // it may be a command
	}
	able := r.client.files
	files := agent.Options{
		Cwd: s.cwd, Roots: texts(s.opened, "additionalDirectories"),
		Editor: &core.ClientFiles{View: r.view, Session: s.id, Able: &able},
	}
	params, reject, ok := partial.Offer(params, a.Offered, a.call, files)
	if ok {
		a.part = &part{reject: reject, files: files}
	}
	return params
}

// acceptPart writes the accepted part of a change. Meanwhile, the agent waits for its answer.
// The caller holds the lock.
func (a *pendingRequest) acceptPart(answer core.Answer) {
	r := a.up.relay
	if r.ending {
		a.wrote(answer, context.Canceled)
		return
	}
	ctx, stop := context.WithCancel(r.ctx)
	a.part.stop = stop
	r.work.Go(func() {
		defer stop()
		err := partial.Write(ctx, r.ctx, a.part.files, answer.Accepted[0])
		r.mu.Lock()
		defer r.mu.Unlock()
		a.wrote(answer, err)
	})
}

// wrote rejects the call whose part was written, and says what was written and what was not.
// The caller holds the lock.
func (a *pendingRequest) wrote(answer core.Answer, failure error) {
	r, s, accepted := a.up.relay, a.session, answer.Accepted[0]
	withdrawn := !a.isOpen()
	if !withdrawn {
		a.close()
		rejected := rawmsg.Encode(v1.RequestPermissionResponse{Outcome: v1.PermissionOutcome{Outcome: v1.OutcomeSelected, OptionID: a.part.reject.ID}})
		a.record(rawmsg.Result, rejected)
		a.up.rpc.Put(rawmsg.Response(a.id, rawmsg.Result, rejected))
	}
	switch {
	case failure == nil:
		a.decided(consent.Of(a.call, time.Now()).Answered(answer.Chosen, answer.By).InPart(true))
		s.memory.parts.written++
		id := a.call.ID + ".part-" + strconv.Itoa(s.memory.parts.written)
		tell(s, partial.Call(id, s.cwd, accepted).AppendJSON(nil))
		s.memory.parts.unsent = append(s.memory.parts.unsent, partial.Message(s.cwd, accepted))
	case withdrawn:
		a.note(a.open(notWaiting))
	default:
		a.decided(a.open("the accepted part was not written: " + failure.Error()))
		tell(s, r.client.noticeOf("error", "The part of the change that you accepted was not written.", failure.Error()))
	}
}

// isWriting reports whether an accepted part is being written. The caller holds the lock.
func (a *pendingRequest) isWriting() bool { return a.part != nil && a.part.stop != nil }

// parts are the accepted parts of changes in a session. The relay's mutex guards them.
type parts struct {
	written int
	unsent  []string // messages that the agent did not get yet
}

// prompt removes the messages, and returns them as the blocks of a prompt. It returns nil if
// the agent was told everything.
func (p *parts) prompt() []byte {
	if len(p.unsent) == 0 {
		return nil
	}
	text := strings.Join(p.unsent, "\n\n")
	p.unsent = nil
	return append(append([]byte(`[{"type":"text","text":`), rawmsg.Quote(text)...), "}]"...)
}

// tell shows the user an update of the relay's own, now or with the next turn. The caller
// holds the lock.
func tell(s *session, body []byte) {
	if s.forgotten {
		return
	}
	s.noteUpdate(body, false)
	n := updateNotification(s.id, body)
	if s.turn.isRunning() && !s.turn.gate.Load() {
		s.relay.view.Send(n)
		return
	}
	s.late.hold(&n)
}

// goOn tells the agent, which ended its turn, about the changes that were made in part. It
// reports whether it did; the turn then goes on. It doesn't if the agent has reached a limit,
// or refuses to go on. The caller holds the lock.
func (q *request) goOn(m jsonrpc.Message) bool {
	s := q.session
	switch v1.StopReason(rawmsg.MemberText(objectOf(m.Result), "stopReason")) {
	case v1.StopEndTurn, v1.StopCancelled: // some agents end a turn in which the user rejected something
	default:
		return false
	}
	if len(s.turn.prompts) > 1 {
		return false
	}
	blocks := s.memory.parts.prompt()
	if blocks == nil {
		return false
	}
	showPrompt(blocks, func(body []byte) { tell(s, body) })
	q.params = withMember(withMember([]byte("{}"), "sessionId", rawmsg.Quote(s.id)), "prompt", blocks)
	q.again = goesOn
	q.up.send(q)
	return true
}

// withParts returns the params of a prompt, with what the agent could not be told before. A
// command stays as it is: the agent is told when it has ended. The caller holds the lock.
func (q *request) withParts(params []byte) []byte {
	s := q.session
	prompt, _, _ := rawmsg.Member(params, "prompt")
	if len(prompt) == 0 || prompt[0] != '[' || strings.HasPrefix(promptText(prompt), "/") {
		return params
	}
	blocks := s.memory.parts.prompt()
	if blocks == nil {
		return params
	}
	showPrompt(blocks, func(body []byte) { tell(s, body) })
	blocks = blocks[:len(blocks)-1]
	for block := range rawjson.Elements(prompt) {
		blocks = append(append(blocks, ','), block...)
	}
	return rawmsg.Replace(params, "prompt", append(blocks, ']'))
}

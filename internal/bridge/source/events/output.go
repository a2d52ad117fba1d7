package events

import (
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/normalize"
	"github.com/turnwire/turnwire/internal/bridge/acpmap"
	"github.com/turnwire/turnwire/internal/bridge/core"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// An output shows a session to the editor. Sending blocks while the editor does not
// read. It belongs to the session's goroutine, and until that starts, to the goroutine
// that opens the session.
type output struct {
	peers    *peers
	turn     *turn
	children *children
	frames   [2]frames   // of messages and of thoughts
	queued   []addressed // updates for the next turn; see updateOf
	opening  bool        // the editor does not know the session yet
	early    []func()    // sends to run once the editor knows the session
}

// An addressed update is an update with its session.
type addressed struct {
	session string
	update  v1.Update
}

// begin starts a turn.
func (o *output) begin() {
	o.children.begin()
	o.sendQueued()
}

// sessionOf returns the session that shows a call.
func (o *output) sessionOf(t *normalize.Tool) string { return o.children.of(t) }

// text appends one or more pieces of text to the stream. ends holds the end offset of
// each piece; nil means one piece. This is the hot path.
func (o *output) text(kind v1.ChunkKind, messageID string, text agent.Text, ends []int) {
	if !o.turn.running { // the end of a turn that waited for a prompt
		o.update(&v1.MessageChunk{Kind: kind, Content: &v1.TextBlock{Text: text.Clone()}, MessageID: messageID})
		return
	}
	lane := 0
	if kind == v1.AgentThought {
		lane = 1
	}
	o.turn.show(lane == 0 && (o.turn.visible || strings.TrimSpace(text.String()) != ""))
	o.peers.sent(o.peers.view.Chunks(o.frames[lane].of(o.peers.id, kind, messageID), rawjson.Body(text), ends))
}

// maxQueuedUpdates bounds the updates queued for the next turn. Ending all tool calls
// never needs more.
const maxQueuedUpdates = 1 << 10

// update sends an update of the session itself.
func (o *output) update(u v1.Update) { o.updateOf(addressed{o.peers.id, u}) }

// updateOf sends an update of the session or of a sub-agent. An update that belongs to
// a turn but arrives between turns is queued for the next turn, because editors treat
// it as a bug.
func (o *output) updateOf(a addressed) {
	if !o.turn.running && ofTurn(a.update) {
		if len(o.queued) == maxQueuedUpdates {
			o.peers.log.Warn("dropped an update that was waiting for a turn")
			o.queued = o.queued[1:]
		}
		o.queued = append(o.queued, a)
		return
	}
	if o.turn.running && acpmap.IsVisible(a.update) {
		o.turn.show(true)
	}
	o.send(a)
}

// step sends the updates of a step.
func (o *output) step(step normalize.Step) {
	o.children.show(step, acpmap.Map(step, o.peers.client.shows), o.updateOf)
	if o.peers.client.shows.Events && acpmap.Private(step) {
		o.private(step.Event)
	}
}

// ofTurn reports whether an update belongs to a turn.
func ofTurn(u v1.Update) bool {
	switch u.(type) {
	case *v1.MessageChunk, *v1.ToolCall, *v1.ToolCallUpdate, *v1.Plan, *v1.PlanUpdate, *v1.PlanRemoved, *v1.SubagentUpdate, *v1.SessionMessage:
		return true
	}
	return false
}

// sendQueued sends the updates queued for the turn.
func (o *output) sendQueued() {
	updates := o.queued
	o.queued = nil
	for _, a := range updates {
		o.send(a)
	}
}

func (o *output) send(a addressed) {
	if o.opening {
		switch a.update.(type) {
		case *v1.CurrentModeUpdate, *v1.ConfigOptionUpdate: // the response that opens the session includes them
		default:
			o.whenOpen(func() { o.send(a) })
		}
		return
	}
	o.peers.sent(o.peers.view.Update(a.session, a.update, v1.Times{}))
}

// maxDepth bounds the nesting of an event that is sent unchanged: strict readers refuse
// a line with more than 128 levels.
const maxDepth = 100

// private sends an event that has no counterpart in ACP. Parts that are nested too
// deeply are sent as text.
func (o *output) private(e agent.Event) {
	event := rawjson.Shallow(agent.AppendJSON(nil, e), maxDepth)
	line := append([]byte(nil), `{"jsonrpc":"2.0","method":"`+v1.MethodEvent+`","params":{"sessionId":`...)
	line = append(rawjson.AppendString(line, o.peers.id), `,"event":`...)
	line = append(append(line, event...), `}}`...)
	send := func() { o.peers.sent(o.peers.view.Relay(core.Notification{Line: line, Session: o.peers.id})) }
	if o.opening {
		o.whenOpen(send)
		return
	}
	send()
}

// hold queues everything sent from now on until open is called.
func (o *output) hold() { o.opening = true }

// open sends what was held. The editor now knows the session.
func (o *output) open() {
	o.opening = false
	for _, send := range o.early {
		send()
	}
	o.early = nil
}

// whenOpen queues send until open. The queue is bounded.
func (o *output) whenOpen(send func()) {
	if len(o.early) < maxQueuedUpdates {
		o.early = append(o.early, send)
	}
}

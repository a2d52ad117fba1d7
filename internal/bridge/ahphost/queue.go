package ahphost

import (
	"errors"
	"time"

	"github.com/turnwire/turnwire/internal/protocol/ahp"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

const (
	// startDelay delays a turn that the host starts. VS Code does not show a turn that
	// has already ended when it looks.
	startDelay = 100 * time.Millisecond
	// maxQueued bounds the queued messages.
	maxQueued = 100
)

var errOthers = errors.New("another client sent the message, and the agent received it")

// A queue passes the messages of the host's clients to the agent, one turn at a time.
// The queued messages are in the chat's state. The host's mutex guards it.
type queue struct {
	chat     *chat
	turn     *turn
	others   *others
	pending  *pendingRequests
	choices  *choices
	remote   *remote
	after    func(after time.Duration, do func()) *time.Timer
	save     func()              // saves the session
	warning  string              // for the next turn
	unsaved  bool                // the agent has not saved the session, because it got no message
	begun    *ahp.PendingMessage // its turn is shown, and it is not sent yet; or nil
	deferred *deferred           // its turn is shown, and starts once the agent has stopped working on a cancelled one; or nil
}

// deferred is a client's turn that the agent has not begun.
type deferred struct {
	turn    string
	message ahp.PendingMessage // with the id that it gets if it is queued
}

// start starts a client's turn.
func (q *queue) start(d *dispatched, a *ahp.TurnStarted) error {
	q.turn.endUnsolicited()
	switch {
	case a.TurnID == "" || len(a.TurnID) > maxText:
		return errors.New("turnId is missing, or too long")
	case q.chat.active() != nil:
		return errors.New("a turn is running: queue the message, or cancel the turn first")
	case q.chat.hasEnded(a.TurnID):
		return errors.New("the turnId was already used")
	case a.QueuedMessageID != "" && q.others.has(a.QueuedMessageID):
		return errOthers
	case q.others.wait() && a.QueuedMessageID != "":
		return errors.New("messages of other clients come first: it stays queued")
	case q.others.wait() && len(q.chat.queued()) < maxQueued:
		d.reject("messages of other clients come first: it was queued")
		q.chat.say(nil, &ahp.PendingMessageSet{Kind: ahp.PendingQueued, ID: "message-" + q.chat.newID(), Message: a.Message})
		q.save()
		return nil
	}
	if _, err := time.Parse(time.RFC3339, a.StartedAt); err != nil {
		a.StartedAt = "" // clients calculate with it
	}
	q.chat.start(d.origin(), *a)
	q.begin(a.TurnID, a.Message)
	return nil
}

// add queues a message. A steering message goes to the agent if that reads messages during
// a turn. Otherwise it is queued too.
func (q *queue) add(d *dispatched, a *ahp.PendingMessageSet) error {
	switch {
	case a.ID == "" || len(a.ID) > maxText:
		return errors.New("id is missing, or too long")
	case q.others.has(a.ID):
		return errOthers
	case q.chat.isSteering(a.ID):
		return errSteered
	case len(q.chat.queued()) >= maxQueued:
		return errors.New("too many queued messages")
	case a.Kind == ahp.PendingQueued:
		q.chat.say(d.origin(), a)
	case a.Kind == ahp.PendingSteering && q.steers():
		q.steer(d, a)
		q.save()
		return nil
	case a.Kind == ahp.PendingSteering:
		d.reject("the agent accepts no message now: it was queued")
		q.chat.say(nil, &ahp.PendingMessageSet{Kind: ahp.PendingQueued, ID: a.ID, Message: a.Message})
	default:
		return errors.New("the kind must be queued or steering")
	}
	q.save()
	q.next()
	return nil
}

// begin makes the agent work on a turn that clients already see.
func (q *queue) begin(turn string, m ahp.Message) {
	if q.turn.runs() { // it was cancelled, but is not answered yet
		q.deferred = &deferred{turn, ahp.PendingMessage{ID: "message-" + q.chat.newID(), Message: m}}
		q.save()
		return
	}
	q.turn.begin(turn)
	if warning := q.warning; warning != "" {
		q.warning = ""
		q.turn.notice(warning)
	}
	q.submit(m)
}

// submit sends the agent the message of the turn that was begun.
func (q *queue) submit(m ahp.Message) {
	r := q.remote.record
	q.unsaved = q.unsaved || r.ACP == ""
	r.Sent = &sentMessage{ID: q.turn.running.message, Message: m, First: q.unsaved}
	end := func(reason v1.StopReason, err error) {
		if err == nil || !q.remote.agent.host.closed {
			r.Sent = nil
		}
		if _, unread := errors.AsType[*unreadError](err); unread && q.chat.ready() { // its clients may all be gone
			q.chat.giveBack(m)
		}
		q.turn.end(reason, err)
	}
	q.remote.connect(func(err error) {
		if err != nil {
			end("", err)
			return
		}
		q.choices.prepare(&m, func() {
			if !q.turn.shown() { // cancelled meanwhile
				end(v1.StopCancelled, nil)
				return
			}
			q.unsaved = false
			q.remote.prompt(q.turn.running.message, m, end)
		})
		q.save()
	})
}

// resume starts the deferred turn, and reports whether it did. Other clients' prompts come
// first. If the host ends, the message is saved.
func (q *queue) resume() bool {
	d := q.deferred
	if d == nil || q.others.any() || q.remote.agent.host.closed {
		return false
	}
	q.deferred = nil
	q.begin(d.turn, d.message.Message)
	return true
}

// next starts a turn with the first message that a client queued. If the host ends, the
// messages stay in the queue, which is saved.
func (q *queue) next() {
	if !q.chat.ready() || q.turn.runs() || q.chat.active() != nil || q.remote.agent.host.closed {
		return
	}
	for _, m := range q.chat.queued() {
		if q.others.has(m.ID) {
			continue
		}
		if q.remote.wasLost {
			q.remote.refresh(q.next)
			return
		}
		turn := q.chat.newTurn()
		q.chat.start(nil, ahp.TurnStarted{TurnID: turn, Message: m.Message, QueuedMessageID: m.ID})
		q.turn.begin(turn)
		q.begun = &m
		q.after(startDelay, func() {
			if q.begun == &m {
				q.begun = nil
				q.submit(m.Message)
			}
		})
		return
	}
}

// postpone ends the turn of a message that is not sent yet, and queues the message again: turns
// of other clients come first. It reports whether it did.
func (q *queue) postpone() bool {
	m := q.unsent()
	if m == nil {
		return false
	}
	if q.turn.shown() {
		q.turn.close(v1.StopCancelled)
		q.begun = nil
	} else { // the agent works on an earlier turn
		q.chat.say(nil, &ahp.TurnWasCancelled{TurnID: q.deferred.turn})
		q.deferred = nil
	}
	q.chat.say(nil, &ahp.PendingMessageSet{Kind: ahp.PendingQueued, ID: m.ID, Message: m.Message})
	if len(q.chat.queued()) > 1 {
		q.chat.say(nil, &ahp.QueuedMessagesReordered{Order: []string{m.ID}})
	}
	return true
}

// unsent returns the message whose turn clients see, but that the agent has not been sent, or
// nil.
func (q *queue) unsent() *ahp.PendingMessage {
	switch {
	case q.begun != nil && q.turn.shown():
		return q.begun
	case q.deferred != nil && q.chat.isActive(q.deferred.turn):
		return &q.deferred.message
	}
	return nil // or a client stopped the turn
}

// isEmpty reports whether no message is queued.
func (q *queue) isEmpty() bool {
	return q.deferred == nil && len(q.chat.queued()) == 0 && q.chat.state.SteeringMessage == nil
}

// maxSavedQueue bounds the saved messages, in bytes. They may contain images.
const maxSavedQueue = maxRecord / 2

// saved returns the messages that must survive a restart: those that the agent may not have
// read. Other clients save their own.
func (q *queue) saved() (all []ahp.PendingMessage) {
	waiting := q.chat.queued()
	if m := q.chat.state.SteeringMessage; m != nil {
		waiting = append([]ahp.PendingMessage{*m}, waiting...)
	}
	if m := q.unsent(); m != nil {
		waiting = append([]ahp.PendingMessage{*m}, waiting...)
	}
	size := 0
	for _, m := range waiting {
		if size += len(rawmsg.Encode(m)); q.others.has(m.ID) || size > maxSavedQueue {
			continue
		}
		all = append(all, m)
	}
	return all
}

// cancel makes the agent stop.
func (q *queue) cancel() {
	if q.begun != nil { // the agent knows nothing of the turn
		q.begun = nil
		q.turn.end(v1.StopCancelled, nil)
		return
	}
	q.deferred = nil
	q.remote.cancel()
	q.pending.cancel()
}

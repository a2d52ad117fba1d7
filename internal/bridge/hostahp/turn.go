package hostahp

import (
	"time"

	"github.com/turnwire/turnwire/internal/bridge/mapahp"
	"github.com/turnwire/turnwire/internal/protocol/ahp"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

const (
	// throttle is how often a tool's output is sent, all of it each time.
	throttle = 100 * time.Millisecond
	// unsolicitedIdle is how long a turn that no prompt started lasts after its last word.
	unsolicitedIdle = 2 * time.Second
)

// A turn is what the agent works on, and shows what the agent says meanwhile. The
// host's mutex guards it.
type turn struct {
	chat   *chat
	mapper *mapahp.Mapper
	later  func(after time.Duration, do func()) *time.Timer
	asking func() bool // reports whether the agent waits for the user
	done   func()      // called after the agent did its work

	running  *running    // nil if the agent does nothing
	flushing *time.Timer // until tools' output is sent
	idle     *time.Timer // until an unsolicited turn ends
}

// running is a turn on which the agent works. Clients may have seen it end before: what
// the agent says until it stops is not shown.
type running struct {
	id          string
	own         bool // a client of this host started it
	unsolicited bool // no prompt started it
	began       time.Time
}

func (t *turn) runs() bool { return t.running != nil }

func (t *turn) isOwn() bool { return t.running != nil && t.running.own }

func (t *turn) isUnsolicited() bool { return t.running != nil && t.running.unsolicited }

// shown reports whether clients see the turn on which the agent works.
func (t *turn) shown() bool { return t.running != nil && t.chat.isActive(t.running.id) }

// begin notes that the agent works on a client's turn, which clients see already.
func (t *turn) begin(id string) {
	t.running = &running{id: id, own: true, began: time.Now()}
	t.mapper.Start(id)
}

// start shows a turn that no client of this host started.
func (t *turn) start(r running, m ahp.Message, queuedID string) {
	r.id, r.began = t.chat.newTurn(), time.Now()
	t.running = &r
	t.chat.start(nil, ahp.TurnStarted{TurnID: r.id, Message: m, QueuedMessageID: queuedID})
	t.mapper.Start(r.id)
}

// startHidden notes that the agent works on something while clients see another turn.
func (t *turn) startHidden() { t.running = &running{began: time.Now()} }

// end ends the agent's work, with an error if err is set.
func (t *turn) end(reason v1.StopReason, err error) {
	if err != nil && t.shown() {
		t.chat.say(nil, t.mapper.Fail(err.Error(), t.lasted())...)
	}
	t.close(reason)
	t.done()
}

// close is end, but nothing follows.
func (t *turn) close(reason v1.StopReason) {
	if t.shown() {
		t.chat.say(nil, t.mapper.End(reason, t.lasted())...)
	}
	t.running = nil
}

// lasted returns how long the turn lasted, in milliseconds.
func (t *turn) lasted() int64 {
	if !t.chat.ready() {
		return 0
	}
	return time.Since(t.running.began).Milliseconds()
}

// endUnsolicited ends a turn that no prompt started.
func (t *turn) endUnsolicited() {
	if t.isUnsolicited() {
		t.close(v1.StopEndTurn)
	}
}

// speak ensures that there is a turn for what the agent says. One that no prompt
// started ends soon after its last word.
func (t *turn) speak() {
	switch {
	case t.running == nil && t.chat.active() == nil:
		t.start(running{unsolicited: true}, ahp.Message{Origin: ahp.Origin{Kind: ahp.FromUser}}, "")
	case !t.isUnsolicited():
		return
	}
	if !t.chat.ready() {
		return
	}
	if t.idle != nil {
		t.idle.Reset(unsolicitedIdle)
		return
	}
	t.idle = t.later(unsolicitedIdle, func() {
		t.idle = nil
		if t.isUnsolicited() && !t.asking() {
			t.end(v1.StopEndTurn, nil)
		}
	})
}

// update shows an update that is part of an answer.
func (t *turn) update(u v1.Update) {
	if t.running == nil || t.running.unsolicited {
		if _, usage := u.(*v1.UsageUpdate); usage {
			return
		}
		t.speak()
	}
	if !t.shown() {
		return // the user stopped the turn
	}
	t.chat.say(nil, t.mapper.Update(u)...)
	if !t.chat.ready() || t.flushing != nil || !t.mapper.Waits() {
		return
	}
	t.flushing = t.later(throttle, func() {
		t.flushing = nil
		if t.shown() {
			t.flush()
		}
	})
}

// flush shows what tools printed.
func (t *turn) flush() { t.chat.say(nil, t.mapper.Flush()...) }

// notice shows a sentence of the host's.
func (t *turn) notice(text string) {
	t.speak()
	if t.shown() {
		t.chat.say(nil, t.mapper.Notice(text)...)
	}
}

// stopTimers stops what would happen later.
func (t *turn) stopTimers() { stop(t.flushing, t.idle) }

func stop(timers ...*time.Timer) {
	for _, t := range timers {
		if t != nil {
			t.Stop()
		}
	}
}

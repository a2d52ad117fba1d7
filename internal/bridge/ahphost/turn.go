package ahphost

import (
	"slices"
	"time"

	"github.com/turnwire/turnwire/internal/bridge/ahpmap"
	"github.com/turnwire/turnwire/internal/protocol/ahp"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

const (
	// throttle is the interval at which a tool's whole output is sent.
	throttle = 100 * time.Millisecond
	// unsolicitedIdle is how long an unsolicited turn lasts after its last update.
	unsolicitedIdle = 2 * time.Second
)

// A turn is the turn that the agent works on. It shows the agent's updates. The host's
// mutex guards it.
type turn struct {
	chat    *chat
	rewinds *rewinds
	mapper  *ahpmap.Mapper
	after   func(after time.Duration, do func()) *time.Timer
	asking  func() bool // reports whether the agent waits for the user
	done    func()      // called when the agent has finished its work

	running  *running    // nil if the agent is idle
	flushing *time.Timer // runs until tools' output is sent
	idle     *time.Timer // runs until an unsolicited turn ends
}

// running is a turn on which the agent works. If clients already saw it end, the
// agent's further updates are not shown.
type running struct {
	id          string
	own         bool   // a client of this host started it
	unsolicited bool   // no prompt started it
	message     string // the id of the message that started it, or ""
	began       time.Time
	// earlier are the turns that clients saw before, if the agent has read messages in it.
	earlier []string
}

func (t *turn) runs() bool { return t.running != nil }

func (t *turn) isOwn() bool { return t.running != nil && t.running.own }

func (t *turn) isUnsolicited() bool { return t.running != nil && t.running.unsolicited }

// shown reports whether clients see the turn on which the agent works.
func (t *turn) shown() bool { return t.running != nil && t.chat.isActive(t.running.id) }

// continues reports whether the turn that clients see continues an earlier one.
func (t *turn) continues(id string) bool { return t.shown() && slices.Contains(t.running.earlier, id) }

// begin records that the agent works on a client's turn, which clients already see.
func (t *turn) begin(id string) {
	t.running = &running{id: id, own: true, message: id, began: time.Now()}
	t.rewinds.begin(id, id)
	t.mapper.Start(id)
}

// start shows a turn that no client of this host started.
func (t *turn) start(r running, m ahp.Message, queuedID string) {
	r.id, r.began = t.chat.newTurn(), time.Now()
	t.running = &r
	if r.message != "" {
		t.rewinds.begin(r.id, r.message)
	}
	t.chat.start(nil, ahp.TurnStarted{TurnID: r.id, Message: m, QueuedMessageID: queuedID})
	t.mapper.Start(r.id)
}

// startHidden records that the agent works on a turn while clients see another.
func (t *turn) startHidden() { t.running = &running{began: time.Now()} }

// end ends the turn, with an error if err is set.
func (t *turn) end(reason v1.StopReason, err error) {
	if err != nil && t.shown() {
		t.chat.say(nil, t.mapper.Fail(err.Error(), t.lasted())...)
	}
	t.close(reason)
	t.done()
}

// close is like end, but does not call done.
func (t *turn) close(reason v1.StopReason) {
	if t.shown() {
		t.chat.say(nil, t.mapper.End(reason, t.lasted())...)
	}
	t.running = nil
}

// lasted returns the duration of the turn in milliseconds.
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

// speak ensures that updates have a turn to appear in. An unsolicited turn ends soon
// after its last update.
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
	t.idle = t.after(unsolicitedIdle, func() {
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
	t.flushing = t.after(throttle, func() {
		t.flushing = nil
		if t.shown() {
			t.flush()
		}
	})
}

// flush shows what tools printed.
func (t *turn) flush() { t.chat.say(nil, t.mapper.Flush()...) }

// notice shows one of the host's own messages.
func (t *turn) notice(text string) {
	t.speak()
	if t.shown() {
		t.chat.say(nil, t.mapper.Notice(text)...)
	}
}

// stopTimers stops all timers.
func (t *turn) stopTimers() { stop(t.flushing, t.idle) }

func stop(timers ...*time.Timer) {
	for _, t := range timers {
		if t != nil {
			t.Stop()
		}
	}
}

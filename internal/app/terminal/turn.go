package terminal

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/turnwire/turnwire/internal/bridge/consent"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

const (
	// spinTime is the time between two frames of a spinner. frameTime is the minimum time
	// between two redraws: faster changes are invisible.
	spinTime  = 100 * time.Millisecond
	frameTime = 15 * time.Millisecond
	// stopGrace is how long the agent may take to end the turn when the process is asked
	// to exit.
	stopGrace = time.Second
)

// A view shows a turn.
type view interface {
	update(raw []byte, u v1.Update)
	say(text string)
	wait(text string)
	// mode sets the current mode without showing it.
	mode(id string)
	// subject returns the tool call of a permission request.
	subject(f *v1.ToolCallFields) *toolCall
	// decided records whether a call may run.
	decided(tool *toolCall, allowed bool)
	prompt(p prompt)
	pressed(p prompt, k key)
	answered(p prompt)
	// ready sets whether keys answer the open prompt.
	ready(ready bool)
	tick()
	busy() bool
	flush() error
	end(r *report) error
}

// A turn is the loop's state. Only the loop uses it.
type turn struct {
	opts        *Options
	client      *client
	view        view
	interactive bool     // the user can be asked
	open        []prompt // the first is shown; the others wait
	focus       focus
	cancelled   bool
	timedOut    bool
	calls       calls
	answers     answers
	result      report
	clientID    string // this client's id among the attached clients
	others      int    // the running turns of other clients
	over        bool   // the turn ended after the open prompt was shown
}

// errLeave ends the loop immediately.
var errLeave = errors.New("cancelled")

func (t *turn) loop(ctx context.Context, keys <-chan key, interrupts <-chan os.Signal) (*ended, error) {
	ticks := time.NewTicker(spinTime)
	defer ticks.Stop()
	done := ctx.Done()
	var grace, frame, limit <-chan time.Time
	if t.opts.Timeout > 0 {
		limit = time.After(t.opts.Timeout)
	}
	for {
		var err error
		select {
		case m := <-t.client.messages:
			if end, ok := m.(*ended); ok {
				return end, nil
			}
			t.message(m)
		case k := <-keys:
			err = t.key(k)
		case <-interrupts:
			err = t.interrupt()
		case <-ticks.C:
			if t.view.busy() {
				t.view.tick()
			}
		case <-frame:
			frame = nil
			err = t.view.flush()
		case <-done:
			done = nil
			grace = time.After(stopGrace)
			if !t.cancelled {
				err = t.interrupt()
			}
		case <-limit:
			t.timedOut = true
			grace = time.After(stopGrace)
			if !t.cancelled {
				err = t.interrupt()
			}
		case <-grace:
			err = errLeave
		}
		if err != nil {
			return nil, err
		}
		t.view.ready(t.focus.ready(time.Now()))
		if frame == nil {
			frame = time.After(frameTime)
		}
	}
}

func (t *turn) message(m message) {
	switch m := m.(type) {
	case *opened:
		t.result.SessionID = m.session
		if t.opts.Opened != nil {
			t.opts.Opened(m.session)
		}
	case *joined:
		t.clientID = m.clientID
		for _, h := range m.history {
			t.message(h)
		}
	case *inMode:
		t.view.mode(m.id)
	case *updated:
		t.result.update(m.update)
		t.ruled(m.update)
		t.calls.update(m.update)
		t.view.update(m.raw, m.update)
		if m.update == nil && t.opts.Follow != "" {
			if event, ok := eventOf(m.raw); ok {
				t.followed(event)
			}
		}
	case *permissionAsked:
		t.permission(m)
	case *questionAsked:
		t.question(m)
	case *withdrawn:
		for _, p := range t.open {
			if p.request() == m.id {
				p.withdraw(t.over)
				t.settle(p)
				break
			}
		}
	}
}

func (t *turn) permission(m *permissionAsked) {
	options := m.request.Options
	tool := t.view.subject(&m.request.ToolCall.ToolCallFields)
	call := t.calls.merged(&m.request.ToolCall.ToolCallFields)
	unasked := func(why string) v1.RequestPermissionResponse {
		r := rejection(options)
		r.Meta = v1.Meta{consent.Unasked: why}
		return r
	}
	refuse := func(why string, result v1.RequestPermissionResponse) {
		t.view.decided(tool, false)
		t.result.deny(&call.ToolCallFields, why)
		t.client.answer(m.id, result)
		if why != "" {
			t.view.say("refused " + why + ": " + call.caption())
		}
	}
	allow, canAllow := optionOf(options, v1.AllowOnce)
	switch {
	case t.cancelled:
		refuse("", unselected())
	case t.opts.Deny:
		refuse("by --deny", rejection(options))
	case t.opts.Yes && canAllow:
		t.view.decided(tool, true)
		t.client.answer(m.id, selected(allow))
	case t.opts.Yes:
		refuse("because it has no option to allow once", unasked("--yes only allows once, which is not offered"))
	case !t.interactive:
		refuse(whyNot(options), unasked("the user cannot be asked"))
	default:
		c := newConfirm(m, tool)
		c.detaches = t.opts.Follow != ""
		t.push(c)
	}
}

func (t *turn) question(m *questionAsked) {
	var action string
	switch {
	case t.cancelled:
		action = v1.ElicitCancel
	case m.request.Mode != v1.ElicitForm && (m.request.Mode != v1.ElicitURL || m.request.URL == ""):
		action = v1.ElicitDecline
	case t.answers.fit(m):
		t.client.answer(m.id, t.answers.next(m))
		return
	case !t.interactive:
		action = v1.ElicitCancel
		t.view.say("not answered because the user cannot be asked: " + cleanLine(m.request.Message))
	default:
		t.push(newForm(m))
		return
	}
	t.client.answer(m.id, v1.ElicitationResponse{Action: action})
}

func (t *turn) push(p prompt) {
	t.open = append(t.open, p)
	if len(t.open) == 1 {
		t.show(p)
	}
}

// show asks p.
func (t *turn) show(p prompt) {
	t.over = false
	t.view.prompt(p)
	t.focus.opened(time.Now())
}

// settle answers p and shows the next prompt.
func (t *turn) settle(p prompt) {
	t.client.answer(p.request(), p.answer())
	if c, ok := p.(*confirm); ok {
		if !c.allowed() {
			t.result.deny(&c.tool.ToolCallFields, c.decider())
		}
		t.view.decided(c.tool, c.allowed())
	}
	first := t.open[0] == p
	rest := make([]prompt, 0, len(t.open)-1)
	for _, o := range t.open {
		if o != p {
			rest = append(rest, o)
		}
	}
	t.open = rest
	if !first {
		return
	}
	t.view.answered(p)
	if len(rest) > 0 {
		t.show(rest[0])
	}
}

// key handles a key during a run.
func (t *turn) key(k key) error {
	ready := t.focus.press(k.at)
	switch {
	case k.code == keyEnd && t.opts.Follow != "":
		return errLeave // a client that leaves doesn't answer for the others
	case k.code == keyEnd:
		t.inputEnded(k)
	case len(t.open) > 0:
		_, err := t.answer(k, ready)
		return err
	case k.code == keyInterrupt:
		return t.interrupt()
	}
	return nil
}

// answer passes a key to the open prompt if the prompt is ready for it. It reports
// whether the prompt used the key. An interrupt is always passed on.
func (t *turn) answer(k key, ready bool) (used bool, err error) {
	if !ready && k.code != keyInterrupt {
		return false, nil
	}
	p := t.open[0]
	switch p.press(k) {
	case decided:
		t.settle(p)
	case cancelTurn:
		err = t.interrupt()
	case undecided:
		t.focus.taken = true
		t.view.pressed(p, k)
	case ignored:
		return false, nil
	}
	return true, err
}

// inputEnded refuses all open requests, because the user is gone.
func (t *turn) inputEnded(end key) {
	t.interactive = false
	for len(t.open) > 0 {
		p := t.open[0]
		p.press(end)
		t.settle(p)
	}
}

// interrupt cancels the turn. If the turn is already cancelled, it leaves.
func (t *turn) interrupt() error {
	if t.cancelled || !t.cancel() {
		return errLeave
	}
	t.cancelled = true
	for len(t.open) > 0 {
		t.settle(t.open[0])
	}
	t.view.wait("cancelling; press Ctrl-C again to quit now")
	return nil
}

// cancel cancels the user's turn, or else that of another client. It reports whether there
// is one.
func (t *turn) cancel() bool {
	if t.client.cancel() {
		return true
	}
	if t.others > 0 {
		t.client.cancelIn(t.result.SessionID)
	}
	return t.others > 0
}

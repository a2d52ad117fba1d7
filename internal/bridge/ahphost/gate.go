package ahphost

import "errors"

// A gate holds back clients' actions while the turns of their chat change. The host's mutex
// guards it.
type gate struct {
	act     func(*dispatched) error
	isShut  bool
	yields  bool // to a cancel
	waiting []*dispatched
}

// shut makes actions wait.
func (g *gate) shut() { g.isShut = true }

// shutFor makes an action wait, and those that follow it, until the gate opens or the user
// cancels.
func (g *gate) shutFor(d *dispatched) { g.isShut, g.yields, g.waiting = true, true, []*dispatched{d} }

// isShutFor reports whether an action is the first that waits.
func (g *gate) isShutFor(d *dispatched) bool { return len(g.waiting) > 0 && g.waiting[0] == d }

// hold makes an action wait.
func (g *gate) hold(d *dispatched) error {
	if len(g.waiting) >= maxQueued {
		return errors.New("too many actions wait for the chat")
	}
	g.waiting = append(g.waiting, d)
	return nil
}

// open applies the actions that waited.
func (g *gate) open() {
	waiting := g.waiting
	g.isShut, g.yields, g.waiting = false, false, nil
	for _, d := range waiting {
		if err := g.act(d); err != nil {
			d.reject(err.Error())
		}
	}
}

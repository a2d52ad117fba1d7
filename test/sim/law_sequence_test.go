package sim

import "fmt"

// sequenceLaw: the numbers of the actions that an AHP client gets grow, also when it connects
// again, to the same server or to a restarted one. So a replay repeats nothing.
type sequenceLaw struct{}

func newSequence() law { return sequenceLaw{} }

func (sequenceLaw) name() string { return "the numbers of actions grow" }

func (sequenceLaw) see(*World, *event) error { return nil }

// watch implements [watcherLaw].
func (sequenceLaw) watch(_ *World, n *notice) error {
	if n.kind == acted && n.seq <= n.before {
		return fmt.Errorf("%s gets the action %d after %d", n.mirror.name, n.seq, n.before)
	}
	return nil
}

func (sequenceLaw) end(*World) error { return nil }

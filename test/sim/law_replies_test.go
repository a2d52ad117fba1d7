package sim

import "fmt"

// repliesLaw: each of an AHP client's requests is answered once, unless its connection broke.
type repliesLaw struct{}

func newReplies() law { return repliesLaw{} }

func (repliesLaw) name() string { return "each request of an AHP client is answered once" }

// watch implements [watcherLaw].
func (repliesLaw) watch(_ *World, n *notice) error {
	switch {
	case n.kind != replied:
	case n.call == nil:
		return fmt.Errorf("%s gets an answer to a request that it never made", n.mirror.name)
	case n.call.answered:
		return fmt.Errorf("%s gets a second answer to %s", n.mirror.name, n.call.method)
	}
	return nil
}

func (repliesLaw) see(w *World, e *event) error {
	if e.kind != rested {
		return nil
	}
	for _, m := range w.live() {
		for _, id := range sortedKeys(m.calls) {
			if one := m.calls[id]; !one.answered {
				return fmt.Errorf("%s never gets an answer to its request %s (%s)", m.name, id, one.method)
			}
		}
	}
	return nil
}

func (repliesLaw) end(*World) error { return nil }

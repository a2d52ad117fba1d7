package sim

import (
	"fmt"
	"slices"
)

// snapshotsLaw: at any time, what an AHP client made of a channel's first state and the later
// actions is what a fresh snapshot says, also after it was connected again. So all clients of a
// channel know the same, and an action that was rejected has changed nothing. A client that
// fetches older turns gets none twice.
type snapshotsLaw struct{}

func newSnapshots() law { return snapshotsLaw{} }

func (snapshotsLaw) name() string { return "AHP clients know what a fresh snapshot says" }

func (snapshotsLaw) see(*World, *event) error { return nil }

// watch implements [watcherLaw].
func (snapshotsLaw) watch(_ *World, n *notice) error {
	switch {
	case n.kind == compared && n.own != n.fresh:
		at := 0
		for at < min(len(n.own), len(n.fresh)) && n.own[at] == n.fresh[at] {
			at++
		}
		at = max(0, at-shownBefore)
		return fmt.Errorf("%s knows of %s\n…%s\nbut a fresh snapshot says\n…%s", n.mirror.name, n.channel, shorten(n.own[at:]), shorten(n.fresh[at:]))
	case n.kind == loadedTurns:
		known := make(map[string]bool)
		for _, t := range slices.Concat(n.turns, n.into) {
			if known[t.ID] {
				return fmt.Errorf("%s gets the turn %s again", n.mirror.name, t.ID)
			}
			known[t.ID] = true
		}
	}
	return nil
}

// shownBefore is how much of two states is shown before they differ, in bytes.
const shownBefore = 100

func (snapshotsLaw) end(*World) error { return nil }

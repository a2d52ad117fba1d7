package sim

import "fmt"

// listedLaw: AHP clients find each session once in the list. A session that one of them has
// created has the name that it got then.
type listedLaw struct {
	saved map[string]bool // the sessions in which a client has seen the turn of a message end
}

func newListed() law { return &listedLaw{make(map[string]bool)} }

func (*listedLaw) name() string { return "AHP clients find each session once" }

func (l *listedLaw) see(w *World, e *event) error {
	if e.kind == shown && e.turn != "" && e.message.result.StopReason == "end_turn" {
		l.saved[e.session] = true
	}
	if e.kind != rested {
		return nil
	}
	for _, list := range w.lists {
		times := make(map[string]int)
		for _, resource := range list.resources {
			if times[resource]++; times[resource] > 1 {
				return fmt.Errorf("%s lists %s twice", list.by.name, resource)
			}
		}
		for _, c := range w.creations {
			channel := list.by.session(c.name)
			switch {
			case c.agent != list.by.agent || c.second != list.second || !c.open || c.disposed || c.empty || !l.saved[c.name] || w.emptied > 0 || w.nats != nil:
			case times[channel] == 0:
				return fmt.Errorf("%s does not list %s", list.by.name, channel)
			case c.id != "" && !c.rewound && times[list.by.session(c.id)] > 0:
				return fmt.Errorf("%s lists %s also as %s", list.by.name, c.name, c.id)
			}
		}
		for _, s := range w.sessions {
			if s.agent == list.by.agent && l.saved[s.id] && !s.deleted && !s.unclear && !s.unsaved && w.nats == nil && times[list.by.session(s.id)] == 0 {
				return fmt.Errorf("%s does not list session %s", list.by.name, s.id)
			}
		}
	}
	return nil
}

// watch implements [watcherLaw].
func (l *listedLaw) watch(w *World, n *notice) error { //nolint:unparam // it implements watcherLaw
	if n.kind != acted || n.action != "chat/turnComplete" {
		return nil
	}
	name, _ := nameOf(n.channel)
	if chat := n.mirror.chats[name]; chat != nil && chat.ActiveTurn != nil && chat.ActiveTurn.Message.Text != "" {
		l.saved[name] = true
		if c := w.creation(name); c != nil {
			c.empty = false
		}
	}
	return nil
}

func (*listedLaw) end(*World) error { return nil }

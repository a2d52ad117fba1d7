package sim

import (
	"fmt"
	"maps"
	"slices"
)

// cancelsLaw: a turn is cancelled only if a client that controls its session did so, or
// its session or its server ends. A session may end if its server can't reach NATS.
type cancelsLaw struct {
	reasons map[string]int       // by session
	arrived map[string]int       // those of reasons that the server has handled
	before  map[*call]int        // the session's handled reasons when the prompt was sent
	late    map[string]bool      // by session: a cancel may arrive at any time, or the session end
	sent    map[string][]*client // by session: who sent a cancel in this step
}

func newCancels() law {
	return &cancelsLaw{make(map[string]int), make(map[string]int), make(map[*call]int), make(map[string]bool), make(map[string][]*client)}
}

func (*cancelsLaw) name() string { return "nobody else cancels a turn" }

// cancelling lists the messages that may cancel a turn. Those in opening cancel one only on
// stdio, because an editor that reopens a session closes it first.
var (
	cancelling = []string{"session/cancel", "session/close", "session/delete", "session/load", "session/resume"}
	opening    = []string{"session/load", "session/resume"}
)

func (l *cancelsLaw) see(w *World, e *event) error {
	switch {
	case e.kind == sent && e.turn != "":
		l.before[e.call] = l.arrived[e.session] + w.stops
	case e.kind == sent && slices.Contains(cancelling, e.message.Method):
		if !e.client.watches(e.session) && (e.client.kind == editor || !slices.Contains(opening, e.message.Method)) {
			l.late[e.session] = l.late[e.session] || e.message.Method != "session/cancel"
			l.sent[e.session] = append(l.sent[e.session], e.client)
			l.reasons[e.session]++
		}
	case e.kind == sent && e.message.Method == "$/cancel_request":
		if c := e.client.calls[string(e.message.params.RequestID)]; c != nil {
			l.sent[c.session] = append(l.sent[c.session], e.client)
			l.reasons[c.session]++
		}
	case e.kind == stopped:
		l.late[e.session] = l.late[e.session] || e.mirror.isReturning() // its cancel waits until it is connected
		l.reasons[e.session]++
	case e.kind == shown && e.call != nil && e.message.result.StopReason == "cancelled":
		if l.reasons[e.session]+w.stops == l.before[e.call] && !l.late[e.session] && !e.client.leaving && !w.isForced(e) && !w.hadOutage() {
			return fmt.Errorf("the prompt %s of %s is cancelled by nobody", e.turn, e.client.name)
		}
	}
	return nil
}

// settled implements [settler]. Until then, one client's cancel may overtake another
// client's prompt.
func (l *cancelsLaw) settled() {
	for session, by := range l.sent {
		for _, c := range by {
			l.late[session] = l.late[session] || !c.isHeard()
		}
	}
	clear(l.sent)
	maps.Copy(l.arrived, l.reasons)
}

func (*cancelsLaw) end(*World) error { return nil }

package sim

import (
	"math/rand/v2"
	"slices"
	"time"
)

// takeOver adds outages to some plans that last longer than a lease, so that sessions may get
// another owner.
func (p *Plan) takeOver(r *rand.Rand) {
	if p.Servers < 2 || r.IntN(2) == 0 {
		return
	}
	for range 1 + r.IntN(4) {
		p.insertOne(r, randomStep(r, [...]op{opUsurp, opBlackout}[r.IntN(2)]))
	}
}

// usurp cuts a server off from NATS until its leases have expired. Meanwhile, a client opens one of
// its sessions at the other server.
func (w *World) usurp(s *Step) string {
	owner, taker, id := w.rivals(s)
	if taker == nil {
		return ""
	}
	did := ""
	if s.C%4 > 0 {
		did = owner.name + " " + prompt(w, owner, id, s) + ", "
		w.settle()
	}
	w.cutOff(owner.server, s)
	time.Sleep(lease + time.Duration(s.C/4%60)*time.Second + w.latency())
	did += owner.server.name + " loses its leases, " + taker.name + " opens " + id
	callSession("session/load", object{"cwd": cwd, "mcpServers": []string{}})(w, taker, id, s)
	time.Sleep(5*time.Second + w.latency())
	if s.C/256%4 > 0 {
		did += " and " + prompt(w, taker, id, s)
	}
	if s.C/1024%2 == 0 {
		did += ", " + owner.name + " " + prompt(w, owner, id, s)
	}
	time.Sleep(time.Duration(s.C/2048%10)*time.Second + w.latency())
	owner.server.repair()
	return did
}

// blackout cuts both servers off from NATS until their leases have expired. Then a client opens
// a session at the server that NATS reaches first.
func (w *World) blackout(s *Step) string {
	owner, taker, id := w.rivals(s)
	if taker == nil {
		return ""
	}
	w.cutOff(owner.server, s)
	w.cutOff(taker.server, s)
	did := "no server reaches NATS"
	if s.C%4 > 0 {
		did += ", " + owner.name + " " + prompt(w, owner, id, s)
	}
	time.Sleep(lease + time.Duration(s.C/4%60)*time.Second + w.latency())
	taker.server.repair()
	callSession("session/load", object{"cwd": cwd, "mcpServers": []string{}})(w, taker, id, s)
	time.Sleep(time.Duration(s.C/256%30)*time.Second + w.latency())
	owner.server.repair()
	return did + ", " + taker.name + " opens " + id
}

// rivals returns a client that has a session, a client of the other server that has not, and the
// session.
func (w *World) rivals(s *Step) (owner, taker *client, id string) {
	if w.second == nil || !w.mayLoseNATS() {
		return nil, nil, ""
	}
	type choice struct {
		by *client
		id string
	}
	var choices []choice
	w.mu.Lock()
	joined := w.isJoined()
	for _, c := range w.clients {
		for _, id := range sortedKeys(c.views) {
			if c.kind == remote && c.controls(id) && c.isSettledIn(id) {
				choices = append(choices, choice{c, id})
			}
		}
	}
	w.mu.Unlock()
	if len(choices) == 0 || !joined {
		return nil, nil, ""
	}
	c := choices[s.B%uint32(len(choices))] //nolint:gosec // few clients
	other := w.server
	if c.by.server == w.server {
		other = w.second
	}
	w.mu.Lock()
	at := slices.IndexFunc(w.clients, func(d *client) bool {
		return d.kind == remote && d.server == other && d.agent == c.by.agent && d.views[c.id] == nil && !d.gone && !d.leaving && d.isHeard()
	})
	if at >= 0 {
		taker = w.clients[at]
	}
	w.mu.Unlock()
	if taker == nil {
		taker = w.connectClient(other, remote, c.by.agent, able[0])
		w.settle()
	}
	return c.by, taker, c.id
}

// cutOff cuts a server off from NATS in one of several ways.
func (w *World) cutOff(from *server, s *Step) {
	from.muted = s.A%3 == 1
	from.leave()
	switch s.A % 3 {
	case 0:
		from.link.Cut(true)
	case 1:
		from.link.Mute(true)
	default:
		from.link.Stall(true)
	}
}

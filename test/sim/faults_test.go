package sim

import "time"

func leave(_ *World, c *client, _ *Step) string {
	c.mark(func() { c.leaving = true })
	_ = c.toServer.Close() // never fails
	return "leaves"
}

// mark changes a client's state under the world's lock.
func (c *client) mark(change func()) {
	c.world.mu.Lock()
	defer c.world.mu.Unlock()
	change()
}

func drop(_ *World, c *client, _ *Step) string {
	c.mark(func() { c.troubled = true })
	c.toServer.cut()
	c.fromServer.cut()
	return "loses the connection"
}

func stall(_ *World, c *client, s *Step) string {
	c.mark(func() { c.troubled = true })
	if s.B%3 == 0 {
		c.toServer.setStalled(true)
		return "is not heard any more"
	}
	c.fromServer.setStalled(true)
	return "reads no more"
}

func unstall(_ *World, c *client, _ *Step) string {
	c.restore()
	return "reads again"
}

// starve prompts while the client reads nothing, and ends the turn before it reads again.
func starve(w *World, c *client, id string, s *Step) string {
	c.mark(func() { c.troubled = true })
	c.fromServer.setChoked(true)
	did := prompt(w, c, id, s) + " without reading"
	time.Sleep(time.Minute + w.latency())
	switch s.C % 4 {
	case 0:
		did += ", " + callSession("session/close", object{})(w, c, id, s)
	case 1:
		did += ", " + leave(w, c, s)
	default:
		did += ", " + cancelTurn(w, c, id, s)
	}
	time.Sleep(5*time.Second + w.latency()) // longer than an agent may take to end a cancelled turn
	c.restore()
	return did
}

// restore repairs a connection.
func (c *client) restore() {
	for _, p := range []*pipe{c.toServer, c.fromServer} {
		p.setStalled(false)
		p.setChoked(false)
		p.setDelay(0)
	}
}

func delay(w *World, c *client, s *Step) string {
	c.mark(func() { c.troubled = true })
	d := time.Duration(s.B%500) * time.Millisecond
	c.toServer.setDelay(d)
	c.fromServer.setDelay(d + w.latency())
	return "has a delay of " + d.String()
}

// deleteSession deletes a session. If possible, an editor opens and prompts it before its
// agent has ended, so the deletion fails.
func deleteSession(w *World, c *client, id string, s *Step) string {
	del := callSession("session/delete", object{})
	by, agent := w.taker(c, id)
	if by == nil || s.C/8%4 == 0 {
		return del(w, c, id, s)
	}
	agent.in.setChoked(true)
	did := del(w, c, id, s)
	w.settle()
	callSession("session/load", object{"cwd": cwd, "mcpServers": []string{}})(w, by, id, s)
	time.Sleep(time.Minute + w.latency())
	agent.in.setChoked(false)
	return did + ", but " + by.name + " opens it and " + prompt(w, by, id, s)
}

// taker returns an editor that can open a session which another client deletes, and the
// agent that works on the session, or nil and nil.
func (w *World) taker(from *client, id string) (*client, *actor) {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.session(id)
	if s.actor == nil || s.actor.ctx.Err() != nil {
		return nil, nil
	}
	for _, c := range w.clients {
		if c != from && c.kind == editor && c.agent == from.agent && !c.gone && !c.leaving && c.views[id] == nil {
			return c, s.actor
		}
	}
	return nil, nil
}

// choke stops an agent from reading.
func (w *World) choke(s *Step) string {
	return w.withActor(s, func(c *actor) string { c.in.setChoked(true); return "reads nothing" })
}

// unchoke lets an agent read again.
func (w *World) unchoke(s *Step) string {
	return w.withActor(s, func(c *actor) string { c.in.setChoked(false); return "reads again" })
}

// withActor applies an action to one of the running agents.
func (w *World) withActor(s *Step, do func(*actor) string) string {
	var able []*actor
	w.mu.Lock()
	for _, c := range w.actors {
		if c.agent.Kind != aguiAgent && c.ctx.Err() == nil && c.in.isChoked() == (s.Op == opUnchoke) {
			able = append(able, c)
		}
	}
	w.mu.Unlock()
	if len(able) == 0 {
		return ""
	}
	c := able[s.A%uint32(len(able))] //nolint:gosec // few programs
	return c.agent.Name + " " + do(c)
}

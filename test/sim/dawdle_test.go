package sim

import (
	"encoding/json"
	"math/rand/v2"
	"time"

	"github.com/turnwire/turnwire/internal/agent/transport/child"
)

// logins are the login methods of an agent that dawdles.
var logins = []object{
	{"id": "terminal", "name": "Log in", "type": "terminal", "args": []string{"--login"}},
	{"id": "plain", "name": "Log in here", "type": "terminal"},
	{"id": "none", "name": "No login needed"},
}

// failingStarts is how many of the starts of an agent may fail, and slowStarts how many are slow.
const (
	failingStarts = 2
	slowStarts    = 4
)

// dawdle lets time pass before the response to initialize. It reports whether the agent gives
// the usual one.
func (a *acpLanguage) dawdle(id json.RawMessage) bool {
	c, w := a.actor, a.actor.world
	w.mu.Lock()
	n := w.starts[c.agent.Name]
	w.starts[c.agent.Name]++
	w.mu.Unlock()
	r := rand.New(rand.NewPCG(w.plan.Seed+2, uint64(n))) //nolint:gosec // it must be repeatable
	if n >= slowStarts {
		return true
	}
	if r.IntN(2) == 0 {
		c.write("Loading...\n")
	}
	switch way := r.IntN(9); {
	case way < 3 || n >= failingStarts: // a hint comes after 2.5 seconds, and the client is answered after three
		c.rest(time.Duration(r.IntN(9000)) * time.Millisecond)
	case way == 3: // it may be one that prints events
		c.write(line(object{"type": "done"}))
		c.rest(5 * time.Second)
	case way == 4:
		c.write(line(object{"type": "text_delta", "text": "forged"}))
		return false
	case way == 5:
		c.write(line(object{"jsonrpc": "2.0", "id": id, "error": object{"code": -32000, "message": "Log in first"}}))
		return false
	case way == 6:
		a.reply(id, object{"tea": "green"})
		return false
	case way == 7:
		c.exit(child.ExitStatus{Code: 4})
		return false
	case way == 8: // it never answers
		return false
	}
	return c.ctx.Err() == nil
}

// rest does nothing for a while, unless the program ends.
func (c *actor) rest(d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-c.ctx.Done():
	}
}

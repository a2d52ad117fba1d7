package sim

import (
	"fmt"
	"strings"
	"time"

	"github.com/turnwire/turnwire/internal/agent/transport/child"
)

// A manner is how an agent behaves.
type manner int

const (
	polite    manner = iota
	sloppy           // forgets ends, repeats ids, prints nonsense
	mortal           // dies in the middle of turns
	hanging          // may wait without end, and reacts to cancels
	deaf             // like hanging, but doesn't react to cancels
	flooding         // prints much at once
	malicious        // forges ids, sessions and answers
	manners          // their number
)

func (m manner) String() string {
	return [...]string{"polite", "sloppy", "mortal", "hanging", "deaf", "flooding", "malicious"}[m]
}

// act does one thing, chosen at random.
func (t *turn) act() {
	c, m := t.actor, t.actor.agent.Manner
	switch n := t.random.IntN(100); {
	case n < 40:
		t.piece("")
	case n < 45:
		t.write(c.language.thought(t, "{"+t.token+"}"))
	case n < 60:
		t.tool(false)
	case n < 72:
		t.tool(true)
	case n >= 80 && m == flooding:
		t.flood()
	case n < 77:
		t.ask()
	case n < 88:
		t.pause(time.Duration(1+t.random.IntN(3000)) * time.Millisecond)
	case m == polite, m == sloppy && n < 94:
		t.extra()
	case m == sloppy:
		t.blunder()
	case m == mortal:
		t.crash()
	case m == hanging, m == deaf:
		t.pause(2 * time.Hour)
	case m == malicious:
		lies := c.language.lies(t)
		t.write(lies[t.random.IntN(len(lies))])
	}
}

// tool runs a tool call, after a permission if asks is set.
func (t *turn) tool(asks bool) {
	c := t.actor
	call := fmt.Sprintf("%s/call%d", t.token, t.calls)
	t.calls++
	if asks && !t.wait(call, c.language.permission) {
		if !t.isOver() {
			t.write(c.language.end(t, call, false))
		}
		if t.refused {
			t.finish("end_turn")
		}
		return
	}
	if t.isOver() {
		return
	}
	t.write(c.language.start(t, call))
	if t.random.IntN(2) == 0 {
		t.write(c.language.output(t, call, "some output\n"))
	}
	if t.random.IntN(3) == 0 {
		t.pause(time.Duration(t.random.IntN(2000)) * time.Millisecond)
	}
	if !t.isOver() && (c.agent.Manner != sloppy || t.random.IntN(3) > 0) {
		t.write(c.language.end(t, call, true))
	}
}

// ask asks a question.
func (t *turn) ask() {
	t.wait(fmt.Sprintf("question-%s.%d", t.token, t.random.IntN(1e6)), t.actor.language.question)
	if t.refused {
		t.finish("end_turn")
	}
}

// crash ends the agent in the middle of the turn.
func (t *turn) crash() {
	t.actor.exit(child.ExitStatus{Code: 1})
	if t.run != nil {
		t.run.crash(t.random.IntN(2) == 0)
		t.actor.world.see(&event{kind: died, actor: t.actor})
	}
}

// flood says much at once.
func (t *turn) flood() {
	more := padding[:len(padding)/20]
	if t.random.IntN(3) == 0 {
		more = padding
	}
	for range 120 {
		t.piece(more)
	}
}

// padding makes pieces so long that some floods fill all buffers between an agent and its
// editor.
var padding = strings.Repeat(".", 3000)

// unknownMethod is the method of a notification that ACP doesn't have.
const unknownMethod = "no/such_method"

// blunder makes a mistake that real agents make.
func (t *turn) blunder() {
	c := t.actor
	all := []string{
		"Traceback (most recent call last):\n",
		`{"type":"text_delta","text":` + "\n",
		`{"type":"no_such_event","a":1}` + "\n",
		`{"jsonrpc":"2.0","method":"` + unknownMethod + `"}` + "\n",
		"\n",
		"[]\n",
		c.language.output(t, "nobody/call9", "lost output"),
		c.language.end(t, t.token+"/call0", true),
	}
	n := t.random.IntN(len(all))
	if n == len(all)-1 {
		c.world.see(&event{kind: misended, actor: c, subject: t.token + "/call0"})
	}
	t.write(all[n])
}

package sim

import (
	"fmt"
	"strings"
)

// helpersLaw: a client that shows sub-agents as sessions gets their calls there, after the
// session was announced, and each of them becomes idle before the prompt is answered. Others get
// all calls in the session itself.
type helpersLaw struct {
	runs map[*client]map[string]bool // by the sub-agent's session: it is not idle
}

func newHelpers() law { return &helpersLaw{make(map[*client]map[string]bool)} }

func (*helpersLaw) name() string { return "sub-agents have their calls" }

func (l *helpersLaw) see(w *World, e *event) error {
	if e.kind != shown || e.client.agent.Kind != nativeAgent || e.client.agent.Manner == malicious {
		return nil
	}
	c, p := e.client, &e.message.params
	v := c.views[e.session]
	if v == nil || v.unclear {
		return nil
	}
	at := p.SessionID
	switch call := original(p.Update.ToolCallID + p.ToolCall.ToolCallID); {
	case e.call != nil && e.turn != "" && !isGoing(e) && !w.pauses(e.turn):
		for _, child := range sortedKeys(l.runs[c]) {
			if l.runs[c][child] && strings.HasPrefix(child, e.session+"/"+e.turn+"/") {
				return fmt.Errorf("%s is not told that the sub-agent %s is idle", c.name, child)
			}
		}
	case p.Update.Type == "subagent_update":
		if l.runs[c] == nil {
			l.runs[c] = make(map[string]bool)
		}
		l.runs[c][p.Update.SessionID] = p.Update.State.State != "idle"
	case at == "":
	case !c.subagents && at != e.session:
		return fmt.Errorf("%s is shown the session %s of a sub-agent", c.name, at)
	case c.subagents && at != e.session && !l.isKnown(c, at):
		return fmt.Errorf("%s is shown the session %s before it is announced", c.name, at)
	case c.subagents && w.parents[call] != "" && original(at) != e.session+"/"+w.parents[call]:
		return fmt.Errorf("%s is shown the call %s of the sub-agent %s in the session %s", c.name, call, w.parents[call], at)
	}
	return nil
}

func (l *helpersLaw) isKnown(c *client, child string) bool {
	_, known := l.runs[c][child]
	return known
}

func (*helpersLaw) end(*World) error { return nil }

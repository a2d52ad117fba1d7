package sim

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/turnwire/turnwire/internal/protocol/ahp"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
)

// openDiff lets an AHP client open the diff of an edit that it mirrors. Both sides can be read while
// their server runs, and be attached to a message. After a restart, the server has them once it has
// answered the client that is back.
func (w *World) openDiff(s *Step) string {
	type side struct {
		m         *mirror
		name, uri string
	}
	var all []side
	w.mu.Lock()
	for _, m := range w.live() {
		for _, name := range sortedKeys(m.chats) {
			if m.awaits(name) {
				continue
			}
			for _, uri := range sidesIn(&m.chats[name].Chat) {
				all = append(all, side{m, name, uri})
			}
		}
	}
	w.mu.Unlock()
	if len(all) == 0 {
		return ""
	}
	one := all[s.A%uint32(len(all))] //nolint:gosec // few sides
	w.mu.Lock()
	speaks := w.maySay(one.name) && s.B%3 == 0
	token := ""
	if speaks {
		token = one.m.newToken(one.name)
	}
	w.mu.Unlock()
	if speaks {
		said := userMessage(token, object{"type": "resource", "label": "edit for " + token, "uri": one.uri})
		one.m.dispatch(one.name, object{"type": "chat/turnStarted", "turnId": token, "message": said})
		return one.m.name + " prompts " + token + " with one side of an edit"
	}
	for _, method := range []string{"resourceRead", "resourceResolve"} {
		one.m.callFor(method, object{"uri": one.uri}, func(result json.RawMessage, failed bool) {
			if failed || rawmsg.MemberText(result, "contentType") != "text/plain" {
				w.failLocked("edits can be opened", fmt.Errorf("%s can't open %s: %s", one.m.name, one.uri, result))
			}
		})
	}
	return one.m.name + " opens " + one.uri
}

// sidesIn returns the URIs of what the edits in a chat have changed.
func sidesIn(chat *ahp.Chat) (uris []string) {
	turns := chat.Turns
	if chat.ActiveTurn != nil {
		turns = append(slices.Clip(turns), *chat.ActiveTurn)
	}
	for _, t := range turns {
		for _, p := range t.ResponseParts {
			if p.ToolCall == nil {
				continue
			}
			for _, c := range p.ToolCall.Content {
				for _, at := range []*ahp.FileEditSide{c.Before, c.After} {
					if at != nil && at.Content.URI != "" {
						uris = append(uris, at.Content.URI)
					}
				}
			}
		}
	}
	return uris
}

// spy connects an AHP client whose token can only watch. This protocol has no such clients.
func (w *World) spy(s *Step) string {
	if len(w.mirrors) >= maxMirrors {
		return ""
	}
	m := w.dialMirrorAs(w.pick(s.B), &w.plan.Agents[s.A%uint32(len(w.plan.Agents))], true) //nolint:gosec // few agents
	m.memory = newMemory(m.name)
	m.callFor("initialize", object{"channel": ahp.Root, "protocolVersions": []string{"1.0.0"}, "clientId": m.id}, func(_ json.RawMessage, failed bool) {
		if !failed {
			w.failLocked("observers change nothing", errors.New(m.name+" is initialized, but its token can only watch"))
		}
	})
	m.call("ping", object{})
	return m.name + " connects with a token that can only watch"
}

// move lets an AHP client whose server is gone, or can't be reached, connect to the other one.
func (w *World) move(s *Step) string {
	var able []*mirror
	w.mu.Lock()
	for _, m := range w.mirrors {
		if !m.left && m.root != nil && w.second != nil && len(w.mirrors) < 2*maxMirrors {
			able = append(able, m)
		}
	}
	w.mu.Unlock()
	if len(able) == 0 {
		return ""
	}
	m := able[s.A%uint32(len(able))] //nolint:gosec // few clients
	m.toServer.cut()
	m.fromServer.cut()
	w.settle()
	to := w.server
	if m.server == w.server {
		to = w.second
	}
	return m.name + " connects to " + to.name + " as " + w.reconnectMirror(to, m).name
}

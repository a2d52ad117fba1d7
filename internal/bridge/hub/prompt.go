package hub

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"slices"

	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// prompt sends the client's prompt. from is the client that waits for the answer, which done
// handles; it may be nil. A prompt that the source refuses is not shown to others.
func (a *attachment) prompt(from *client, params []byte, done func(result, failure []byte)) *core.Call {
	s := a.session
	if slices.ContainsFunc(s.attached, func(a *attachment) bool { return a.client.shows.cursors }) {
		params = identified(params)
	}
	up, shown := s.upstream(), false
	c := up.call(from, v1.MethodSessionPrompt, params, func(result, failure []byte) {
		if shown {
			s.answeredPrompt(a, result, failure)
		}
		done(result, failure)
	})
	sent := up.pending[c]
	sent.prompt = a
	sent.accepted = func() {
		shown = true
		s.prompted(a, params)
		sent.prompted = s.history.last
	}
	return c
}

// prompted shows a prompt to all clients except its sender. It says how many blocks
// follow, so that receivers know when the message is complete.
func (s *session) prompted(a *attachment, params []byte) {
	s.prompts.here++
	s.observe(Event{Kind: TurnBegan})
	n := len(blocksIn(params))
	s.tell(&core.ClientEvent{Kind: core.Prompted, By: a.client.id, Blocks: n}, map[string]any{"sentBy": a.info(), "blocks": n})
	s.showMessage(a, params)
}

// identified returns the params of a prompt with an id of its message, by which all
// clients and the source know it. A cursor names it.
func identified(params []byte) []byte {
	if messageID(params) != "" {
		return params
	}
	return with(params, "_meta", with(object(params, "_meta"), v1.MessageIDMeta, rawmsg.Quote(rand.Text())))
}

// messageID returns the id of the message in a prompt, or "".
func messageID(params []byte) string {
	id := rawmsg.MemberText(object(params, "_meta"), v1.MessageIDMeta)
	if len(id) > v1.MaxMessageID {
		return ""
	}
	return id
}

// blocksIn returns the content blocks in the params of a prompt.
func blocksIn(params []byte) [][]byte {
	blocks, _, _ := rawmsg.Member(params, "prompt")
	if len(blocks) == 0 || blocks[0] != '[' {
		return nil
	}
	return slices.Collect(rawjson.Elements(blocks))
}

// showMessage shows a user's message to all clients except its sender. Its id makes its
// chunks one separate message. By default the id is random, so that it is unique even for
// a client that was attached to another server before.
func (s *session) showMessage(a *attachment, params []byte) {
	id := cmp.Or(messageID(params), rand.Text())
	head := append(append([]byte(`{"sessionUpdate":"user_message_chunk","messageId":`), rawmsg.Quote(id)...), `,"content":`...)
	for _, block := range blocksIn(params) {
		s.show(append(append(bytes.Clone(head), block...), '}'), a.client)
	}
}

// echoed shows an agent's repetition of a prompt to the client that sent the prompt, as without
// a server, unless it got the prompt with the history since. A host and another server know the
// prompt too.
func echoed(u *upstream, n core.Notification) {
	u.hub.mu.Lock()
	defer u.hub.mu.Unlock()
	of := u.pending[n.Echo]
	if of == nil || of.from == nil || of.from.Host || of.from.Peer || n.Gate != nil && n.Gate.Load() {
		return
	}
	if a := of.prompt; of.from.attached[n.Session] == a && of.prompted > a.recalled {
		m := line(bytes.Clone(n.Line))
		m.session, m.after = a, a.session.history.last
		of.from.enqueue(m)
	}
}

// answeredPrompt handles the end of a turn.
func (s *session) answeredPrompt(a *attachment, result, failure []byte) {
	s.prompts.here--
	about, event := map[string]any{"sentBy": a.info()}, &core.ClientEvent{Kind: core.TurnEnded, By: a.client.id}
	if reason := rawmsg.MemberText(result, "stopReason"); reason != "" {
		about["stopReason"], event.StopReason = reason, v1.StopReason(reason)
	}
	if failure != nil {
		event.Error = rawmsg.MemberText(failure, "message")
		about["error"] = event.Error
	}
	s.tell(event, about)
	s.observe(Event{Kind: TurnEnded, Outcome: outcomeOf(event.StopReason, failure)})
	if q := s.hub.cfg.Questions; q != nil && s.prompts.here == 0 && s.peer == nil {
		q.Over(s.id)
	}
	s.mayClose()
	if worked := s.hub.cfg.Worked; worked != nil {
		s.hub.work.Go(func() { worked(s.id) })
	}
}

// choseMode tells the other clients which mode was chosen.
func (s *session) choseMode(a *attachment, params []byte) {
	id := rawmsg.MemberText(params, "modeId")
	s.setup.setMode(id)
	s.show(rawmsg.Encode(map[string]string{"sessionUpdate": modeUpdate, "currentModeId": id}), a.client)
}

// choseOption tells the other clients the options after one was chosen.
func (s *session) choseOption(a *attachment, result []byte) {
	options, _, _ := rawmsg.Member(result, "configOptions")
	if len(options) == 0 || options[0] != '[' {
		return
	}
	s.setup.setOptions(options)
	update := append([]byte(`{"sessionUpdate":"`+optionUpdate+`","configOptions":`), options...)
	s.show(append(update, '}'), a.client)
}

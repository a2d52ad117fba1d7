package main

import "slices"

// mutations are the deliberate defects.
var mutations = slices.Concat(ofBridge, ofRelay, ofRemote, ofNATS, ofAGUI, ofSkills, ofAHP)

// ofBridge are defects of the bridge: core, native agents, hub, views and journal.
var ofBridge = []mutation{
	{
		"cancel-is-not-told", "internal/bridge/source/events/cancel.go",
		`	if p.delivered && !p.cancelled {
		q.tellCancel(p.turnID)
	}
`,
		``,
	},
	{
		"queued-prompts-survive-cancel", "internal/bridge/source/events/cancel.go",
		`	for _, p := range q.waiting {
		p.cancelled = true
	}
`,
		``,
	},
	{
		"abandon-is-forgotten", "internal/bridge/source/events/session_turn.go",
		`	s.peers.agent.Abandon(s.turn.id)
`,
		``,
	},
	{
		"requests-stay-open-after-cancel", "internal/bridge/source/events/session_turn.go",
		`		s.turn.cancel()
		s.pending.refuseAll()
`,
		`		s.turn.cancel()
`,
	},
	{
		"any-option-permits", "internal/bridge/core/permission.go",
		`if id != "" && o.ID == id {`,
		`if id != "" {`,
	},
	{
		"unknown-option-passes", "internal/bridge/core/permission.go",
		`	if !understood {
		a.Result, a.Chosen, a.Accepted = []byte(NotPermitted), consent.Option{}, nil
		return false
	}
`,
		`	if !understood {
		return false
	}
`,
	},
	{
		"outbox-ignores-cancel", "internal/agent/transport/outbox/permit.go",
		`	case n == 0:
		return l.refusal, reset
`,
		`	case n == 0:
		return l.text, reset
`,
	},
	{
		"lease-is-kept", "internal/bridge/journal/owned.go",
		`	return errors.Join(err, o.lease.release())
`,
		`	return err
`,
	},
	{
		"torn-record-stays", "internal/bridge/journal/reopen.go",
		`	if end < size {
`,
		`	if false {
`,
	},
	{
		"flush-is-skipped", "internal/bridge/source/events/source.go",
		`func (c *source) Keep() { c.recorders.Flush() }`,
		`func (c *source) Keep() {}`,
	},
	{
		"flush-waits-for-no-other", "internal/bridge/journal/recorders.go",
		`	r.flushing.Lock()
	defer r.flushing.Unlock()
`,
		``,
	},
	{
		"fork-ends-elsewhere", "internal/bridge/hub/upstream.go",
		`	c.Replay = method == v1.MethodSessionFork
`,
		`	c.Replay = method == v1.MethodSessionNew
`,
	},
	{
		"fold-drops-text", "internal/bridge/hub/fold_text.go",
		`r.text, r.several, r.until = append(r.text, text...), true,`,
		`r.text, r.several, r.until = r.text, true,`,
	},
	{
		"fold-doubles-text", "internal/bridge/hub/fold_text.go",
		`r.text, r.several, r.until = append(r.text, text...), true,`,
		`r.text, r.several, r.until = append(append(r.text, text...), text...), true,`,
	},
	{
		"withdraw-is-forgotten", "internal/bridge/hub/pendingrequest.go",
		`	k.forgetAll()
`,
		``,
	},
	{
		"observers-are-asked", "internal/bridge/hub/pendingrequest.go",
		`	case a != nil && a.observer:
		return
`,
		``,
	},
	{
		"observers-may-change", "internal/bridge/hub/request.go",
		`	case cl.observes[id] || a != nil && a.observer:
		q.fail(protocol.CodeInvalidRequest, "observers cannot do that")
		return
`,
		``,
	},
	{
		"watchers-may-change", "internal/bridge/hub/request.go",
		`if cl.From.Watches && !q.mayWatch() {`,
		`if false {`,
	},
	{
		"authors-see-their-prompts", "internal/bridge/hub/attachment.go",
		`	return !own && (!c.past`,
		`	_ = own
	return (!c.past`,
	},
	{
		"answer-overtakes-updates", "internal/bridge/hub/request.go",
		`			m.session, m.after = now, now.session.history.last
`,
		``,
	},
	{
		"load-starts-in-the-middle", "internal/bridge/hub/open.go",
		`		a = s.attach(cl, 0)
	}
	q.settle`,
		`		a = s.attach(cl, s.history.last)
	}
	q.settle`,
	},
	{
		"resume-replays", "internal/bridge/hub/open.go",
		`		a = q.attachAgain(s)
`,
		`		a = s.attach(cl, 0)
`,
	},
	{
		"client-goroutine-leaks", "internal/bridge/hub/client.go",
		`	cl.out.close()
`,
		``,
	},
	{
		"answered-twice", "internal/bridge/view/acp/client.go",
		`	id, open := c.calls.remove(call)
	if !open {
		return
	}
`,
		`	id, _ := c.calls.remove(call)
`,
	},
	{
		"iterator-goes-on", "internal/agent/transport/lifecycle/stream.go",
		`			if !yield(e) {
				return
			}
`,
		`			yield(e)
`,
	},
	{
		"agent-stays", "internal/agent/transport/lifecycle/session.go",
		`	s.failed = s.runner.Close(ctx)
`,
		``,
	},
	{
		"abandoned-turn-gets-a-prompt", "internal/agent/transport/lifecycle/stream.go",
		`	if s.isBusy() && !s.ended {
		return false
	}
`,
		``,
	},
	{
		"abandoned-requests-stay-open", "internal/agent/transport/lifecycle/stream.go",
		`			s.session.Confirm(agent.ConfirmationResponse{
				SessionID: id, TurnID: turnID, ConfirmationID: e.ConfirmationID, ToolCallID: e.ToolCallID,
				Decision: agent.NotDecided, Reason: reasonAbandoned,
			})
`,
		``,
	},
	{
		"turn-ends-with-open-calls", "internal/agent/stream/normalize/normalizer.go",
		`		t.closeAll(false, "the turn ended without a result")
`,
		``,
	},
	{
		"joined-text-is-dropped", "internal/agent/stream/normalize/joiner.go",
		`			if !j.flush(yield) {
				return
			}
			if`,
		`			if`,
	},
	{
		"texts-of-turns-are-joined", "internal/agent/stream/normalize/normalizer.go",
		`	t.text.begin()
`,
		``,
	},
	{
		"mailbox-reverses", "internal/bridge/core/mailbox.go",
		`		m.posted = append(m.posted, do)
`,
		`		m.posted = append([]func(){do}, m.posted...)
`,
	},
	{
		"outbox-overtakes", "internal/bridge/hub/outbox.go",
		`			if m.waits() && !m.session.show(&b, m.after) {
				break
			}
`,
		``,
	},
	{
		"detached-client-is-asked", "internal/bridge/hub/attachment.go",
		`	a.withdraw()
	s.mayClose()
`,
		`	s.mayClose()
`,
	},
	{
		"attaching-again-loses-changes", "internal/bridge/hub/attach.go",
		`	if a == nil || a.session != s {
		return s.attach(cl, q.since(s))
	}
`,
		`	if true {
		return s.attach(cl, q.since(s))
	}
`,
	},
	{
		"new-clients-are-not-asked", "internal/bridge/hub/open.go",
		`		a.showLatest()
	}
	s.askAgain(a)
`,
		`		a.showLatest()
	}
`,
	},
	{
		"failed-delete-is-not-told", "internal/bridge/hub/upstream.go",
		`			s.end(closed.Err)
`,
		`			_ = closed
`,
	},
	{
		"record-is-skipped", "internal/bridge/journal/recorder.go",
		`	r.next.begin(r.seq, at, kind)
	r.next.text = append(r.next.text, data...)
`,
		`	if r.seq%7 == 0 {
		return
	}
	r.next.begin(r.seq, at, kind)
	r.next.text = append(r.next.text, data...)
`,
	},
	{
		"refused-prompt-is-shown", "internal/bridge/hub/prompt.go",
		`	sent.accepted = func() {
		shown = true
		s.prompted(a, params)
		sent.prompted = s.history.last
	}
`,
		`	shown = true
	s.prompted(a, params)
	sent.prompted = s.history.last
`,
	},
	{
		"deleted-folder-fails", "internal/bridge/journal/folder.go",
		`!errors.Is(err, fs.ErrNotExist) {
			break`,
		`true {
			break`,
	},
	{
		"calls-leave-their-sub-agent", "internal/agent/stream/normalize/tool.go",
		`	if a.parent != "" {
		*parent = tool.Parent
	}
`,
		``,
	},
}

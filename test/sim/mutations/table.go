package main

// mutations are the deliberate defects.
var mutations = []mutation{
	{
		"refuse-becomes-allow", "internal/bridge/source/events/cancel.go",
		`	if q.cancelled() {
		refuse()
		return
	}
	allow()
`,
		`	allow()
`,
	},
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
		a.Result = []byte(NotPermitted)
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
		`	select {
	case <-l.cancelled:
		return l.refusal, nil
`,
		`	select {
	case <-make(chan struct{}):
		return l.refusal, nil
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
		`	for cl, of := range k.asked {
		k.forget(cl, of)
	}
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
		`			m.session, m.after = now, a.session.history.last
`,
		``,
	},
	{
		"second-answer-counts", "internal/bridge/hub/pendingrequest.go",
		`	if k.done {
		return
	}
	if k.of`,
		`	if k.of`,
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
		`		a = s.attach(cl, s.history.last)
`,
		`		a = s.attach(cl, 0)
`,
	},
	{
		"calls-stay-open", "internal/bridge/source/relay/answer.go",
		`		for _, n := range s.closeCalls() {
			r.repairs.note(repairUnended)
			r.view.Send(n)
		}
`,
		``,
	},
	{
		"relay-cancel-withdraws-nothing", "internal/bridge/source/relay/cancel.go",
		`	close(s.turn.cancelled)
	s.withdraw()
`,
		`	close(s.turn.cancelled)
`,
	},
	{
		"relay-never-abandons", "internal/bridge/source/relay/cancel.go",
		`	time.AfterFunc(grace, func() { s.abandon(turn) })
`,
		`	_, _ = turn, grace
`,
	},
	{
		"gate-stays-open", "internal/bridge/source/relay/cancel.go",
		`	s.turn.gate.Store(true)
`,
		``,
	},
	{
		"relay-permits-late", "internal/bridge/source/relay/pendingrequest.go",
		`		u.rpc.Permit(a.id, json.RawMessage(answer.Result), no, a.cancelled)
`,
		`		u.rpc.Put(rawmsg.Response(a.id, rawmsg.Result, answer.Result))
`,
	},
	{
		"decision-is-not-audited", "internal/bridge/source/relay/judge.go",
		`		audit(d)
`,
		``,
	},
	{
		"decision-is-audited-twice", "internal/bridge/source/relay/judge.go",
		`		audit(d)
`,
		`		audit(d)
		audit(d)
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
		"history-of-updates-is-lost", "internal/bridge/source/relay/record.go",
		`	s.record.to.AddData(time.Now(), journal.TypeUpdate, clean(body))
`,
		``,
	},
}

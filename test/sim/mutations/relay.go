package main

// ofRelay are defects of the relay of ACP agents.
var ofRelay = []mutation{
	{
		"second-answer-counts", "internal/bridge/source/relay/pendingrequest.go",
		`	if !a.isOpen() {
		return // it was withdrawn
	}
`,
		``,
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
		"abandoned-prompts-are-forgotten", "internal/bridge/source/relay/turn.go",
		`		q.abandoned = true
		t.stale++
`,
		`		_ = q
`,
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
		"history-of-updates-is-lost", "internal/bridge/source/relay/record.go",
		`	s.record.to.AddData(time.Now(), journal.TypeUpdate, clean(body))
`,
		``,
	},
	{
		"closed-session-keeps-queue", "internal/bridge/source/relay/dispatch.go",
		`	for _, q := range s.turn.takeQueue() {
		if q.isPrompt() {
`,
		`	for _, q := range s.turn.queue[:0] {
		if q.isPrompt() {
`,
	},
	{
		"closed-session-takes-prompts", "internal/bridge/source/relay/dispatch.go",
		`	if s == nil && q.needsOpen() && r.wasClosed(id) {
`,
		`	if false {
`,
	},
	{
		"reload-shows-old-turn", "internal/bridge/source/relay/dispatch.go",
		`		s.up.names.close(s)
`,
		`		_ = s.up
`,
	},
	{
		"early-updates-are-lost", "internal/bridge/source/relay/early.go",
		`		lines = append(lines, u.line)
`,
		``,
	},
	{
		"unknown-version-is-not-mended", "internal/bridge/source/relay/client.go",
		`c.version == "1" || c.version == ""`,
		`c.version == "1"`,
	},
	{
		"cancel-between-turns-is-ignored", "internal/bridge/source/relay/cancel.go",
		`		s.withdraw()
		return
`,
		`		return
`,
	},
	{
		"stop-withdraws-nothing", "internal/bridge/source/relay/relay.go",
		`				r.view.Withdraw(&a.Request) // nobody must be told that an answer counts
`,
		``,
	},
	{
		"prompt-overtakes-history", "internal/bridge/source/relay/dispatch.go",
		`(s.turn.isCancelled() || s.memory.unconfirmed)`,
		`s.turn.isCancelled()`,
	},
	{
		"history-keeps-its-end", "internal/bridge/source/relay/answer.go",
		`		showHeld(s)
`,
		``,
	},
	{
		"failed-load-stays-open", "internal/bridge/source/relay/request.go",
		`		notOpened(s, err)
`,
		`		_ = s
`,
	},
	{
		"calls-are-forgotten-early", "internal/bridge/source/relay/answer.go",
		`	reason := s.quirks.EndReason()
`,
		`	reason := s.quirks.EndReason()
	s.quirks.EndTurn()
`,
	},
}

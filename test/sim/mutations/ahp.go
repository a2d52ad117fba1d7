package main

// ofAHP are defects of the host for AHP clients.
var ofAHP = []mutation{
	{
		"silent-change-is-missed", "internal/bridge/ahphost/overview.go",
		`bool { return o.changed < seen }`,
		`bool { return true }`,
	},
	{
		"built-chat-is-missed", "internal/bridge/ahphost/chat.go",
		`return c.ready() && c.built <= seen`,
		`return c.ready()`,
	},
	{
		"built-again-is-not-numbered", "internal/bridge/ahphost/chat.go",
		`c.built, c.dropped = c.out.feed.mark(), false`,
		`c.dropped = false`,
	},
	{
		"replay-repeats", "internal/bridge/ahphost/feed.go",
		`r.actions[i-1].seq > seq`,
		`r.actions[i-1].seq >= seq`,
	},
	{
		"numbers-begin-again", "internal/bridge/ahphost/numbers.go",
		`	return max(byClock, kept.Unused)`,
		`	return seqsPerMilli`,
	},
	{
		"numbers-follow-the-clock", "internal/bridge/ahphost/numbers.go",
		`	return max(byClock, kept.Unused)`,
		`	return byClock`,
	},
	{
		"older-turns-repeat", "internal/bridge/ahphost/savedturns.go",
		`	return turns, e.cursor(n), true`,
		`	return turns, e.cursor(n + 1), true`,
	},
	{
		"older-turns-are-answered-twice", "internal/bridge/ahphost/sessions.go",
		`TurnsNextCursor: next})
	q.answer(empty{})`,
		`TurnsNextCursor: next})
	q.answer(empty{})
	q.answer(empty{})`,
	},
	{
		"rejection-is-not-told", "internal/bridge/ahphost/dispatch.go",
		`		if err != nil {
			d.reject(err.Error())
		}
	})
`,
		`	})
`,
	},
	{
		"rejected-action-is-applied", "internal/bridge/ahphost/dispatch.go",
		`			return true, errors.New("the turn is not running")
`,
		`			s.chat.say(d.origin(), a)
			return true, errors.New("the turn is not running")
`,
	},
	{
		"queue-is-not-saved", "internal/bridge/ahphost/session.go",
		`			s.record.Queue = s.queue.saved()
`,
		``,
	},
	{
		"record-is-shown-early", "internal/bridge/ahphost/client.go",
		`	h.saver.settle()
`,
		``,
	},
	{
		"draft-is-not-saved", "internal/bridge/ahphost/chat.go",
		`	c.record.Draft = m
`,
		``,
	},
	{
		"queued-message-stays", "internal/bridge/ahphost/queue.go",
		`TurnID: turn, Message: m.Message, QueuedMessageID: m.ID}`,
		`TurnID: turn, Message: m.Message}`,
	},
	{
		"session-is-listed-twice", "internal/bridge/ahphost/remote.go",
		`		h.sessions.placed(s)
`,
		``,
	},
	{
		"begun-message-is-forgotten", "internal/bridge/ahphost/update.go",
		`	s.chat.checkSent(&s.remote.messages)
`,
		``,
	},
}

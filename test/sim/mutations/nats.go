package main

// ofNATS are defects of servers that share their sessions through NATS.
var ofNATS = []mutation{
	{
		"living-owner-loses-session", "internal/bridge/journal/natsstore/archive.go",
		`	return owner{Server: server, Owner: "another server"}
`,
		`	return owner{Owner: server}
`,
	},
	{
		"rename-takes-session-away", "internal/bridge/journal/natsstore/store.go",
		`	if err := s.refuseLiving(id, m); err != nil {
		return nil, s.refused(id, err)
	}
`,
		``,
	},
	{
		"slower-server-keeps-session", "internal/bridge/journal/natsstore/store.go",
		`; owned && s.sessions.find(id) == nil {
`,
		`; owned && s.sessions.find(id) != nil {
`,
	},
	{
		"stale-owner-goes-on-writing", "internal/bridge/journal/natsstore/tail.go",
		`		return errAway // the server was not sure
	}
	return journal.ErrFenced
`,
		`		return errAway // the server was not sure
	}
	t.sequence = last.Sequence
	return errAway
`,
	},
	{
		"next-owner-forgets-questions", "internal/bridge/journal/natsstore/inherit.go",
		`	left, err := o.questions.adopt()
`,
		`	left, err := o.questions.adopt()
	left = nil
`,
	},
}

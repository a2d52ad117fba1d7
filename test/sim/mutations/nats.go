package main

// ofNATS are defects of servers that share their sessions through NATS.
var ofNATS = []mutation{
	{
		"living-owner-loses-session", "internal/bridge/journal/natsstore/alive.go",
		`			there = s.archive.lastWriter(id)
`,
		`			return nil, nil
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

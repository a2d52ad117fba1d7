package main

// ofRemote are defects of the remote transport.
var ofRemote = []mutation{
	{
		"server-repeats-a-line", "internal/protocol/remote/server/link.go",
		`	w.sent = received
`,
		`	w.sent = received
	if line := l.sent.After(received); line != nil {
		l.sent.Add(bytes.Clone(line))
	}
`,
	},
	{
		"server-skips-a-line", "internal/protocol/remote/server/link.go",
		`	w.sent = received
`,
		`	w.sent = min(received+1, l.sent.Last())
`,
	},
	{
		"client-forgets-what-it-sent", "internal/protocol/remote/client/reconnect.go",
		`	s.sent = c.Received
`,
		`	s.sent = r.out.Last()
`,
	},
	{
		"restart-leaves-calls-open", "internal/protocol/remote/durable/restore.go",
		`		c.failTools(id, known)
		known.ended`,
		`		known.ended`,
	},
	{
		"restart-forgets-prompts", "internal/protocol/remote/durable/restore.go",
		`			c.refuse(id, message, "interrupted")
`,
		`			c.forget(id)
`,
	},
	{
		"restored-observer-is-a-controller", "internal/protocol/remote/durable/restore.go",
		`	if r, ok = c.call(ctx, conn, method, params); !ok`,
		`	if method == methodAttach {
		params = rawmsg.Encode(map[string]any{"sessionId": id, "role": "controller"})
	}
	if r, ok = c.call(ctx, conn, method, params); !ok`,
	},
	{
		"restart-promotes-an-observer", "internal/protocol/remote/durable/client.go",
		`			known.observes = true // even if it can't attach: it may load the session later
`,
		``,
	},
}

package main

// ofSkills are defects in what only some agents do, and in what operators do.
var ofSkills = []mutation{
	{
		"accepted-part-permits", "internal/bridge/source/relay/partial.go",
		`OptionID: a.part.reject.ID}`,
		`OptionID: answer.Chosen.ID}`,
	},
	{
		"whole-change-is-written", "internal/bridge/partial/write.go",
		`agent.AcceptedText(a))`,
		`agent.AcceptedText{Path: a.Path, OldText: a.OldText, NewText: a.NewText, Text: a.NewText})`,
	},
	{
		"part-is-told-twice", "internal/bridge/source/events/partial.go",
		`	p.unsent = nil
	return []agent.Content`,
		`	return []agent.Content`,
	},
	{
		"part-is-not-told", "internal/bridge/source/relay/partial.go",
		`		s.memory.parts.unsent = append(s.memory.parts.unsent, partial.Message(s.cwd, accepted))
`,
		``,
	},
	{
		"rule-allows-always", "internal/bridge/consent/judge.go",
		`			if o.Kind == allowOnce && o.ID != "" {
`,
		`			if o.Kind != rejectOnce && o.ID != "" && found == 0 {
`,
	},
	{
		"clients-are-asked-despite-a-rule", "internal/bridge/source/relay/judge.go",
		`	if !decided {
`,
		`	if !decided || ruling.Verdict == consent.Deny {
`,
	},
	{
		"rules-ignore-the-kind", "internal/bridge/source/events/judge.go",
		`		call.Kind = t.View.Kind
`,
		``,
	},
	{
		"rule-is-not-recorded", "internal/bridge/consent/decision.go",
		`	d.By, d.Rule, d.At = ByRule, r.Rule, r.At
`,
		`	d.By = ByUser
`,
	},
	{
		"revoked-client-stays", "internal/bridge/view/acp/serve.go",
		`	case <-ctx.Done():
`,
		`	case <-make(chan struct{}):
`,
	},
	{
		"call-ends-twice", "internal/bridge/source/relay/quirks/call.go",
		`		if c.ended && c.end == sum {
`,
		`		if false {
`,
	},
	{
		"notice-is-a-text", "internal/bridge/source/relay/quirks/chunk.go",
		`n := s.table.notice(text); n != nil {`,
		`n := s.table.notice(text); false {`,
	},
	{
		"silent-agent-stays", "internal/bridge/source/relay/idle.go",
		`		if silent >= looks {
`,
		`		if false {
`,
	},
	{
		"message-stays-unread", "internal/bridge/source/events/steer.go",
		`	q.unread = slices.Delete(q.unread, i, i+1)
`,
		``,
	},
	{
		"fork-ends-too-late", "internal/bridge/source/events/fork.go",
		`		ends = point.ends
`,
		``,
	},
	{
		"sub-agent-is-not-apart", "internal/bridge/source/events/children.go",
		`at := c.below(t.Parent); at != c.root {`,
		`at := c.below(t.Parent); false {`,
	},
	{
		"sub-agent-stays-busy", "internal/bridge/source/events/children.go",
		`			c.idle(p.below, send)
`,
		``,
	},
	{
		"terminals-stay", "internal/bridge/source/events/pendingrequest.go",
		`		as.editorRequests.releaseTerminals()
`,
		``,
	},
	{
		"result-is-not-read", "internal/bridge/source/events/snapshots.go",
		`			if real, _ := edit.Diffs(k.files.path(f.change.Target()), *r, left); real != nil {
				one = real
			}
`,
		``,
	},
	{
		"events-overtake-text", "internal/bridge/hub/broadcast.go",
		`			cl.catchUp(u)
			cl.enqueue(line(l))
`,
		`			cl.enqueue(line(l))
`,
	},
	{
		"text-is-folded-across-events", "internal/bridge/hub/session.go",
		`append(append(cursors, a.sent), a.marks...)`,
		`append(cursors, a.sent)`,
	},
	{
		"requests-overtake-text", "internal/bridge/hub/sessionless.go",
		`				cl.catchUp(u)
`,
		``,
	},
	{
		"observer-is-polled", "internal/bridge/hub/sessionless.go",
		`	return len(cl.observes) == 0
`,
		`	return true
`,
	},
	{
		"first-client-decides-for-all", "internal/bridge/hub/sessionless.go",
		`				k.offer(cl, nil)
			}
`,
		`				k.offer(cl, nil)
				break
			}
`,
	},
	{
		"poll-stays-open", "internal/bridge/hub/client.go",
		`len(k.asked) == 0 { // no client that connects later is asked
`,
		`false {
`,
	},
}

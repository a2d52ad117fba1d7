package main

// ofAGUI are defects of the driver for AG-UI servers.
var ofAGUI = []mutation{
	{
		"refusal-approves", "internal/agent/agui/wire/interrupt.go",
		`return approved(a[0].Allows())`,
		`return approved(true)`,
	},
	{
		"run-ignores-cancel", "internal/agent/transport/runs/run.go",
		`	ctx, end := t.UntilCancelled(ctx)
`,
		`	_, end := t.UntilCancelled(ctx)
`,
	},
	{
		"resume-has-no-answers", "internal/agent/agui/backend.go",
		`b.thread.Input(b.input, rand.Text(), b.resume)`,
		`b.thread.Input(b.input, rand.Text(), nil)`,
	},
}

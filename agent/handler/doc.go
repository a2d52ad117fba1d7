// Package handler turns a Go function into an [agent.Agent]. It is the easiest
// way to write an agent that runs in the same process, with no protocol in
// between.
//
//	a := handler.New(agent.Info{Name: "echo"}, func(ctx context.Context, t *handler.Turn) error {
//		t.Text("You said: " + t.Prompt.Text)
//		return nil
//	})
//	err := bridge.Serve(ctx, os.Stdin, os.Stdout, a)
//
// # Contract
//
// A [Handler] runs once for each prompt, in its own goroutine. Handlers of the
// same session never run concurrently. The turn ends when the handler returns: a
// nil error completes the turn; any other error is shown to the user. Events
// sent after that are dropped.
//
// The context ends when the user cancels the turn or the session is closed. The
// turn then counts as cancelled, whatever the handler returns. Calls that wait
// for the user return at once, and permit nothing.
//
// Events reach the user in order. A handler blocks while the editor doesn't
// read, so it may stream without end in bounded memory.
//
// All methods of [Turn] and [Call] are safe for concurrent use.
package handler

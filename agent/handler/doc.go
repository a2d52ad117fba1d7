// Package handler makes an [agent.Agent] of a Go function: the short way to an
// agent that runs inside a program, without a process or a protocol between.
//
//	a := handler.New(agent.Info{Name: "echo"}, func(ctx context.Context, t *handler.Turn) error {
//		t.Text("You said: " + t.Prompt.Text)
//		return nil
//	})
//	err := bridge.Serve(ctx, os.Stdin, os.Stdout, a)
//
// # Contract
//
// A [Handler] runs once for each prompt, in a goroutine of its own, and one at a
// time in a session. The turn ends when it returns: an error is shown to the
// user, a nil error ends the turn as complete. Nothing that is said after that
// reaches the user.
//
// The context ends when the user cancels the turn, and when the session is
// closed. The turn counts as cancelled then, whatever the handler returns. What
// waits for the user returns at once, and permits nothing.
//
// What the user reads is sent in order. A handler waits while the editor does
// not read, so an agent may stream without end in bounded memory.
//
// All methods of a [Turn] and a [Call] are safe for concurrent use.
package handler

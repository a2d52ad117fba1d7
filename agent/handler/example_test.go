package handler_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/handler"
)

// An agent that asks before it writes a file.
func Example() {
	note := handler.New(agent.Info{Name: "note"}, func(_ context.Context, t *handler.Turn) error {
		path := filepath.Join(t.Session.Cwd, "note.txt")
		err := t.Call(handler.Tool{
			Name: "write_file",
			Args: map[string]string{"path": path, "content": t.Prompt.Text},
		}, func(c *handler.Call) error {
			if err := c.Confirm("It is your folder."); err != nil {
				return err
			}
			return os.WriteFile(path, []byte(t.Prompt.Text), 0o600)
		})
		switch {
		case errors.Is(err, handler.ErrRefused):
			t.Text("Then I will not.")
			return nil
		case err != nil:
			return err
		}
		t.Text("I wrote it down.")
		return nil
	})
	// bridge.Serve does the rest for an editor.
	s, err := note.Open(context.Background(), agent.Options{SessionID: "s1", Cwd: os.TempDir()})
	if err != nil {
		log.Fatal(err)
	}
	if err := s.Prompt(agent.Prompt{SessionID: "s1", TurnID: "t1", Text: "buy milk"}); err != nil {
		log.Fatal(err)
	}
	for batch := range s.Events() {
		over := false
		for e := range batch.Events() {
			fmt.Print(e.Type())
			switch e := e.(type) {
			case *agent.ConfirmationRequested:
				s.Confirm(agent.ConfirmationResponse{
					SessionID: "s1", TurnID: "t1",
					ConfirmationID: e.ConfirmationID, ToolCallID: e.ToolCallID, Decision: agent.RejectOnce,
				})
			case *agent.TextDelta:
				fmt.Printf(" %q", e.Text)
			case *agent.ToolEnd:
				fmt.Print(" ", e.OK)
			case *agent.Done:
				over = true
			}
			fmt.Println()
		}
		batch.Release()
		if over {
			break
		}
	}
	if err := s.Close(context.Background()); err != nil {
		log.Fatal(err)
	}
	// Output:
	// tool_start
	// tool_confirmation_request
	// tool_end false
	// text_delta "Then I will not."
	// done
}

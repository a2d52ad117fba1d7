package bridge_test

import (
	"context"
	"log"
	"os"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/handler"
	"github.com/turnwire/turnwire/bridge"
)

// A program that an editor launches is its own ACP agent.
func ExampleServe() {
	echo := handler.New(agent.Info{Name: "echo", Version: "1.0"}, func(_ context.Context, t *handler.Turn) error {
		t.Text("You said: " + t.Prompt.Text)
		return nil
	})
	if err := bridge.Serve(context.Background(), os.Stdin, os.Stdout, echo); err != nil {
		log.Fatal(err)
	}
}

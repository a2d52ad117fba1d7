// Command mine is a third-party agent: it uses what Turnwire exports, as any
// module can.
package main

import (
	"context"
	"log"
	"os"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/handler"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/bridge"
)

// texts are a part of an event by their types alone.
func texts(e agent.Event) agent.Text {
	switch e := e.(type) {
	case *agent.TextDelta:
		return e.Text
	case *agent.ToolEnd:
		return e.Result
	}
	return agent.Text{}
}

// shout is a custom dialect.
var shout = dialect.Table[struct{}]{
	Name: "shout",
	Forms: []dialect.Form[struct{}]{{Type: "kind", Kinds: []dialect.Kind[struct{}]{
		{Name: "loud", Event: func(l *dialect.Line) agent.Event { return &agent.TextDelta{Text: l.Text("words")} }},
	}}},
}.Compile().Dialect()

func answer(_ context.Context, t *handler.Turn) error {
	err := shout.NewDecoder().Decode([]byte(`{"kind":"loud","words":"LOUD"}`), func(e agent.Event) bool {
		t.Text(texts(e).String())
		return true
	})
	if err != nil {
		return err
	}
	choice, err := t.Choose("Which?", "a", "b")
	if err != nil {
		return err
	}
	t.Text(" " + choice)
	return nil
}

func main() {
	a := handler.New(agent.Info{Name: "mine", Title: "Mine", Version: "1.2.3"}, answer)
	if err := bridge.Serve(context.Background(), os.Stdin, os.Stdout, a); err != nil {
		log.Fatal(err)
	}
}

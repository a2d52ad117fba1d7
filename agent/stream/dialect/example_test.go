package dialect_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
)

// A dialect is a table: which member names an event, and how to decode each event.
func Example() {
	chatter := dialect.Table[struct{}]{
		Name: "chatter",
		Forms: []dialect.Form[struct{}]{{Type: "event", Kinds: []dialect.Kind[struct{}]{
			{Name: "say", Decode: func(_ *struct{}, l *dialect.Line) { l.EmitText(agent.TextDelta{Text: l.Piece("words")}) }},
			{Name: "run", Event: func(l *dialect.Line) agent.Event {
				return &agent.ToolStart{ToolCallID: l.Key("id"), ToolName: l.String("tool"), Args: l.Raw("with")}
			}},
			{Name: "over", Event: func(*dialect.Line) agent.Event { return &agent.Done{} }},
		}}},
	}.Compile().Dialect()

	stream := strings.NewReader(`{"event":"say","words":"Let me look.","at":17}
{"event":"run","id":"c1","tool":"read_file","with":{"path":"main.go"}}
{"event":"mood","level":3}
{"event":"over"}
`)
	err := dialect.Each(context.Background(), stream, chatter.NewDecoder(), slog.New(slog.DiscardHandler), func(b agent.Batch) bool {
		defer b.Release()
		for e := range b.Events() {
			if _, hint := e.(*agent.Hint); hint {
				continue // for the agent's author: what is wrong with the preceding line
			}
			fmt.Println(string(agent.AppendJSON(nil, e)))
		}
		return true
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	// Output:
	// {"type":"text_delta","text":"Let me look."}
	// {"type":"tool_start","toolCallId":"c1","toolName":"read_file","args":{"path":"main.go"}}
	// {"event":"mood","level":3}
	// {"type":"done","text":""}
}

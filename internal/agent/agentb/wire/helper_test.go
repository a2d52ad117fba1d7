package wire_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/agentb/wire"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// line returns an event of the run run-1 in the thread thread-1.
func line(kind, data string) string {
	return `{"type":"` + kind + `","timestamp":"2026-03-02T09:15:00.007Z","runId":"run-1","threadId":"thread-1","data":` + data + `}`
}

// delta returns a piece of the message m-1. n becomes part of its timestamp.
func delta(n int, text string) string {
	return fmt.Sprintf(`{"type":"thread.message.delta","timestamp":"2026-03-02T09:15:00.%03dZ","runId":"run-1","threadId":"thread-1","data":{"messageId":"m-1","delta":{"contentChunk":"%s"}}}`, n, text)
}

// call returns a call of the tool getPrice.
func call(id string) string {
	return `{"id":"` + id + `","type":"function","function":{"name":"getPrice","arguments":"{\"item\":\"herring\"}"}}`
}

// required returns the two events of a pause that waits for calls.
func required(calls ...string) []string {
	return []string{
		line("thread.run.requires_action", `{"status":"requires_action","required_action":{"type":"submit_tool_outputs","submit_tool_outputs":{"tool_calls":[`+strings.Join(calls, ",")+`]}}}`),
		line("agent.run.status.changed", `{"currentStatus":"requires_action","details":"Max tool call continuations reached."}`),
	}
}

func completed(text string) string {
	return line("thread.run.completed", `{"status":"completed","finalMessages":[{"id":"m-1","role":"assistant","content":"`+text+`"}]}`)
}

// decode decodes the lines of a stream, and returns the events and the errors.
func decode(t *testing.T, lines ...string) (events []string, errs []error) {
	t.Helper()
	d := wire.Dialect.NewDecoder()
	for _, l := range lines {
		err := d.Decode([]byte(l), func(e agent.Event) bool {
			out := agent.AppendJSON(nil, clean(e))
			requireStrict(t, out)
			events = append(events, string(out))
			return true
		})
		if err != nil {
			errs = append(errs, err)
		}
	}
	return events, errs
}

// clean cleans pieces of text as the normalizer does.
func clean(e agent.Event) agent.Event {
	if e, ok := e.(*agent.TextDelta); ok {
		e.Text = e.Text.Clean()
	}
	return e
}

// requireStrict checks that strict readers accept the JSON.
func requireStrict(t *testing.T, out []byte) {
	t.Helper()
	require.True(t, json.Valid(out), "%q", out)
	require.True(t, utf8.Valid(out), "%q", out)
	o := rawjson.Walk(out)
	for {
		_, value, ok := o.Next()
		if !ok {
			break
		}
		require.False(t, o.Lone(), "a lone surrogate in %s", value)
	}
	require.NoError(t, o.Err())
}

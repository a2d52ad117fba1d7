package agentb_test

import (
	"fmt"
	"strings"
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

package events

import (
	"fmt"
	"slices"
)

// A Dialect is how a framework writes a tool call.
type Dialect struct {
	Name string
	// Begin and Done start and end a turn.
	Begin, Done string
	// call has the lines of one call; %[1]d is its number.
	call []string
}

// Dialects are the dialects that a stream of tool events can be written in.
var Dialects = []Dialect{
	{"native", "", `{"type":"done","text":"","stopReason":"end_turn"}`, []string{
		`{"type":"tool_start","toolCallId":"call_%[1]d","toolName":"bash","args":{"command":"make"},"seq":%[1]d}`,
		`{"type":"tool_output","toolCallId":"call_%[1]d","text":"cc main.c\n","seq":%[1]d}`,
		`{"type":"tool_end","toolCallId":"call_%[1]d","toolName":"bash","ok":true,"durationMs":12,"result":"ok","seq":%[1]d}`,
	}},
	{"ethos", "", `{"jsonrpc":"2.0","id":1,"result":{"text":"","turnCount":1}}`, []string{
		`{"jsonrpc":"2.0","method":"$/stream","params":{"requestId":1,"event":{"type":"tool_start","toolCallId":"call_%[1]d","toolName":"bash","args":{"command":"make"}}}}`,
		`{"jsonrpc":"2.0","method":"$/stream","params":{"requestId":1,"event":{"type":"tool_progress","toolCallId":"call_%[1]d","toolName":"bash","message":"half of it","percent":50,"audience":"user"}}}`,
		`{"jsonrpc":"2.0","method":"$/stream","params":{"requestId":1,"event":{"type":"tool_end","toolCallId":"call_%[1]d","toolName":"bash","ok":true,"durationMs":12,"result":"ok"}}}`,
	}},
	{"awaken", `{"event_type":"run_start","thread_id":"t","run_id":"r"}`, `{"event_type":"run_finish","thread_id":"t","run_id":"r","result":{"status":"done"},"termination":{"type":"natural_end"}}`, []string{
		`{"event_type":"tool_call_start","id":"call_%[1]d","name":"bash"}`,
		`{"event_type":"tool_call_ready","id":"call_%[1]d","name":"bash","arguments":{"command":"make"}}`,
		`{"event_type":"tool_call_stream_delta","id":"call_%[1]d","name":"bash","delta":"cc main.c\n"}`,
		`{"event_type":"tool_call_done","id":"call_%[1]d","message_id":"","result":{"tool_name":"bash","status":"success","data":"ok","message":null},"outcome":"succeeded"}`,
	}},
	{"glue", "", `{"type":"agent_done"}`, []string{
		`{"type":"tool_call_pending","id":"call_%[1]d","name":"bash"}`,
		`{"type":"tool_call","id":"call_%[1]d","name":"bash","arguments":{"command":"make"}}`,
		`{"type":"tool_result","call_id":"call_%[1]d","success":true,"content":"ok","summary":"ran"}`,
	}},
	{"agentb", `{"type":"agent.run.created","timestamp":"2026-03-02T09:15:00.007Z","runId":"r","threadId":"t","data":{"status":"in_progress"}}`, `{"type":"thread.run.completed","timestamp":"2026-03-02T09:15:00.014Z","runId":"r","threadId":"t","data":{"status":"completed"}}`, []string{
		`{"type":"thread.run.step.tool_call.created","timestamp":"2026-03-02T09:15:00.014Z","runId":"r","threadId":"t","data":{"stepId":"s","toolCall":{"id":"call_%[1]d","type":"function","function":{"name":"getPrice","arguments":"{\"item\":\"herring\"}"}}}}`,
		`{"type":"thread.run.step.tool_call.completed_by_llm","timestamp":"2026-03-02T09:15:00.014Z","runId":"r","threadId":"t","data":{"stepId":"s","toolCall":{"id":"call_%[1]d","type":"function","function":{"name":"getPrice","arguments":"{\"item\":\"herring\"}"}}}}`,
		`{"type":"agent.tool.execution.completed","timestamp":"2026-03-02T09:15:00.021Z","runId":"r","threadId":"t","data":{"toolCallId":"call_%[1]d","toolName":"getPrice","result":{"success":true,"data":"3 crowns"}}}`,
	}},
	{"agentao", `{"type":"turn_begin","schema_version":1,"data":{}}`, `{"type":"turn_end","schema_version":1,"data":{"final_text":"","status":"ok"}}`, []string{
		`{"type":"tool_start","schema_version":1,"data":{"tool":"run_shell_command","args":{"command":"make"},"call_id":"call_%[1]d"}}`,
		`{"type":"tool_output","schema_version":1,"data":{"tool":"run_shell_command","chunk":"cc main.c\n","call_id":"call_%[1]d"}}`,
		`{"type":"tool_complete","schema_version":1,"data":{"tool":"run_shell_command","call_id":"call_%[1]d","status":"ok","duration_ms":5,"error":null}}`,
		`{"type":"tool_result","schema_version":1,"data":{"tool":"run_shell_command","call_id":"call_%[1]d","content":"ok","status":"ok","duration_ms":5}}`,
	}},
	{"agui", `{"type":"RUN_STARTED","threadId":"t","runId":"r"}`, `{"type":"RUN_FINISHED","threadId":"t","runId":"r"}`, []string{
		`{"type":"TOOL_CALL_START","toolCallId":"call_%[1]d","toolCallName":"bash","timestamp":1790000000000}`,
		`{"type":"TOOL_CALL_ARGS","toolCallId":"call_%[1]d","delta":"{\"command\":\"make\"}","timestamp":1790000000000}`,
		`{"type":"TOOL_CALL_END","toolCallId":"call_%[1]d","timestamp":1790000000000}`,
		`{"type":"TOOL_CALL_RESULT","messageId":"m","toolCallId":"call_%[1]d","content":"ok","timestamp":1790000000000}`,
	}},
}

// DialectNamed returns the dialect with the given name.
func DialectNamed(name string) (d Dialect, ok bool) {
	i := slices.IndexFunc(Dialects, func(d Dialect) bool { return d.Name == name })
	if i < 0 {
		return d, false
	}
	return Dialects[i], true
}

// Tools renders n lines, or a few more, that contain only tool calls with short texts, in
// a dialect.
func Tools(n int, d Dialect) *Stream {
	s := &Stream{}
	var out []byte
	if d.Begin != "" {
		out = append(out, d.Begin+"\n"...)
		s.Events++
	}
	for i := 0; s.Events < n; i++ {
		for _, line := range d.call {
			out = fmt.Appendf(out, line+"\n", i)
			s.Events++
		}
		s.Summary.Calls++
	}
	s.Bytes, s.segments = int64(len(out)), [][]byte{out}
	return s
}

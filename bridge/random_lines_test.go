package bridge_test

import "strings"

var randomClients = []string{
	`{}`,
	`{"elicitation":{"form":{}}}`,
	`{"elicitation":{"form":{}},"session":{"notices":{},"compaction":{},"configOptions":{"boolean":{}}},"_meta":{"terminal_output":true,"turnwire.dev/events":true}}`,
	`{"_meta":{"terminal_output":true}}`,
	`{"subagents":{},"elicitation":{"form":{}}}`,
	`{"subagents":{}}`,
}

var randomAnswers = []string{
	`"result":{"outcome":{"outcome":"selected","optionId":"allow_once"}}`,
	`"result":{"outcome":{"outcome":"selected","optionId":"allow_once"}}`,
	`"result":{"outcome":{"outcome":"selected","optionId":"choice-1"}}`,
	`"result":{"action":"accept","content":{"answer":"yes"}}`,
	`"result":{"action":"accept","content":{"answer":["yes","no"]}}`,
	`"result":{"outcome":{"outcome":"selected","optionId":"reject_always"}}`,
	`"result":{"outcome":{"outcome":"cancelled"}}`,
	`"result":{"action":"decline"}`,
	`"result":null`,
	`"result":[1]`,
	`"error":{"code":-32603,"message":"no"}`,
	`"error":7`,
}

// randomLines are editor lines whose responses the laws don't know.
var randomLines = []string{
	"\n", " \r\n",
	`{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"none"}}` + "\n",
	`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":"none"}}` + "\n",
	`{"jsonrpc":"2.0","method":"nothing"}` + "\n",
	`{"jsonrpc":"2.0","id":1,"result":{}}` + "\n",
	`{"jsonrpc":"2.0","id":"x","error":{"code":1,"message":"m"}}` + "\n",
}

// deep is nested more deeply than encoding/json accepts.
var deep = strings.Repeat(`{"a":`, 10_001) + `1` + strings.Repeat(`}`, 10_001)

// randomEvents are agent events. %d is one of a few ids, and %s is a text that may be
// long.
var randomEvents = []string{
	`{"type":"text_delta","text":"hello"}`,
	`{"type":"text_delta","text":"%s"}`,
	`{"type":"text_delta","text":"\ud83d"}`,
	`{"type":"thinking_delta","thinking":"hm"}`,
	`{"type":"content","content":{"type":"image","data":"aGk=","mimeType":"image/png"}}`,
	`{"type":"content_block","type2":1,"content":{"type":"resource"}}`,
	`{"type":"message_start"}`, `{"type":"message_end"}`, `{"type":"step_start"}`, `{"type":"step_end"}`,
	`{"type":"tool_pending","toolCallId":"%d","toolName":"shell"}`,
	`{"type":"tool_args_delta","toolCallId":"%d","delta":"{\"command\":"}`,
	`{"type":"tool_ready","toolCallId":"%d","toolName":"shell","args":{"command":"ls"}}`,
	`{"type":"tool_start","toolCallId":"%d","toolName":"shell","args":{"command":"ls"}}`,
	`{"type":"tool_start","toolCallId":"%d","toolName":"edit_file","args":{"path":"x","old_text":"a","new_text":"b"}}`,
	`{"type":"tool_start","toolCallId":"%d","toolName":"read","audience":"internal"}`,
	`{"type":"tool_start","toolCallId":"","toolName":""}`,
	`{"type":"tool_start","toolCallId":"%d","toolName":"x","args":` + deep + `}`,
	`{"type":"tool_progress","toolCallId":"%d","message":"half","percent":50,"audience":"user"}`,
	`{"type":"tool_progress","toolName":"_budget","message":"spent","audience":"user"}`,
	`{"type":"tool_output","toolCallId":"%d","text":"line\n"}`,
	`{"type":"tool_output","toolCallId":"1","text":"%s"}`,
	`{"type":"tool_output","toolCallId":"%d","text":"all","replace":true}`,
	`{"type":"tool_end","toolCallId":"%d","ok":true,"result":"fine"}`,
	`{"type":"tool_end","toolCallId":"%d","ok":false,"error":"bad","cancelled":true,"exitCode":1}`,
	`{"type":"tool_end","toolCallId":"","toolName":"shell","ok":true}`,
	`{"type":"subagent_start","id":"%d","name":"helper","task":"help"}`,
	`{"type":"subagent_start","id":"%d","name":"helper","parentToolCallId":"0"}`,
	`{"type":"tool_start","toolCallId":"%d","toolName":"bash","parentToolCallId":"1"}`,
	`{"type":"tool_pending","toolCallId":"%d","toolName":"bash","parentToolCallId":"2"}`,
	`{"type":"subagent_end","id":"%d","ok":true,"result":"helped"}`,
	`{"type":"tool_confirmation_request","toolCallId":"%d","toolName":"shell","args":{"command":"ls"}}`,
	`{"type":"tool_confirmation_request","confirmationId":"1","toolCallId":"%d","toolName":"shell"}`,
	`{"type":"tool_confirmation_request","confirmationId":"2","toolCallId":"%d","toolName":"shell","decisions":["allow_always","reject_always"]}`,
	`{"type":"tool_confirmation_request","toolCallId":"%d","toolName":"shell","turnId":"turn-1"}`,
	`{"type":"tool_confirmation_request","toolCallId":"%d","args":` + deep + `}`,
	`{"type":"tool_confirmation_request","toolCallId":"","toolName":""}`,
	`{"type":"tool_confirmation_resolved","toolCallId":"%d","decision":"allow_once"}`,
	`{"type":"question","questionId":"%d","question":"Why?"}`,
	`{"type":"question","questionId":"%d","question":"Which?","options":["yes","no"]}`,
	`{"type":"question","questionId":"%d","question":"Which?","options":["","no",""]}`,
	`{"type":"question","questionId":"%d","question":"","options":["yes"]}`,
	`{"type":"question","questionId":"%d","question":"Which?","options":["yes","no","both","none"],"multiple":true}`,
	`{"type":"question_answered","questionId":"%d","answer":"yes"}`,
	`{"type":"plan","entries":[{"content":"a","status":"in_progress"},{"content":""}]}`,
	`{"type":"plan","entries":[]}`,
	`{"type":"notice","severity":"warning","message":"careful"}`,
	`{"type":"notice","message":""}`,
	`{"type":"halt","message":"enough"}`,
	`{"type":"usage","inputTokens":5,"outputTokens":6,"contextWindow":100,"estimatedCostUsd":0.1}`,
	`{"type":"context_compacted"}`, `{"type":"stream_reset"}`,
	`{"type":"session_title","title":"A title"}`, `{"type":"session_title","title":""}`,
	`{"type":"available_commands","commands":[{"name":"help","description":""},{"name":""}]}`,
	`{"type":"mode_changed","modeId":"a"}`, `{"type":"mode_changed","modeId":"b"}`, `{"type":"mode_changed","modeId":""}`,
	`{"type":"model_changed","modelId":"m","available":[{"id":"m","name":""},{"id":"n"}]}`,
	`{"type":"config_options","options":[{"id":"mode","category":"mode","kind":"select","value":"b","choices":[{"id":"a"},{"id":"b"}]},{"id":"x","kind":"boolean","value":true}]}`,
	`{"type":"option_refused","optionId":"mode","error":"no"}`,
	`{"type":"telemetry","name":"x","data":{"a":1}}`, `{"type":"something_new","a":[1]}`,
	`{"type":"error","error":"small","fatal":false}`,
	`{"type":"error","error":"lost","code":"x"}`,
	`{"type":"error","error":""}`,
	`{"type":"done","text":"the end"}`, `{"type":"done"}`, `{"type":"done","stopReason":"refusal"}`, `{"type":"done","turnId":"turn-1"}`,
	`{"type":"done","turnId":"turn-2"}`,
	`no event`, `{"type":5}`, `[]`, `{"type":"tool_end"`,
}

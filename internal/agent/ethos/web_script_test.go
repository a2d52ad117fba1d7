package ethos_test

import (
	"fmt"
	"strings"
)

const approvalEvent = `{"type":"tool.approval_required","request":{"approvalId":"%s","sessionId":"s/1","toolCallId":"c1","toolName":"terminal","args":{"command":"make clean"},"reason":"deletes files"}}`

// turn plays the turn that a prompt text starts.
func (s *server) turn(text string) {
	trace := strings.ReplaceAll(text, " ", "-")
	start := `{"type":"run_start","provider":"p","model":"m","source":"global","traceId":"` + trace + `"}`
	done := func(text string) string {
		return `{"type":"done","text":"` + text + `","turnCount":1,"traceId":"` + trace + `"}`
	}
	say := func(text string) string { return `{"type":"text_delta","text":"` + text + `"}` }
	switch what, _, _ := strings.Cut(text, " "); what {
	case "hi":
		s.say(start, say("Hel"), `{"type":"usage","inputTokens":1,"outputTokens":1,"estimatedCostUsd":0}`, say("lo."), done("Hello."))
	case "wait":
		s.say(start, say("one "))
		s.stopped()
		s.say(done("one "))
	case "silent":
		s.say(start, say("one "))
		s.stopped() // and never ends
	case "refused":
		s.say(`{"type":"error","error":"Budget cap exceeded","code":"BUDGET_EXCEEDED"}`, `{"type":"done","text":"","turnCount":0}`)
	case "unsaid":
		s.say(start, `{"type":"done","text":"","turnCount":0,"traceId":"`+trace+`"}`)
	case "clean":
		s.say(start)
		answer := s.request("a1", fmt.Sprintf(approvalEvent, "a1"))
		if strings.HasPrefix(answer, "approve") {
			s.say(`{"type":"approval.resolved","approvalId":"a1","decision":"allow","decidedBy":"turnwire"}`,
				`{"type":"tool_start","toolCallId":"c1","toolName":"terminal","args":{"command":"make clean"}}`,
				`{"type":"tool_end","toolCallId":"c1","toolName":"terminal","ok":true,"durationMs":1,"result":"clean"}`)
		} else {
			s.say(`{"type":"approval.resolved","approvalId":"a1","decision":"deny","decidedBy":"turnwire"}`,
				`{"type":"tool_end","toolCallId":"c1","toolName":"terminal","ok":false,"durationMs":1,"result":"refused"}`)
		}
		s.say(done(answer))
	case "raw": // ends when the request with the id is answered
		_, id, _ := strings.Cut(text, " ")
		s.say(start)
		if id == "" {
			s.say(s.raw)
		} else {
			s.request(id, s.raw)
		}
		s.say(`{"type":"done","text":"over","turnCount":1}`)
	case "twice":
		s.mu.Lock()
		second := make(chan string, 1)
		s.answers["a2"] = second
		s.mu.Unlock()
		s.say(start, fmt.Sprintf(approvalEvent, "a2"))
		first := s.request("a1", fmt.Sprintf(approvalEvent, "a1"))
		s.say(done(first + ", " + s.wait(second)))
	case "clarify":
		s.say(start, `{"type":"tool_start","toolCallId":"c1","toolName":"clarify","args":{"question":"Colour?"}}`)
		answer := s.request("q1", `{"type":"clarify.request","requestId":"q1","question":"Colour?","options":["red","blue"],"defaultDeadlineAt":null}`)
		s.say(`{"type":"clarify.resolved","requestId":"q1","source":"user"}`, `{"type":"tool_end","toolCallId":"c1","toolName":"clarify","ok":true,"durationMs":1,"result":"`+answer+`"}`, done(answer))
	}
}

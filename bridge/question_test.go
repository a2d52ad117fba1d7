package bridge_test

import (
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

// questioned runs a turn up to a question.
func questioned(t *testing.T, capabilities, question string) (*editor, *puppetSession) {
	t.Helper()
	p := newPuppet()
	e, s := open(t, p, capabilities)
	e.write(promptS1(`"p"`, "go"))
	s.expect(`{"type":"prompt"}`)
	s.say(question)
	return e, s
}

const (
	forms = `{"elicitation":{"form":{}}}`
	plain = `{"type":"question","questionId":"q","question":"Why?"}`
	which = `{"type":"question","questionId":"q","question":"Which?","options":["red","green"]}`
	many  = `{"type":"question","questionId":"q","question":"Which?","options":["red","green","blue"],"multiple":true}`
)

func TestFormResponsesBecomeAnswers(t *testing.T) {
	for answer, want := range map[string]string{
		`{"action":"accept","content":{"answer":"green"}}`:        `{"answer":"green"}`,
		`{"action":"accept","content":{"answer":["red","blue"]}}`: `{"answer":"red, blue","answers":["red","blue"]}`,
		`{"action":"accept","content":{}}`:                        `{"cancelled":true}`,
		`{"action":"accept","content":{"answer":7}}`:              `{"cancelled":true}`,
		`{"action":"accept"}`:                                     `{"cancelled":true}`,
		`{"action":"decline"}`:                                    `{"cancelled":true}`,
		`{"action":"cancel"}`:                                     `{"cancelled":true}`,
		`{"action":"decline","content":{"answer":"green"}}`:       `{"cancelled":true}`,
		`{}`:   `{"cancelled":true}`,
		`null`: `{"cancelled":true}`,
		`7`:    `{"cancelled":true}`,
	} {
		t.Run(answer, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e, s := questioned(t, forms, many)
				e.expectLike(`"elicitation/create"`, `"id":1`)
				e.answer(1, answer)
				s.expect(want)
			})
		})
	}
	t.Run("an error", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			e, s := questioned(t, forms, plain)
			e.expectLike(`"elicitation/create"`, `"id":1`)
			e.refuse(1)
			s.expect(`{"type":"question_response","questionId":"q","cancelled":true}`)
		})
	})
}

func TestAFewChoicesAreAskedAsAPermission(t *testing.T) {
	for answer, want := range map[string]string{
		`{"outcome":{"outcome":"selected","optionId":"choice-2"}}`: `{"answer":"green"}`,
		`{"outcome":{"outcome":"selected","optionId":"choice-3"}}`: `{"cancelled":true}`,
		`{"outcome":{"outcome":"selected"}}`:                       `{"cancelled":true}`,
		`{"outcome":{"outcome":"cancelled"}}`:                      `{"cancelled":true}`,
		`null`:                                                     `{"cancelled":true}`,
	} {
		t.Run(answer, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e, s := questioned(t, `{}`, which)
				e.expectLike(`"tool_call"`, `Which?`)
				e.expectLike(`"session/request_permission"`, `"name":"red"`, `"name":"green"`)
				e.answer(1, answer)
				s.expect(want)
				e.expectLike(`"tool_call_update"`)
			})
		})
	}
}

func TestAQuestionInAMessageIsAnsweredByTheNextPrompt(t *testing.T) {
	for reply, want := range map[string]string{
		"because": `{"type":"question_response","turnId":"turn-1","questionId":"q","answer":"because"}`,
		"7 \n":    `{"answer":"7"}`,
		"":        `{"cancelled":true}`,
	} {
		t.Run(reply, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e, s := questioned(t, `{}`, plain)
				e.expectLike("**Why?**", "your next message")
				e.expect(`{"id":"p","result":{"stopReason":"end_turn"}}`)
				e.write(promptS1(`"a"`, reply))
				s.expect(want)
				s.say(`{"type":"text_delta","text":"I see"}`, done)
				e.expectLike(`"I see"`)
				e.expect(`{"id":"a","result":{"stopReason":"end_turn"}}`)
			})
		})
	}
}

func TestChoicesInAMessageAreTakenByNumberAndByName(t *testing.T) {
	for reply, want := range map[string]string{
		"1, blue":      `{"answer":"red, blue","answers":["red","blue"]}`,
		"GREEN":        `{"answer":"green","answers":["green"]}`,
		"4,0,-1":       `{"answer":"4, 0, -1"}`,
		"red,,purple,": `{"answers":["red","purple"]}`,
	} {
		t.Run(reply, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e, s := questioned(t, `{}`, many)
				e.expectLike("1. red", "2. green", "3. blue")
				e.until(`"p"`)
				e.write(promptS1(`"a"`, reply))
				s.expect(want)
			})
		})
	}
}

func TestBufferedOutputIsShownBeforeTheTurnPauses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPuppet()
		e, s := open(t, p, `{}`)
		e.write(promptS1(`"p"`, "go"))
		s.expect(`{"type":"prompt"}`)
		s.say(`{"type":"tool_start","toolCallId":"a","toolName":"x"}`,
			`{"type":"tool_output","toolCallId":"a","text":"a long first line of output, so that the next is too little\n"}`)
		e.expectLike("in_progress")
		e.expectLike("too little")
		s.say(`{"type":"tool_output","toolCallId":"a","text":"last"}`, plain)
		lines := e.until(`"p"`)
		require.Contains(t, lines[len(lines)-2], `too little\nlast`)
	})
}

func TestQuestionsOfABatchAreAskedOneAfterTheOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPuppet()
		e, s := open(t, p, `{}`)
		e.write(promptS1(`"p"`, "go"))
		s.expect(`{"type":"prompt"}`)
		s.say(plain, `{"type":"question","questionId":"second","question":"And?"}`)
		e.until(`"p"`)
		e.write(promptS1(`"a"`, "one"))
		s.expect(`{"type":"question_response","questionId":"q","answer":"one"}`)
		e.expectLike("**And?**")
		e.expect(`{"id":"a","result":{"stopReason":"end_turn"}}`)
		e.write(promptS1(`"b"`, "two"))
		s.expect(`{"type":"question_response","questionId":"second","answer":"two"}`)
		s.say(`{"type":"text_delta","text":"I see"}`, done)
		e.expectLike("I see")
		e.expect(`{"id":"b","result":{"stopReason":"end_turn"}}`)
	})
}

func TestASessionWithAnOpenQuestionCanBeClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, _ := questioned(t, `{}`, plain)
		e.until(`"p"`)
		e.request("9", "session/close", `{"sessionId":"S1"}`)
		e.expect(`{"id":9,"result":{}}`) // goleak finds a session that still waits
	})
}

func TestEOFEndsAnOpenQuestion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, _ := questioned(t, `{}`, plain)
		e.until(`"p"`)
		require.Empty(t, e.close())
	})
}

func TestACancelWithdrawsAQuestion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, s := questioned(t, forms, plain)
		e.expectLike(`"elicitation/create"`)
		e.write(cancelS1)
		s.expect(`{"type":"cancel"}`)
		s.expect(`{"type":"question_response","questionId":"q","cancelled":true}`)
		e.expect(`{"method":"$/cancel_request","params":{"requestId":1}}`)
		s.say(done)
		e.stopped(`"p"`, "cancelled")
	})
}

func TestAQuestionThatIsAnsweredElsewhereIsWithdrawn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, s := questioned(t, forms, plain)
		e.expectLike(`"elicitation/create"`)
		s.say(`{"type":"question_answered","questionId":"q","answer":"x"}`)
		e.expect(`{"method":"$/cancel_request","params":{"requestId":1}}`)
		s.say(done)
		e.stopped(`"p"`, "end_turn")
	})
}

package bridge_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

// askToEdit is a tool call that asks for permission and offers all decisions.
const askToEdit = `{"type":"tool_confirmation_request","toolCallId":"a","toolName":"edit_file","args":{"path":"x.txt","old_text":"1","new_text":"2"},` +
	`"reason":"because","decisions":["reject_always","allow_once","allow_always","reject_once","allow_once"]}`

// withRequest runs a turn up to its permission request, which has the id 1.
func withRequest(t *testing.T) (*editor, *puppetSession) {
	t.Helper()
	p := newPuppet()
	e, s := open(t, p, `{}`)
	e.write(promptS1(`"p"`, "go"))
	s.expect(`{"type":"prompt"}`)
	s.say(askToEdit)
	e.expectLike(`"sessionUpdate":"tool_call"`)
	e.expectLike(`"session/request_permission"`, `"id":1`)
	return e, s
}

func TestAPermissionRequestHasTheWholeCallAndEachKindOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPuppet()
		e, s := open(t, p, `{}`)
		e.write(promptS1(`"p"`, "go"))
		s.expect(`{"type":"prompt"}`)
		s.say(askToEdit)
		const state = `"toolCallId":"a","title":"Edit x.txt","name":"edit_file","kind":"edit","status":"pending",` +
			`"content":[{"type":"diff","path":"/project/x.txt","oldText":"1","newText":"2"}%s],` +
			`"locations":[{"path":"/project/x.txt"}],"rawInput":{"path":"x.txt","old_text":"1","new_text":"2"}`
		e.expect(`{"method":"session/update","params":{"sessionId":"S1","update":{"sessionUpdate":"tool_call",` + fmt.Sprintf(state, "") + `}}}`)
		e.expect(`{"id":1,"method":"session/request_permission","params":{"sessionId":"S1","toolCall":{` +
			fmt.Sprintf(state, `,{"type":"content","content":{"type":"text","text":"because"}}`) + `},"options":[
		{"optionId":"allow_once","name":"Allow","kind":"allow_once"},
		{"optionId":"allow_always","name":"Always allow","kind":"allow_always"},
		{"optionId":"reject_once","name":"Reject","kind":"reject_once"},
		{"optionId":"reject_always","name":"Always reject","kind":"reject_always"}]}}`)
		e.answer(1, `{"outcome":{"outcome":"cancelled"}}`)
		s.expect(`{"type":"tool_confirmation_response"}`)
	})
}

func TestCommandsCutInTheTitleAreWholeInTheRequest(t *testing.T) {
	long := "echo " + strings.Repeat("x", 200) + " && rm -rf y"
	for name, c := range map[string]struct{ args, want string }{
		"one line":          {`{"command":"rm -rf y"}`, `[]`},
		"several lines":     {`{"command":"ls\nrm -rf y\n"}`, "[{\"type\":\"content\",\"content\":{\"type\":\"text\",\"text\":\"```\\nls\\nrm -rf y\\n```\"}}]"},
		"a long line":       {`{"command":"` + long + `"}`, "[{\"type\":\"content\",\"content\":{\"type\":\"text\",\"text\":\"```\\n" + long + "\\n```\"}}]"},
		"parts":             {`{"command":["rm","-rf","y"]}`, "[{\"type\":\"content\",\"content\":{\"type\":\"text\",\"text\":\"```\\n[\\\"rm\\\",\\\"-rf\\\",\\\"y\\\"]\\n```\"}}]"},
		"fences of its own": {`{"command":"x\n` + "````" + `"}`, "[{\"type\":\"content\",\"content\":{\"type\":\"text\",\"text\":\"`````\\nx\\n````\\n`````\"}}]"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newPuppet()
				e, s := open(t, p, `{}`)
				e.write(promptS1(`"p"`, "go"))
				s.expect(`{"type":"prompt"}`)
				s.say(`{"type":"tool_confirmation_request","toolCallId":"a","toolName":"shell","args":` + c.args + `}`)
				e.expectLike(`"sessionUpdate":"tool_call"`)
				var request struct {
					Params struct {
						ToolCall struct{ Content json.RawMessage }
					}
				}
				require.NoError(t, json.Unmarshal([]byte(e.expectLike(`"session/request_permission"`)), &request))
				if request.Params.ToolCall.Content == nil {
					request.Params.ToolCall.Content = json.RawMessage(`[]`)
				}
				require.JSONEq(t, c.want, string(request.Params.ToolCall.Content))
				e.answer(1, `{"outcome":{"outcome":"cancelled"}}`)
				s.expect(`{"type":"tool_confirmation_response"}`)
			})
		})
	}
}

// Consent requires the id of an offered option that allows the call.
func TestOnlyAnOfferedAllowOptionPermits(t *testing.T) {
	for outcome, decision := range map[string]string{
		`{"outcome":"selected","optionId":"allow_once"}`:                          "allow_once",
		`{"outcome":"selected","optionId":"allow_always"}`:                        "allow_always",
		`{"outcome":"selected","optionId":"reject_once"}`:                         "reject_once",
		`{"outcome":"selected","optionId":"reject_always"}`:                       "reject_always",
		`{"outcome":"cancelled"}`:                                                 "cancelled",
		`{"outcome":"cancelled","optionId":"allow_once"}`:                         "cancelled",
		`{"outcome":"selected","optionId":"allow"}`:                               "cancelled",
		`{"outcome":"selected","optionId":"ALLOW_ONCE"}`:                          "cancelled",
		`{"outcome":"selected","optionId":""}`:                                    "cancelled",
		`{"outcome":"selected","optionId":null}`:                                  "cancelled",
		`{"outcome":"selected","optionId":1}`:                                     "cancelled",
		`{"outcome":"selected"}`:                                                  "cancelled",
		`{"outcome":"approved","optionId":"allow_once"}`:                          "cancelled",
		`{"optionId":"allow_once"}`:                                               "cancelled",
		`{"Outcome":"selected","optionId":"allow_once"}`:                          "cancelled",
		`{"outcome":"selected","OptionId":"allow_once"}`:                          "cancelled",
		`{"outcome":"selected","optionId":"reject_once","OptionID":"allow_once"}`: "reject_once",
		`{"outcome":"cancelled","optionId":"allow_once","OUTCOME":"selected"}`:    "cancelled",
		`{}`:         "cancelled",
		`null`:       "cancelled",
		`"selected"`: "cancelled",
		`[]`:         "cancelled",
	} {
		t.Run(outcome, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e, s := withRequest(t)
				e.answer(1, `{"outcome":`+outcome+`}`)
				s.expect(fmt.Sprintf(`{"type":"tool_confirmation_response","toolCallId":"a","turnId":"turn-1","decision":%q}`, decision))
			})
		})
	}
}

func TestAnInvalidAnswerRefuses(t *testing.T) {
	for _, result := range []string{`null`, `{}`, `[]`, `"allow_once"`, `true`, `{"Outcome":{"outcome":"selected","optionId":"allow_once"}}`} {
		t.Run(result, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e, s := withRequest(t)
				e.answer(1, result)
				s.expect(`{"type":"tool_confirmation_response","toolCallId":"a","decision":"cancelled"}`)
			})
		})
	}
	t.Run("an error", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			e, s := withRequest(t)
			e.refuse(1)
			s.expect(`{"type":"tool_confirmation_response","toolCallId":"a","decision":"cancelled"}`)
		})
	})
	t.Run("the end of the input", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			e, s := withRequest(t)
			closed := make(chan []string, 1)
			go func() {
				defer close(closed) // a failed assertion ends this goroutine
				closed <- e.close()
			}()
			s.expect(`{"type":"cancel"}`)
			s.expect(`{"type":"tool_confirmation_response","toolCallId":"a","decision":"cancelled"}`)
			s.say(done)
			require.Contains(t, <-closed, `{"jsonrpc":"2.0","id":"p","result":{"stopReason":"cancelled"}}`)
		})
	})
}

func TestOptionsThatWereNotOfferedPermitNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPuppet()
		e, s := open(t, p, `{}`)
		e.write(promptS1(`"p"`, "go"))
		s.expect(`{"type":"prompt"}`)
		s.say(`{"type":"tool_confirmation_request","toolCallId":"a","toolName":"x"}`)
		e.expectLike(`"tool_call"`)
		e.expectLike(`"options":[{"optionId":"allow_once","name":"Allow","kind":"allow_once"},{"optionId":"reject_once","name":"Reject","kind":"reject_once"}]`)
		e.answer(1, `{"outcome":{"outcome":"selected","optionId":"allow_always"}}`)
		s.expect(`{"type":"tool_confirmation_response","decision":"cancelled"}`)
	})
}

func TestASecondAnswerIsIgnored(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, s := withRequest(t)
		e.answer(1, `{"outcome":{"outcome":"selected","optionId":"reject_once"}}`)
		s.expect(`{"type":"tool_confirmation_response","decision":"reject_once"}`)
		e.answer(1, `{"outcome":{"outcome":"selected","optionId":"allow_once"}}`)
		e.sync()
		s.say(done)
		e.stopped(`"p"`, "end_turn")
		e.write(cancelS1 + promptS1(`"q"`, "next"))
		s.expect(`{"type":"prompt"}`) // and no second response before it
	})
}

func TestACancelWithdrawsRequestsAndDoesNotWaitForTheUser(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, s := withRequest(t)
		e.write(cancelS1)
		s.expect(`{"type":"cancel","turnId":"turn-1"}`)
		s.expect(`{"type":"tool_confirmation_response","toolCallId":"a","turnId":"turn-1","decision":"cancelled"}`)
		e.expect(`{"method":"$/cancel_request","params":{"requestId":1}}`)
		s.say(done)
		e.stopped(`"p"`, "cancelled")
		e.answer(1, `{"outcome":{"outcome":"selected","optionId":"allow_once"}}`)
		e.sync()
		e.write(promptS1(`"q"`, "next"))
		s.expect(`{"type":"prompt"}`) // the late answer was not passed on
		s.say(done)
		e.stopped(`"q"`, "end_turn")
	})
}

func TestRequestsAfterACancelAreNotShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPuppet()
		e, s := open(t, p, `{"elicitation":{"form":{}}}`)
		e.write(promptS1(`"p"`, "go"))
		s.expect(`{"type":"prompt"}`)
		e.write(cancelS1)
		s.expect(`{"type":"cancel"}`)
		s.say(askToEdit, `{"type":"question","questionId":"q","question":"?"}`)
		s.expect(`{"type":"tool_confirmation_response","decision":"cancelled"}`)
		s.expect(`{"type":"question_response","questionId":"q","cancelled":true}`)
		s.say(done)
		for _, line := range e.until(`"p"`) {
			require.NotContains(t, line, "request_permission")
			require.NotContains(t, line, "elicitation")
		}
	})
}

func TestParallelRequestsMayBeAnsweredInAnyOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPuppet()
		e, s := open(t, p, `{}`)
		e.write(promptS1(`"p"`, "go"))
		s.expect(`{"type":"prompt"}`)
		for i, id := range []string{"a", "b", "c"} {
			s.say(fmt.Sprintf(`{"type":"tool_confirmation_request","toolCallId":%q,"toolName":"x"}`, id))
			e.expectLike(`"tool_call"`)
			e.expectLike(`"session/request_permission"`, fmt.Sprintf(`"id":%d`, i+1))
		}
		e.answer(3, `{"outcome":{"outcome":"selected","optionId":"allow_once"}}`)
		s.expect(`{"toolCallId":"c","decision":"allow_once"}`)
		e.answer(1, `{"outcome":{"outcome":"selected","optionId":"reject_once"}}`)
		s.expect(`{"toolCallId":"a","decision":"reject_once"}`)
		e.refuse(2)
		s.expect(`{"toolCallId":"b","decision":"cancelled"}`)
		s.say(done)
		e.stopped(`"p"`, "end_turn")
	})
}

const withdrawn = `{"method":"$/cancel_request","params":{"requestId":1}}`

func TestARequestIsWithdrawnWhenTheAgentDecidesItself(t *testing.T) {
	t.Run("by ending the call", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			e, s := withRequest(t)
			s.say(`{"type":"tool_end","toolCallId":"a","ok":true}`)
			e.expectLike(`"tool_call_update"`, `"completed"`)
			e.expect(withdrawn)
			e.nothingTold(s)
		})
	})
	t.Run("by saying so", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			e, s := withRequest(t)
			s.say(`{"type":"tool_confirmation_resolved","toolCallId":"a","decision":"allow_once"}`)
			e.expect(withdrawn)
			e.nothingTold(s)
		})
	})
	t.Run("by ending the turn", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			e, s := withRequest(t)
			s.say(done)
			e.expectLike(`"tool_call_update"`, `"failed"`)
			require.ElementsMatch(t, []string{bare(withdrawn), `{"id":"p","result":{"stopReason":"end_turn"}}`}, []string{bare(e.read()), bare(e.read())})
		})
	})
}

// nothingTold ends the turn and checks that the agent got no command in it.
func (e *editor) nothingTold(s *puppetSession) {
	e.t.Helper()
	s.say(done)
	e.stopped(`"p"`, "end_turn")
	e.write(promptS1(`"q"`, "next"))
	s.expect(`{"type":"prompt"}`)
}

func TestTooManyOpenRequestsBlockTheAgent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPuppet()
		e, s := open(t, p, `{}`)
		e.write(promptS1(`"p"`, "go"))
		s.expect(`{"type":"prompt"}`)
		var asked atomic.Int64
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			for asked.Load() < 1000 && s.say(strings.Replace(askToEdit, `"a"`, fmt.Sprintf(`"a%d"`, asked.Load()), 1)) {
				asked.Add(1)
			}
			s.say(done)
		}()
		for range 128 {
			e.expectLike(`"sessionUpdate":"tool_call"`)
			e.expectLike(`"session/request_permission"`)
		}
		synctest.Wait()
		held := asked.Load()
		require.Less(t, held, int64(200))
		e.answer(1, `{"outcome":{"outcome":"selected","optionId":"allow_once"}}`)
		s.expect(`{"type":"tool_confirmation_response","decision":"allow_once"}`)
		synctest.Wait()
		require.Equal(t, held+1, asked.Load(), "an answer makes room for one more")
		e.write(cancelS1)
		e.stopped(`"p"`, "cancelled")
		<-ended
		require.EqualValues(t, 1000, asked.Load())
	})
}

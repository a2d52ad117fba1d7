package bridge_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
)

// An asking is a way for an agent to ask, together with an answer that permits
// something.
type asking struct{ capabilities, event, answer string }

var askings = map[string]asking{
	"a confirmation":                         {`{}`, askToEdit, `{"jsonrpc":"2.0","id":1,"result":{"outcome":{"outcome":"selected","optionId":"allow_once"}}}` + "\n"},
	"a confirmation with options of its own": {`{}`, askWithOptions, `{"jsonrpc":"2.0","id":1,"result":{"outcome":{"outcome":"selected","optionId":"go"}}}` + "\n"},
	"a question by choices":                  {`{}`, which, `{"jsonrpc":"2.0","id":1,"result":{"outcome":{"outcome":"selected","optionId":"choice-1"}}}` + "\n"},
	"a question with fields":                 {forms, `{"type":"question","questionId":"q","question":"Which?","fields":[{"name":"a"},{"name":"b","type":"boolean"}]}`, `{"jsonrpc":"2.0","id":1,"result":{"action":"accept","content":{"a":"yes","b":true}}}` + "\n"},
	"a page":                                 {`{"elicitation":{"url":{}}}`, `{"type":"question","questionId":"q","question":"Log in","url":"https://tea.example"}`, `{"jsonrpc":"2.0","id":1,"result":{"action":"accept"}}` + "\n"},
	"a question by a form":                   {forms, plain, `{"jsonrpc":"2.0","id":1,"result":{"action":"accept","content":{"answer":"yes"}}}` + "\n"},
}

// received returns the JSON of all commands that the agent has received so far.
func (s *puppetSession) received() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []string
	for _, c := range s.commands {
		out = append(out, string(agent.AppendCommand(nil, c)))
	}
	return out
}

// requireRefusedOnce requires exactly one answer among an agent's commands, and
// requires it to refuse.
func requireRefusedOnce(t *testing.T, commands []string) {
	t.Helper()
	answers := 0
	for _, line := range commands {
		var c struct {
			Type, Decision, OptionID, Answer string
			Cancelled, Declined              bool
			Values                           map[string]any
		}
		require.NoError(t, json.Unmarshal([]byte(line), &c))
		switch c.Type {
		case agent.CommandConfirmation:
			answers++
			require.Equal(t, "cancelled", c.Decision, "%s", line)
			require.Empty(t, c.OptionID, "%s", line)
		case agent.CommandQuestion:
			answers++
			require.True(t, c.Cancelled && !c.Declined && c.Answer == "" && c.Values == nil, "%s", line)
		}
	}
	require.Equal(t, 1, answers, "%v", commands)
}

func TestNothingIsPermittedOnceACancelIsRead(t *testing.T) {
	for name, a := range askings {
		t.Run(name, func(t *testing.T) {
			for _, later := range []time.Duration{0, 1, time.Millisecond, 3 * time.Millisecond, 10 * time.Millisecond, 300 * time.Millisecond} {
				for range 5 {
					synctest.Test(t, func(t *testing.T) {
						e, s := waitsFor(t, a)
						if later == 0 {
							e.write(cancelS1 + a.answer)
						} else {
							e.write(cancelS1)
							<-time.After(later)
							e.write(a.answer)
						}
						e.stopped(`"p"`, "cancelled")
						requireRefusedOnce(t, s.received())
						require.NoError(t, e.in.Close())
						e.rest()
					})
				}
			}
		})
	}
}

// waitsFor runs a turn until the editor receives a request.
func waitsFor(t *testing.T, a asking) (*editor, *puppetSession) {
	t.Helper()
	p := newPuppet()
	e, s := open(t, p, a.capabilities)
	e.write(promptS1(`"p"`, "go"))
	s.expect(`{"type":"prompt"}`)
	s.say(a.event)
	for !strings.Contains(e.read(), `"id":1`) {
		continue
	}
	return e, s
}

// The session's goroutine is waiting for the editor to read when both messages arrive.
func TestNothingIsPermittedOnceASlowEditorsCancelIsRead(t *testing.T) {
	for name, a := range askings {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e, s := waitsFor(t, a)
				flooded := make(chan struct{})
				go func() {
					defer close(flooded)
					for range 20 {
						s.say(strings.Repeat(`{"type":"text_delta","text":"`+strings.Repeat("x", 1000)+`"}`+"\n", 20))
					}
				}()
				synctest.Wait()
				e.write(cancelS1 + a.answer)
				<-time.After(5 * time.Second)
				e.stopped(`"p"`, "cancelled")
				<-flooded
				requireRefusedOnce(t, s.received())
			})
		})
	}
}

// The next prompt answers a question that was asked in a message. After a cancel it is
// an ordinary prompt.
func TestAPromptAfterACancelIsNotAnAnswer(t *testing.T) {
	for _, later := range []time.Duration{0, time.Millisecond, 10 * time.Millisecond, 2 * time.Second} {
		t.Run(later.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e, s := questioned(t, `{}`, plain)
				e.until(`"p"`)
				if later == 0 {
					e.write(cancelS1 + promptS1(`"q"`, "rm -rf"))
				} else {
					e.write(cancelS1)
					<-time.After(later)
					e.write(promptS1(`"q"`, "rm -rf"))
				}
				s.expect(`{"type":"cancel","turnId":"turn-1"}`)
				s.expect(`{"type":"question_response","questionId":"q","cancelled":true,"answer":""}`)
				s.expect(`{"type":"abandon","turnId":"turn-1"}`)
				s.expect(`{"type":"prompt","turnId":"turn-2","text":"rm -rf"}`)
				s.say(done)
				e.stopped(`"q"`, "end_turn")
			})
		})
	}
}

func TestCallsOfATurnCancelledDuringAQuestionEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPuppet()
		e, s := open(t, p, `{}`)
		e.write(promptS1(`"p"`, "go"))
		s.expect(`{"type":"prompt"}`)
		s.say(`{"type":"tool_start","toolCallId":"a","toolName":"x"}`, plain)
		e.until(`"p"`)
		e.write(cancelS1 + promptS1(`"q"`, "next"))
		e.expectLike(`"tool_call_update"`, `"toolCallId":"a"`, `"failed"`)
		s.expect(`{"type":"cancel"}`)
		s.expect(`{"type":"question_response","cancelled":true}`)
		s.expect(`{"type":"abandon"}`)
		s.expect(`{"type":"prompt"}`)
		s.say(done)
		e.stopped(`"q"`, "end_turn")
	})
}

func TestAnAnswerInACancelledPromptDoesNotCount(t *testing.T) {
	for range 20 {
		synctest.Test(t, func(t *testing.T) {
			e, s := questioned(t, `{}`, plain)
			e.until(`"p"`)
			e.write(promptS1(`"q"`, "yes") + cancelS1)
			e.stopped(`"q"`, "cancelled")
			commands := s.received()
			at := slices.IndexFunc(commands, func(line string) bool { return strings.Contains(line, `"type":"cancel"`) })
			require.GreaterOrEqual(t, at, 0)
			for _, line := range commands[at:] {
				require.NotContains(t, line, `"answer":"yes"`)
			}
		})
	}
}

const (
	askToList   = `{"type":"tool_confirmation_request",%s"toolCallId":"a","toolName":"shell","args":{"command":"ls"}}`
	askToRemove = `{"type":"tool_confirmation_request",%s"toolCallId":"a","toolName":"shell","args":{"command":"rm -rf /"}}`
)

func TestAmbiguousConfirmationsAreBothRefused(t *testing.T) {
	for name, ids := range map[string][2]string{
		"without ids": {"", ""},
		"with one id": {`"confirmationId":"1",`, `"confirmationId":"1",`},
		"one without": {`"confirmationId":"1",`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newPuppet()
				e, s := open(t, p, `{}`)
				e.write(promptS1(`"p"`, "go"))
				s.expect(`{"type":"prompt"}`)
				s.say(fmt.Sprintf(askToList, ids[0]), fmt.Sprintf(askToRemove, ids[1]))
				e.expectLike(`"tool_call"`)
				e.expectLike(`"session/request_permission"`, `"id":1`, "ls")
				e.expectLike(`"tool_call_update"`, "rm -rf")
				e.expect(`{"method":"$/cancel_request","params":{"requestId":1}}`)
				for range 2 {
					got := s.command()
					require.Contains(t, got, `"decision":"cancelled"`)
					require.Contains(t, got, `"reason":"two open requests`)
				}
				e.answer(1, `{"outcome":{"outcome":"selected","optionId":"allow_once"}}`)
				e.sync()
				s.say(done)
				e.stopped(`"p"`, "end_turn")
				require.Empty(t, s.received())
			})
		})
	}
}

func TestConfirmationsWithTheirOwnIDsAreAnsweredSeparately(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPuppet()
		e, s := open(t, p, `{}`)
		e.write(promptS1(`"p"`, "go"))
		s.expect(`{"type":"prompt"}`)
		s.say(fmt.Sprintf(askToList, `"confirmationId":"1",`), fmt.Sprintf(askToRemove, `"confirmationId":"2",`))
		e.expectLike(`"tool_call"`, `"toolCallId":"a"`, "ls")
		e.expectLike(`"session/request_permission"`, `"id":1`, `"toolCallId":"a"`, "ls")
		e.expectLike(`"tool_call"`, `"toolCallId":"a#2"`, "rm -rf")
		e.expectLike(`"session/request_permission"`, `"id":2`, `"toolCallId":"a#2"`, "rm -rf")
		e.answer(1, `{"outcome":{"outcome":"selected","optionId":"allow_once"}}`)
		s.expect(`{"confirmationId":"1","toolCallId":"a","decision":"allow_once"}`)
		e.answer(2, `{"outcome":{"outcome":"selected","optionId":"reject_once"}}`)
		s.expect(`{"confirmationId":"2","toolCallId":"a","decision":"reject_once"}`)
	})
}

func TestQuestionsWithTheSameIDAreBothRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, s := questioned(t, forms, plain)
		e.expectLike(`"elicitation/create"`, `"id":1`)
		s.say(which)
		e.expect(`{"method":"$/cancel_request","params":{"requestId":1}}`)
		for range 2 {
			s.expect(`{"type":"question_response","questionId":"q","cancelled":true}`)
		}
	})
}

func TestRequestsOutsideATurnAreRefusedWithAReason(t *testing.T) {
	for name, lines := range map[string][2]string{
		"between turns":       {askToEdit, `{"type":"question","questionId":"q","question":"?"}`},
		"of a turn long over": {askToEdit[:len(askToEdit)-1] + `,"turnId":"turn-0"}`, `{"type":"question","questionId":"q","question":"?","turnId":"turn-0"}`},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newPuppet()
				e, s := open(t, p, `{}`)
				if name != "between turns" {
					e.write(promptS1(`"p"`, "go"))
					s.expect(`{"type":"prompt"}`)
				}
				s.say(lines[0], lines[1])
				got := s.command()
				require.Contains(t, got, `"decision":"cancelled"`)
				require.Contains(t, got, `"reason":`)
				s.expect(`{"type":"question_response","questionId":"q","cancelled":true}`)
			})
		})
	}
}

// A question in a message holds back everything that follows it. A confirmation after
// it is only asked once the question is answered.
func TestAConfirmationWaitsForAQuestionInAnEarlierMessage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, s := questioned(t, `{}`, plain+"\n"+askToEdit)
		for _, line := range e.until(`"p"`) {
			require.NotContains(t, line, "request_permission")
		}
		e.write(promptS1(`"a"`, "because"))
		s.expect(`{"type":"question_response","answer":"because"}`)
		e.expectLike(`"session/request_permission"`, `"id":1`)
		e.answer(1, `{"outcome":{"outcome":"selected","optionId":"allow_once"}}`)
		s.expect(`{"type":"tool_confirmation_response","decision":"allow_once"}`)
		s.say(done)
		e.stopped(`"a"`, "end_turn")
	})
}

func TestAQuestionInAMessageWaitsForAnOpenConfirmation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, s := withRequest(t)
		s.say(plain)
		e.sync()
		e.answer(1, `{"outcome":{"outcome":"selected","optionId":"allow_once"}}`)
		s.expect(`{"type":"tool_confirmation_response","decision":"allow_once"}`)
		e.expectLike("**Why?**")
		e.stopped(`"p"`, "end_turn")
		e.write(promptS1(`"a"`, "because"))
		s.expect(`{"type":"question_response","answer":"because"}`)
		s.say(done)
		e.stopped(`"a"`, "end_turn")
	})
}

func TestEOFRefusesOpenRequests(t *testing.T) {
	for name, lines := range map[string][]string{
		"a question and a confirmation at once":           {plain + "\n" + askToEdit},
		"a question and a confirmation after it":          {plain, askToEdit},
		"a question and another one after it":             {plain, `{"type":"question","questionId":"r","question":"Who?"}`},
		"a confirmation and a question in a message":      {askToEdit, plain},
		"a question, a choice and a confirmation at once": {plain + "\n" + strings.Replace(which, `"q"`, `"r"`, 1) + "\n" + askToEdit},
	} {
		t.Run(name, func(t *testing.T) {
			for range 20 {
				synctest.Test(t, func(t *testing.T) {
					p := newPuppet()
					e, s := open(t, p, `{}`)
					e.write(promptS1(`"p"`, "go"))
					s.expect(`{"type":"prompt"}`)
					go func() {
						for _, line := range lines {
							s.say(line)
						}
					}()
					go func() {
						synctest.Wait()
						_ = e.in.Close()
					}()
					got := strings.Join(e.rest(), "\n")
					require.Contains(t, got, `"id":"p"`)
					for _, line := range s.received() {
						require.NotContains(t, line, `allow`)
					}
				})
			}
		})
	}
}

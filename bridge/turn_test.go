package bridge_test

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
)

const done = `{"type":"done","text":""}`

func TestPromptAndCancelInOneWriteIsAlwaysCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPuppet()
		e, s := open(t, p, `{}`)
		go func() {
			for {
				c, err := s.await()
				if err != nil {
					return
				}
				// The agent ignores why it should stop.
				if _, ok := c.(agent.Cancel); ok {
					s.say(`{"type":"text_delta","text":"x"}`, done)
				}
			}
		}()
		for i := range 2000 {
			id := strconv.Itoa(i)
			e.write(promptS1(id, "go") + cancelS1)
			e.stopped(id, "cancelled")
		}
	})
}

func TestTheTurnAfterACancelledOneIsNotCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPuppet()
		e, s := open(t, p, `{}`)
		e.write(promptS1("1", "one"))
		s.expect(`{"type":"prompt","text":"one"}`)
		e.write(cancelS1 + promptS1("2", "two"))
		s.expect(`{"type":"cancel"}`)
		s.say(`{"type":"text_delta","text":"late"}`, done)
		s.expect(`{"type":"prompt","text":"two"}`)
		s.say(`{"type":"text_delta","text":"fresh"}`, done)
		e.stopped("1", "cancelled")
		e.expectLike(`"fresh"`)
		e.expect(`{"id":2,"result":{"stopReason":"end_turn"}}`)
	})
}

func TestPromptsWaitForTheRunningOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPuppet()
		e, s := open(t, p, `{}`)
		e.write(promptS1("1", "one") + promptS1("2", "two") + promptS1("3", "three"))
		for i, text := range []string{"one", "two", "three"} {
			s.expect(fmt.Sprintf(`{"type":"prompt","text":%q}`, text))
			s.say(fmt.Sprintf(`{"type":"text_delta","text":"to %s"}`, text), done)
			e.expectLike("to " + text)
			e.expect(fmt.Sprintf(`{"id":%d,"result":{"stopReason":"end_turn"}}`, i+1))
		}
	})
}

func TestTooManyPromptsAreRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPuppet()
		e, s := open(t, p, `{}`)
		e.write(promptS1("0", "running"))
		s.expect(`{"type":"prompt"}`)
		for i := range 32 {
			e.write(promptS1(strconv.Itoa(i+1), "waiting"))
		}
		e.write(promptS1("99", "one too many"))
		e.expectLike(`"id":99`, `-32600`)
		e.write(cancelS1)
		s.expect(`{"type":"cancel"}`)
		s.say(done)
		for i := range 33 {
			e.expect(fmt.Sprintf(`{"id":%d,"result":{"stopReason":"cancelled"}}`, i))
		}
	})
}

func TestACancelDropsThePromptsThatWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPuppet()
		e, s := open(t, p, `{}`)
		e.write(promptS1("1", "one"))
		s.expect(`{"type":"prompt","text":"one"}`)
		e.write(promptS1("2", "two") + cancelS1 + promptS1("3", "three"))
		s.expect(`{"type":"cancel","turnId":"turn-1"}`)
		s.say(done)
		e.stopped("1", "cancelled")
		e.stopped("2", "cancelled")
		s.expect(`{"type":"prompt","text":"three"}`)
		s.say(done)
		e.stopped("3", "end_turn")
	})
}

func TestAnAgentThatIgnoresACancelIsNotWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPuppet()
		e, s := open(t, p, `{}`)
		e.write(promptS1("1", "one"))
		s.expect(`{"type":"prompt","turnId":"turn-1"}`)
		s.say(`{"type":"tool_start","toolCallId":"a","toolName":"x"}`)
		e.expectLike(`"tool_call"`)
		e.write(cancelS1)
		s.expect(`{"type":"cancel","turnId":"turn-1"}`)
		e.expectLike(`"tool_call_update"`, `"failed"`)
		e.expect(`{"id":1,"result":{"stopReason":"cancelled"}}`)
		s.expect(`{"type":"abandon","turnId":"turn-1"}`)
		e.write(promptS1("2", "two"))
		s.expect(`{"type":"prompt","turnId":"turn-2"}`)
		s.say(`{"type":"text_delta","text":"too late","turnId":"turn-1"}`, `{"type":"done","text":"","turnId":"turn-1"}`,
			`{"type":"text_delta","text":"in time"}`, done)
		e.expectLike(`"in time"`)
		e.expect(`{"id":2,"result":{"stopReason":"end_turn"}}`)
	})
}

func TestACancelWithoutATurnDoesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPuppet()
		e, s := open(t, p, `{}`)
		e.write(cancelS1 + note("session/cancel", `{"sessionId":"unknown"}`) + note("session/cancel", `7`) + promptS1("1", "go"))
		s.expect(`{"type":"prompt"}`)
		s.say(done)
		e.expectLike("without an answer")
		e.expect(`{"id":1,"result":{"stopReason":"end_turn"}}`)
	})
}

func TestCancelRequestCancelsOnlyItsPrompt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPuppet()
		e, s := open(t, p, `{}`)
		e.write(promptS1("1", "one") + promptS1(`"2"`, "two") + promptS1("3", "three") +
			note("$/cancel_request", `{"requestId":"2"}`) + note("$/cancel_request", `{"requestId":77}`) + note("$/cancel_request", `{"requestId":null}`))
		e.expect(`{"id":"2","result":{"stopReason":"cancelled"}}`)
		s.expect(`{"type":"prompt","text":"one"}`)
		e.sync()
		s.say(done)
		e.expectLike("without an answer")
		e.expect(`{"id":1,"result":{"stopReason":"end_turn"}}`)
		s.expect(`{"type":"prompt","text":"three"}`)
		e.notify("$/cancel_request", `{"requestId":3}`)
		s.expect(`{"type":"cancel"}`)
		s.say(done)
		e.expect(`{"id":3,"result":{"stopReason":"cancelled"}}`)
	})
}

func TestADuplicateIDIsRefusedAndTheFirstRequestContinues(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPuppet()
		e, s := open(t, p, `{}`)
		e.write(promptS1("1", "one") + promptS1("1", "again"))
		e.expectLike(`"id":null`, `-32600`)
		s.expect(`{"type":"prompt","text":"one"}`)
		s.say(done)
		e.expectLike("without an answer")
		e.expect(`{"id":1,"result":{"stopReason":"end_turn"}}`)
		e.write(promptS1("1", "the id is free"))
		s.expect(`{"type":"prompt","text":"the id is free"}`)
		s.say(done)
		e.expectLike("without an answer")
		e.expect(`{"id":1,"result":{"stopReason":"end_turn"}}`)
	})
}

func TestAnAgentsErrorIsTheResponse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPuppet()
		e, s := open(t, p, `{}`)
		e.write(promptS1("1", "go"))
		s.expect(`{"type":"prompt"}`)
		s.say(`{"type":"error","error":"no more tokens","code":"quota"}`)
		e.expect(`{"id":1,"error":{"code":-32603,"message":"no more tokens","data":{"details":"no more tokens","error":"no more tokens","code":"quota"}}}`)
		e.write(promptS1("2", "again"))
		s.expect(`{"type":"prompt"}`)
		s.say(done)
		e.expectLike("without an answer")
		e.expect(`{"id":2,"result":{"stopReason":"end_turn"}}`)
	})
}

func TestAFailedPromptDoesNotPreventTheNext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPuppet()
		e, s := open(t, p, `{}`)
		s.mu.Lock()
		s.fails = errors.New("no such command")
		s.mu.Unlock()
		e.write(promptS1("1", "go"))
		e.expectLike(`"id":1`, `-32603`, `"details":"no such command"`)
		s.mu.Lock()
		s.fails = nil
		s.mu.Unlock()
		e.write(promptS1("2", "go"))
		s.expect(`{"type":"prompt"}`)
		s.say(done)
		e.expectLike("without an answer")
		e.expect(`{"id":2,"result":{"stopReason":"end_turn"}}`)
	})
}

func TestNoUpdateFollowsItsTurnsResponse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPuppet()
		e, s := open(t, p, `{}`)
		e.write(promptS1("1", "go"))
		s.expect(`{"type":"prompt"}`)
		s.say(`{"type":"tool_start","toolCallId":"a","toolName":"x"}`, done,
			`{"type":"text_delta","text":"after"}`, `{"type":"tool_end","toolCallId":"a","ok":true}`, `{"type":"plan","entries":[]}`, done)
		s.say(`{"type":"text_delta","text":"later"}`)
		e.stopped("1", "end_turn")
		require.Empty(t, e.close())
	})
}

func TestUpdatesOfASessionFollowTheAnswerThatNamesIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPuppet()
		// The response is so long that an update has time to overtake it.
		mode := agent.Option{ID: "mode", Kind: agent.Select, Value: agent.Chosen("0")}
		for i := range 1000 {
			mode.Choices = append(mode.Choices, agent.Choice{ID: strconv.Itoa(i)})
		}
		p.offers = []agent.Option{mode}
		e := connect(t, p)
		e.initialize(`{}`)
		for i := range 20 {
			id := strconv.Itoa(i)
			e.request(id, "session/new", `{"cwd":"/project","mcpServers":[]}`)
			s := p.session(t)
			emitted := make(chan bool)
			go func() { emitted <- s.say(`{"type":"available_commands","commands":[{"name":"/x","description":"y"}]}`) }()
			e.expectLike(`"id":`+id, `"sessionId":"S`)
			e.expectLike(`available_commands_update`)
			require.True(t, <-emitted)
		}
	})
}

func TestAMessageOutsideOfATurnWaitsForTheNext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPuppet()
		e, s := open(t, p, `{}`)
		e.write(promptS1("1", "one"))
		s.expect(`{"type":"prompt","text":"one"}`)
		s.say(done, `{"type":"notice","message":"by the way"}`, `{"type":"session_title","title":"T"}`)
		e.expectLike("without an answer")
		e.expect(`{"id":1,"result":{"stopReason":"end_turn"}}`)
		e.expectLike(`"session_info_update"`)
		e.write(promptS1("2", "two"))
		s.expect(`{"type":"prompt","text":"two"}`)
		e.expectLike(`by the way`)
		s.say(done)
		e.expectLike("without an answer")
		e.expect(`{"id":2,"result":{"stopReason":"end_turn"}}`)
	})
}

func TestATurnWithoutOutputSaysSo(t *testing.T) {
	const notice = "The agent ended its turn without an answer."
	thought, usage := `{"type":"thinking_delta","thinking":"hm"}`, `{"type":"usage","inputTokens":1,"outputTokens":1,"estimatedCostUsd":0}`
	for name, c := range map[string]struct {
		events []string
		notice bool
	}{
		"nothing":           {[]string{done}, true},
		"thoughts alone":    {[]string{thought, usage, done}, true},
		"blanks":            {[]string{`{"type":"text_delta","text":" \n"}`, done}, true},
		"a text":            {[]string{`{"type":"text_delta","text":"a"}`, done}, false},
		"a text at the end": {[]string{`{"type":"done","text":"a"}`}, false},
		"a tool call":       {[]string{`{"type":"tool_start","toolCallId":"c","toolName":"x"}`, done}, false},
		"a plan":            {[]string{`{"type":"plan","entries":[{"content":"a","status":"pending"}]}`, done}, false},
		"a notice":          {[]string{`{"type":"notice","message":"a"}`, done}, false},
		"a failure":         {[]string{`{"type":"error","error":"a"}`}, false},
		"a limit":           {[]string{`{"type":"done","text":"","stopReason":"max_tokens"}`}, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newPuppet()
				e, s := open(t, p, `{}`)
				e.write(promptS1("1", "go"))
				s.expect(`{"type":"prompt"}`)
				s.say(c.events...)
				var lines []string
				for line := e.read(); ; line = e.read() {
					if strings.Contains(line, `"id":1`) {
						break
					}
					lines = append(lines, line)
				}
				require.Equal(t, c.notice, strings.Contains(strings.Join(lines, "\n"), notice), "%q", lines)
			})
		})
	}
}

func TestACancelledTurnSaysNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPuppet()
		e, s := open(t, p, `{}`)
		e.write(promptS1("1", "go"))
		s.expect(`{"type":"prompt"}`)
		e.write(cancelS1)
		s.expect(`{"type":"cancel"}`)
		s.say(done)
		e.expect(`{"id":1,"result":{"stopReason":"cancelled"}}`)
	})
}

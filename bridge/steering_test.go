package bridge_test

import (
	"context"
	"strconv"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/bridge/journal"
)

const (
	hostOwned  = `,"_meta":{"steering":{"idleBehavior":"promptRequired"}}`
	injected   = `"result":{"outcome":"injected"}`
	noTurn     = `"result":{"outcome":"promptRequired","reason":"noRunningTurn"}`
	newTurn    = `"result":{"outcome":"startedNewTurn"}`
	textSalt   = `[{"type":"text","text":"less salt"}]`
	textDelta  = `{"type":"text_delta","text":"x"}`
	cancelled  = "-32800"
	promptOne  = `{"type":"prompt","text":"one"}`
	promptSalt = `{"type":"prompt","text":"less salt"}`
)

// steering is a request of the editor; more are more members of its params.
func steering(id, prompt, more string) string {
	return call(id, "_session/steering", `{"sessionId":"S1","prompt":`+prompt+more+`}`)
}

// cooking opens a session of a steerable puppet whose first turn runs. It returns once
// the bridge knows that the puppet has the prompt: until then, messages wait, and a
// cancel drops them.
func cooking(t *testing.T) (*editor, *puppetSession) {
	t.Helper()
	p := steerable()
	e, s := open(t, p, `{}`)
	e.write(promptS1("1", "one"))
	s.expect(promptOne)
	synctest.Wait()
	return e, s
}

func TestSteeringIsAdvertised(t *testing.T) {
	for name, p := range map[string]*puppet{"steerable": steerable(), "other": newPuppet()} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e := connect(t, p)
				e.request("1", "initialize", `{"protocolVersion":1}`)
				if answer := e.read(); name == "steerable" {
					require.Contains(t, answer, `"_meta":{"steering":{"supported":true}}`)
				} else {
					require.NotContains(t, answer, "steering")
				}
			})
		})
	}
}

// An agent may introduce itself after the initialize response.
func TestALateIntroductionAdvertisesSteering(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPuppet()
		p.greets = true
		e := connect(t, p)
		e.initialize(`{}`)
		e.request("1", "session/new", `{"cwd":"/project","mcpServers":[]}`)
		s := p.session(t)
		s.say(`{"type":"agent_info","steer":{}}`)
		close(s.greeted)
		e.expectLike(`"id":1`, `"_meta":{"steering":{"supported":true}}`)
		s.say(`{"type":"agent_info","name":"other"}`, `{"type":"agent_info","steer":{}}`, `{"type":"agent_info","steer":{}}`)
		e.expectLike(`"session_info_update"`, `"_meta":{"steering":{"supported":false}}`)
		e.expectLike(`"session_info_update"`, `"_meta":{"steering":{"supported":true}}`)
		e.write(promptS1("2", "one"))
		s.command()
	})
}

func TestSteeringIsRefusedIfTheAgentCannot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, _ := open(t, newPuppet(), `{}`)
		e.write(steering("1", textSalt, ""))
		e.expectLike(`"id":1`, "-32601", "accepts no messages during a turn")
	})
}

func TestSteeringIsInjectedOnceTheAgentHasReadIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, s := cooking(t)
		e.write(steering("2", textSalt, ""))
		s.expect(`{"type":"steer","turnId":"turn-1","steerId":"steer-1","text":"less salt"}`)
		s.say(textDelta)
		e.expectLike(`"messageId":"m1.1"`)
		s.say(`{"type":"steered","steerId":"of somebody else"}`, readFirst, readFirst, textDelta, done)
		e.expectLike(`"id":2`, injected)
		e.expectLike(`"messageId":"m1.2"`)
		e.stopped("1", "end_turn")
	})
}

func TestUnreadSteeringGoesBackToTheClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, s := cooking(t)
		e.write(steering("2", textSalt, hostOwned))
		s.expect(`{"type":"steer"}`)
		s.say(textDelta, done)
		e.stopped("1", "end_turn")
		e.expectLike(`"id":2`, noTurn)
		e.write(promptS1("3", "less salt"))
		s.expect(promptSalt)
		s.say(readFirst, textDelta, done) // too late
		e.stopped("3", "end_turn")
	})
}

func TestUnreadSteeringStartsATurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, s := cooking(t)
		e.write(steering("2", textSalt, "") + promptS1("3", "two"))
		s.expect(`{"type":"steer"}`)
		s.say(textDelta, done)
		e.stopped("1", "end_turn")
		s.expect(promptSalt)
		e.expectLike(`"id":2`, newTurn)
		s.say(textDelta, done)
		s.expect(`{"type":"prompt","text":"two"}`)
		s.say(textDelta, done)
		e.stopped("3", "end_turn")
	})
}

func TestRefusedSteeringGoesBackAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, s := cooking(t)
		e.write(steering("2", textSalt, hostOwned) + steering("3", textSalt, ""))
		s.expect(`{"type":"steer","steerId":"steer-1"}`)
		s.expect(`{"type":"steer","steerId":"steer-2"}`)
		s.say(`{"type":"steered","steerId":"steer-1","refused":"busy"}`, `{"type":"steered","steerId":"steer-2","refused":"busy"}`)
		e.expectLike(`"id":2`, `"outcome":"promptRequired","reason":"refused"`)
		e.write(steering("4", `[{"type":"text","text":"never"}]`, hostOwned))
		e.expectLike(`"id":4`, noTurn)
		s.say(textDelta, done)
		e.stopped("1", "end_turn")
		e.expectLike(`"id":3`, newTurn)
	})
}

func TestSteeringWithoutATurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, s := open(t, steerable(), `{}`)
		e.write(steering("1", textSalt, hostOwned))
		e.expectLike(`"id":1`, noTurn)
		e.write(steering("2", textSalt, ""))
		e.expectLike(`"id":2`, newTurn)
		s.expect(promptSalt)
		e.write(steering("3", textSalt, hostOwned)) // for that turn
		s.expect(`{"type":"steer","turnId":"turn-1"}`)
		s.say(readFirst)
		e.expectLike(`"id":3`, injected)
		e.notify("session/cancel", `{"sessionId":"S1"}`)
		s.expect(`{"type":"cancel","turnId":"turn-1"}`)
		s.say(done)
		e.write(promptS1("4", "one"))
		s.expect(promptOne)
	})
}

// A message for a prompt that the agent is slow to take waits for it.
func TestSteeringWaitsForThePromptOfItsTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, s := open(t, steerable(), `{}`)
		s.held = make(chan struct{})
		e.write(promptS1("1", "one"))
		s.expect(promptOne)
		e.write(steering("2", textSalt, hostOwned) + steering("3", `[{"type":"text","text":"never"}]`, hostOwned) + steering("4", textSalt, ""))
		e.notify("$/cancel_request", `{"requestId":4}`)
		e.expectLike(`"id":4`, cancelled)
		close(s.held)
		e.expectLike(`"id":3`, noTurn)
		s.expect(`{"type":"steer","turnId":"turn-1"}`)
		s.say(readFirst)
		e.expectLike(`"id":2`, injected)
	})
}

func TestSteeringGoesBackWithTheQueuedPromptOfItsTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := steerable()
		e, s := open(t, p, `{}`)
		s.fails = context.DeadlineExceeded
		e.write(promptS1("1", "one") + steering("2", textSalt, hostOwned))
		require.Contains(t, e.read()+e.read(), `"id":2,`+noTurn) // in either order
	})
}

func TestSteeringDuringACancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, s := cooking(t)
		e.write(steering("2", textSalt, hostOwned))
		s.expect(`{"type":"steer"}`)
		e.write(cancelS1 + steering("3", textSalt, hostOwned) + steering("4", textSalt, ""))
		s.expect(`{"type":"cancel"}`)
		e.expectLike(`"id":3`, noTurn)
		s.say(done)
		e.stopped("1", "cancelled")
		e.expectLike(`"id":2`, cancelled, "cancelled before the agent confirmed")
		e.expectLike(`"id":4`, newTurn)
		s.expect(promptSalt)
	})
}

func TestSteeringThatTheAgentReadsAfterACancelIsInjected(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, s := cooking(t)
		e.write(steering("2", textSalt, hostOwned) + cancelS1)
		s.expect(`{"type":"steer"}`)
		s.expect(`{"type":"cancel"}`)
		s.say(readFirst, done)
		e.expectLike(`"id":2`, injected)
		e.stopped("1", "cancelled")
	})
}

// A message for a prompt that the agent does not have yet is not sent after a cancel.
func TestACancelDropsSteeringThatWaitsForItsPrompt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, s := open(t, steerable(), `{}`)
		s.held = make(chan struct{})
		e.write(promptS1("1", "one"))
		s.expect(promptOne)
		e.write(steering("2", textSalt, hostOwned) + cancelS1)
		e.sync()
		close(s.held)
		s.expect(`{"type":"cancel"}`)
		s.say(done)
		e.stopped("1", "cancelled")
		e.expectLike(`"id":2`, cancelled)
	})
}

func TestInvalidSteeringIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, s := cooking(t)
		for prompt, what := range map[string]string{
			`[]`:                             "prompt is missing",
			`null`:                           "prompt is missing",
			`"less salt"`:                    "must be an array",
			`[{"type":"text"}]`:              "prompt is empty",
			`[{"type":"text","text":" \n"}]`: "prompt is empty",
			`[{"type":"image","mimeType":"a/b","data":""}]`:            `"steer\":{\"image\":true}`,
			textSalt + `,"_meta":{"steering":{"idleBehavior":"wait"}}`: "idleBehavior",
			textSalt + `,"_meta":{"steering":7}`:                       "steering",
		} {
			e.write(steering("2", prompt, ""))
			e.expectLike(`"id":2`, "-32602", what)
		}
		e.request("3", "_session/steering", `{"prompt":`+textSalt+`}`)
		e.expectLike(`"id":3`, "-32602", "sessionId is missing")
		e.request("4", "_session/steering", `{"sessionId":"tw-unknown","prompt":`+textSalt+`}`)
		e.expectLike(`"id":4`, "-32002", "unknown session")
		e.request("5", "session/close", `{"sessionId":"S1"}`)
		e.write(steering("6", textSalt, ""))
		e.until("6")
		s.expect(`{"type":"cancel"}`)
	})
}

func TestTooMuchSteeringIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, _ := cooking(t)
		for i := range 32 {
			e.write(steering(strconv.Itoa(i+2), textSalt, ""))
		}
		e.write(steering("34", textSalt, ""))
		e.expectLike(`"id":34`, "-32600", "32 prompts are already queued")
	})
}

func TestSteeringAtTheEndIsCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, s := cooking(t)
		e.write(steering("2", textSalt, hostOwned))
		s.expect(`{"type":"steer"}`)
		rest := e.close()
		require.Contains(t, rest[0], `"stopReason":"cancelled"`)
		require.Contains(t, rest[1], cancelled)
	})
}

func TestSteeringOfAPausedTurnIsAPrompt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, s := cooking(t)
		s.say(`{"type":"question","questionId":"q","question":"Salt?"}`)
		e.until("1")
		e.write(steering("2", textSalt, hostOwned))
		e.expectLike(`"id":2`, noTurn)
		e.write(promptS1("3", "less salt"))
		s.expect(`{"type":"question_response","answer":"less salt"}`)
	})
}

func TestAnAgentLearnsWhatItWasSteeredTo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := journal.NewFolder(t.TempDir())
		p := steerable()
		var options agent.Options
		id := keptSession(t, store, p, `{"cwd":"/project","mcpServers":[]}`, func(e *editor, s *puppetSession) {
			options = s.options
			s.say(`{"type":"agent_info","history":true,"steer":{}}`)
			e.write(promptS1("0", "soup") + steering("9", textSalt, ""))
			s.command()
			s.command()
			s.say(`{"type":"text_delta","text":"Salt it."}`, readFirst, `{"type":"text_delta","text":"Not much."}`, done)
			e.until("0")
		})
		want := []agent.Message{
			{Role: agent.RoleUser, Text: "soup"}, {Role: agent.RoleAgent, Text: "Salt it."},
			{Role: agent.RoleUser, Text: "less salt"}, {Role: agent.RoleAgent, Text: "Not much."},
		}
		require.Equal(t, want, options.Memory().History[:4])
		e := reopened(t, store, p, id)
		e.request("1", "session/load", loadS1)
		e.until("1")
		require.Equal(t, want, p.session(t).options.Memory().History[:4])
	})
}

package acp_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
)

// A malformed request, or several, and what the agent must hear of it: one
// answer to each.
type malformed struct {
	method, params string
	times          int // that it is sent with one id
	want           string
}

const (
	selected  = `{"outcome":{"outcome":"selected","optionId":"yes-1"}}`
	accepted  = `{"action":"accept","content":{"leaf":"assam"}}`
	declined  = `{"action":"decline"}`
	badParams = "-32602"
)

func malformedAsks() map[string]malformed {
	permit := func(call, options string) malformed {
		return malformed{"session/request_permission", `{"sessionId":"tea-1","toolCall":{` + call + `},"options":` + options + `}`, 1, selected}
	}
	form := func(members, want string) malformed {
		return malformed{"elicitation/create", `{"sessionId":"tea-1",` + members + `}`, 1, want}
	}
	const schema = `"requestedSchema":{"type":"object","properties":{"leaf":{"type":"string"}}}`
	nested := strings.Repeat(`{"a":[`, 10_000) + strings.Repeat("]}", 10_000)
	with := func(m malformed, want string) malformed { m.want = want; return m }
	of := func(m malformed, session string) malformed {
		m.params = strings.Replace(m.params, `"tea-1"`, session, 1)
		return with(m, badParams)
	}
	twice := permit(call, offered)
	twice.times, twice.want = 2, refused
	const options = `[{"optionId":"yes-1","name":"Allow","kind":"allow_once"},{"optionId":"yes-1","name":"No","kind":"reject_once"}]`
	return map[string]malformed{
		"nested 20,000 deep":        permit(`"toolCallId":"c1","rawInput":`+nested, offered),
		"wrong types":               permit(`"toolCallId":7,"title":[],"kind":{},"content":"x","locations":5,"rawInput":"y","_meta":1`, offered),
		"an option that is none":    permit(call, `[7,{"name":"x","kind":"allow_always"},`+offered[1:]),
		"not UTF-8":                 permit("\"toolCallId\":\"c\xff\",\"title\":\"\xfe\"", offered),
		"no id of the call":         permit(`"title":"x"`, offered),
		"too long":                  with(permit(`"toolCallId":"c1","title":"LONG"`, offered), "-32600"),
		"no options":                with(permit(call, `[]`), refused),
		"options of no list":        with(permit(call, `{}`), badParams),
		"two options of one id":     with(permit(call, options), refused),
		"two requests of one id":    twice,
		"of another session":        of(permit(call, offered), `"tea-2"`),
		"of a session of no name":   of(permit(call, offered), `{}`),
		"no params":                 {"session/request_permission", `null`, 1, badParams},
		"a form, 20,000 deep":       form(`"message":"?","x":`+nested+`,`+schema, accepted),
		"a form with wrong types":   form(`"message":7,"toolCallId":[],"mode":"form",`+schema, accepted),
		"a schema of wrong types":   form(`"message":"?","requestedSchema":{"properties":[]}`, declined),
		"a form of another session": of(form(`"message":"?",`+schema, ""), `"tea-2"`),
		"a read of another session": {"fs/read_text_file", `{"sessionId":"tea-2","path":"/x"}`, 1, badParams},
		"a write of another session": {
			"fs/write_text_file", `{"sessionId":"tea-2","path":"/x","content":""}`, 1, badParams,
		},
	}
}

// malform sends what is malformed and tells all that it hears up to the answer
// to something else.
func (s *standin) malform(name string, _ message) string {
	m := malformedAsks()[name]
	params := strings.Replace(m.params, "LONG", strings.Repeat("x", 33<<20), 1)
	id := fmt.Sprintf(`"%s-1"`, m.method)
	for range m.times {
		s.send(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`, id, m.method, params)
	}
	heard := 0
	for ; heard < m.times; heard++ {
		s.sayAnswer(<-s.answers)
	}
	s.ask("no/such", `{}`)
	for m := range s.answers {
		if string(m.ID) != id {
			break
		}
		s.say("and another")
	}
	s.say("that is all")
	return "end_turn"
}

func TestEveryAskIsAnsweredOnce(t *testing.T) {
	for name, m := range malformedAsks() {
		t.Run(name, func(t *testing.T) {
			c := open(t, "conformant")
			c.prompt("malform " + name)
			var heard []string
			for over := false; !over; {
				b, ok := <-c.Events()
				require.True(t, ok)
				for e := range b.Events() {
					switch e := e.(type) {
					case *agent.ConfirmationRequested:
						if m.times > 1 {
							continue // until the other one comes
						}
						c.Confirm(agent.ConfirmationResponse{TurnID: "t1", ConfirmationID: e.ConfirmationID, ToolCallID: e.ToolCallID, Decision: agent.AllowOnce})
					case *agent.QuestionAsked:
						c.Answer(agent.QuestionResponse{TurnID: "t1", QuestionID: e.QuestionID, Answer: "assam", Values: map[string]agent.Raw{"leaf": agent.Raw(`"assam"`)}})
					case *agent.TextDelta:
						heard = append(heard, e.Text.String())
					case *agent.Done:
						over = true
					}
				}
				b.Release()
			}
			require.Len(t, heard, m.times+1, "%q", heard)
			require.Equal(t, "that is all", heard[m.times])
			for _, answer := range heard[:m.times] {
				require.True(t, strings.HasPrefix(answer, m.want), "%q instead of %q", answer, m.want)
			}
		})
	}
}

package bridge_test

import (
	"testing"
	"testing/synctest"
)

const noLogin = `{"id":"none","name":"No login needed",
	"description":"Turnwire itself has no login. Set up the agent's credentials where the agent runs.",
	"_meta":{"turnwire.dev/no-login":true}}`

// CodeCompanion logs in with the first method unasked, and waits for the response.
func TestAnUnneededLoginSucceedsAtOnceAndChangesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPuppet()
		e := connect(t, p)
		e.request("1", "authenticate", `{"methodId":"none"}`)
		e.expectLike(`"id":1`, "-32600", "must be initialized")
		e.initialize(`{}`)
		for range 2 {
			e.request("2", "authenticate", `{"methodId":"none"}`)
			e.expect(`{"id":2,"result":{}}`)
		}
		s := e.newSession(p)
		e.write(promptS1("3", "go"))
		s.expect(`{"type":"prompt"}`)
		e.request("4", "authenticate", `{"methodId":"none","_meta":{"a":1}}`) // during a turn
		e.expect(`{"id":4,"result":{}}`)
		s.say(done)
		e.stopped("3", "end_turn")
	})
}

func TestUnknownLoginsAreRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := connect(t, newPuppet())
		e.initialize(`{}`)
		for _, params := range []string{`{"methodId":"oauth"}`, `{"methodId":""}`, `{"methodId":7}`, `{}`, `[]`} {
			e.request("1", "authenticate", params)
			e.expectLike(`"id":1`, "-32602")
		}
		e.request("2", "logout", `{}`)
		e.expectLike(`"id":2`, "-32601")
	})
}

package hub_test

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/bridge/consent"
	"github.com/turnwire/turnwire/internal/bridge/hub"
)

// An observer collects the events of a stage's sessions.
type observer struct {
	stage  *stage
	events []hub.Event // guarded by the hub's lock, and by synctest.Wait
}

func newObservedStage(t *testing.T) *observer {
	o := new(observer)
	o.stage = newStageWith(t, hub.Config{Observe: func(e hub.Event) { o.events = append(o.events, e) }})
	return o
}

// expect checks the events since the last check.
func (o *observer) expect(want ...hub.Event) {
	o.stage.t.Helper()
	synctest.Wait()
	for i := range want {
		want[i].Session = "s1"
	}
	got := o.events
	o.events = nil
	require.Equal(o.stage.t, want, got)
}

const form = `{"jsonrpc":"2.0","id":%s,"method":"elicitation/create","params":{"sessionId":"s1","mode":"form","message":"Which?","requestedSchema":{"type":"object","properties":{"a":{"type":"string"}}}}}`

func TestAnObserverLearnsOfTurnsAndRequestsInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newObservedStage(t)
		s := o.stage
		one := s.join("one")
		s.open(one)
		o.expect()
		s.agent.say("%s", update(`{"sessionUpdate":"session_info_update","title":"Fix"}`))
		one.awaitCall("session/update") // the hub knows the title
		one.say(prompt)
		id, _ := s.agent.awaitCall("session/prompt")
		o.expect(hub.Event{Kind: hub.TurnBegan, Title: "Fix", Active: 1, Running: 1})
		s.agent.say(permission, "1")
		s.agent.say(form, "2")
		s.agent.say(`{"jsonrpc":"2.0","id":3,"method":"_editor/read","params":{"sessionId":"s1"}}`)
		o.expect(
			hub.Event{Kind: hub.RequestOpened, Title: "Fix", Active: 1, Running: 1, Request: 1},
			hub.Event{Kind: hub.RequestOpened, Title: "Fix", Active: 1, Running: 1, Request: 2, Question: true})
		asked, _ := one.awaitCall("session/request_permission")
		one.say(yes, asked)
		o.expect(hub.Event{Kind: hub.RequestClosed, Title: "Fix", Active: 1, Running: 1, Request: 1})
		s.agent.say(`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":2}}`)
		o.expect(hub.Event{Kind: hub.RequestClosed, Title: "Fix", Active: 1, Running: 1, Request: 2, Question: true})
		s.agent.say("%s", update(`{"sessionUpdate":"session_info_update","title":null}`))
		s.agent.say(`{"jsonrpc":"2.0","id":%s,"result":{"stopReason":"cancelled"}}`, id)
		o.expect(hub.Event{Kind: hub.TurnEnded, Outcome: hub.Cancelled, Active: 1})
		one.say(prompt)
		o.expect(hub.Event{Kind: hub.TurnBegan, Active: 1, Running: 1})
	})
}

func TestAnObserverLearnsHowATurnEnded(t *testing.T) {
	for answer, want := range map[string]hub.Outcome{
		`"result":{"stopReason":"end_turn"}`:         hub.Done,
		`"result":{"stopReason":"refusal"}`:          hub.Done,
		`"result":{"stopReason":"cancelled"}`:        hub.Cancelled,
		`"error":{"code":-32603,"message":"no"}`:     hub.Failed,
		`"error":{"code":-32603,"message":"secret"}`: hub.Failed,
	} {
		synctest.Test(t, func(t *testing.T) {
			o := newObservedStage(t)
			one := o.stage.join("one")
			o.stage.open(one)
			one.say(prompt)
			id, _ := o.stage.agent.awaitCall("session/prompt")
			_ = one.out.Close() // the client leaves
			synctest.Wait()
			o.stage.agent.say(`{"jsonrpc":"2.0","id":%s,%s}`, id, answer)
			o.expect(hub.Event{Kind: hub.TurnBegan, Active: 1, Running: 1}, hub.Event{Kind: hub.TurnEnded, Outcome: want})
		})
	}
}

func TestOnlyClientsThatCanAnswerAreActive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		var away atomic.Bool
		require.Zero(t, s.hub.Active("s1"))
		s.open(s.join("one"))
		require.Equal(t, 1, s.hub.Active("s1"))
		for _, c := range []hub.Client{
			{Away: away.Load}, {From: consent.Client{Watches: true}}, {Host: true}, {Peer: true},
		} {
			p := s.connect(t, c)
			p.say(hello, "other")
			p.hear()
			p.say(`{"jsonrpc":"2.0","id":"a","method":"session/attach","params":{"sessionId":"s1","historyPolicy":"none"}}`)
			for !strings.Contains(p.hear(), `"id":"a"`) {
			}
		}
		require.Equal(t, 2, s.hub.Active("s1"))
		away.Store(true)
		require.Equal(t, 1, s.hub.Active("s1"))
	})
}

func TestALongTitleIsCutForObservers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newObservedStage(t)
		one := o.stage.join("one")
		o.stage.open(one)
		o.stage.agent.say("%s", update(fmt.Sprintf(`{"sessionUpdate":"session_info_update","title":"a%s"}`, strings.Repeat("é", 1<<16))))
		synctest.Wait()
		one.say(prompt)
		o.expect(hub.Event{Kind: hub.TurnBegan, Title: "a" + strings.Repeat("é", 1023), Active: 1, Running: 1})
	})
}

package durable_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/protocol/remote/durable"
	"github.com/turnwire/turnwire/internal/protocol/remote/server"
	"github.com/turnwire/turnwire/internal/test/flaky"
)

// On a network that breaks all the time, no update is missing or repeated, each prompt is
// answered once, and permissions are only given by the client, and not after its cancel.
func TestTurnsSurviveABadNetwork(t *testing.T) {
	for seed := range uint64(6) {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				b := newBot(t)
				b.pause = 300 * time.Millisecond
				s := flaky.Open(t, seed, server.Limits{}, nil, b.serve)
				if seed%2 > 0 {
					s.URL = overHTTP
				}
				var work sync.WaitGroup
				for i := range 10 {
					work.Go(func() { manyTurns(t, s, b, i, rand.New(rand.NewPCG(seed, uint64(i)))) }) //nolint:gosec // it must be repeatable
				}
				work.Wait()
				require.Greater(t, s.Proxy.Broken(), 20, "nothing was tested")
				s.Proxy.Calm()
			})
		})
	}
}

// manyTurns runs turns of one client, and checks what it sees.
func manyTurns(t *testing.T, s *flaky.Site, b *bot, client int, random *rand.Rand) {
	t.Helper()
	p := connected(t, s)
	session := p.begin()
	seen, replaced, answers := 0, 0, make(map[int]int)
	const turns = 6
	for turn := range turns {
		text := fmt.Sprintf("%d-%d", client, turn)
		p.prompt(session, turn, text)
		way, over := random.IntN(4), false
		for !over {
			l, ok := <-p.lines
			if !ok {
				t.Errorf("the connection ended: %v", p.conn.Err())
				return
			}
			switch {
			case l.Params.Update.Kind == "turn_complete" && l.Params.Update.N == 0:
				replaced++ // a turn that was cancelled without the server; its own turn_complete is dropped
			case l.Params.Update.N > 0:
				if l.Params.Update.N == seen+2 && replaced > 0 {
					replaced--
					seen++
				}
				if seen++; l.Params.Update.N != seen {
					t.Errorf("update %d follows %d", l.Params.Update.N, seen-1)
					return
				}
			case l.Method == "session/request_permission":
				time.Sleep(time.Duration(random.Int64N(int64(20 * time.Second))))
				if way != 2 { // 0 and 3 allow, 1 allows and cancels, 2 only cancels
					p.allow(l)
				}
				if way == 1 || way == 2 {
					p.cancel(session)
				}
			case l.Method == "":
				id, err := strconv.Atoi(string(l.ID))
				if err != nil || l.Error != nil {
					t.Errorf("an unexpected answer: %s", l.text)
					return
				}
				answers[id]++
				over = id == turn
			}
		}
		limit := 1
		if way == 2 {
			limit = 0
		}
		if did := b.did(text); did > limit || way%3 == 0 && did != 1 {
			t.Errorf("what %s asked for was done %d times, in way %d", text, did, way)
		}
	}
	for turn := range turns {
		if answers[turn] != 1 {
			t.Errorf("prompt %d was answered %d times", turn, answers[turn])
		}
	}
}

// overHTTP is the URL of a site for clients that use HTTP instead of a WebSocket.
const overHTTP = "http://localhost/acp"

// connected returns a client once it is connected.
func connected(t *testing.T, s *flaky.Site) *player {
	t.Helper()
	for {
		p := play(t, s, nil)
		method := "session/list"
		if s.URL == overHTTP {
			method = "initialize" // it must be the first request
		}
		_, _ = fmt.Fprintf(p.conn, `{"jsonrpc":"2.0","id":"first","method":%q,"params":{}}`+"\n", method) // the first attempt may have failed
		if l, ok := <-p.lines; ok {
			require.JSONEq(t, `"first"`, string(l.ID))
			return p
		}
		time.Sleep(time.Millisecond) // the proxy refuses all connections of one instant
	}
}

func TestAKilledServerEndsWhatWasOpen(t *testing.T) {
	for _, url := range []string{"ws://localhost/acp", overHTTP} {
		t.Run(url, func(t *testing.T) { synctest.Test(t, func(t *testing.T) { killed(t, url) }) })
	}
}

// killed kills a server while a turn waits for an answer.
func killed(t *testing.T, url string) {
	b := newBot(t)
	s := flaky.Calm(t, server.Limits{}, nil, b.serve)
	s.URL = url
	p := play(t, s, nil)
	session := p.begin()
	p.prompt(session, 0, "before")
	p.allow(p.asks())
	require.Equal(t, "end_turn", p.answer("0").Result.StopReason)
	p.prompt(session, 1, "first")
	asked := p.asks()
	s.Crash(server.Limits{})
	failed := p.update("tool_call_update")
	require.Equal(t, "failed", failed.Params.Update.Status)
	require.Contains(t, p.update("turn_complete").Params.Update.Error, "restarted")
	withdrawn := p.next(func(l line) bool { return l.Method == "$/cancel_request" })
	require.Equal(t, string(asked.ID), string(withdrawn.Params.RequestID))
	lost := p.answer("1")
	require.Equal(t, "interrupted", lost.Error.Data.Code)
	p.prompt(session, 2, "second") // waits until the session is resumed
	again := p.asks()
	require.NotEqual(t, string(asked.ID), string(again.ID), "two servers count alike")
	p.allow(asked) // too late
	synctest.Wait()
	require.Equal(t, 0, b.did("first")+b.did("second"))
	p.allow(again)
	require.Equal(t, "end_turn", p.answer("2").Result.StopReason)
	require.Equal(t, 1, b.did("second"))
	require.Equal(t, "initialize session/new initialize session/resume", strings.Join(b.got(), " "))
}

func TestRequestsThatOnlyOpenAreRepeated(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBot(t)
		s := flaky.Calm(t, server.Limits{}, nil, b.serve)
		p := play(t, s, nil)
		session := p.begin()
		s.Proxy.Refuse(true)
		s.Proxy.Cut()
		synctest.Wait()
		p.say(`{"jsonrpc":"2.0","id":1,"method":"session/list","params":{}}`)
		p.say(`{"jsonrpc":"2.0","id":2,"method":"session/load","params":{"sessionId":%q,"cwd":"/work"}}`, session)
		p.say(`{"jsonrpc":"2.0","id":3,"method":"session/delete","params":{"sessionId":"other"}}`)
		p.prompt(session, 4, "unsent")
		s.Crash(server.Limits{})
		s.Proxy.Refuse(false)
		require.Equal(t, "interrupted", p.answer("3").Error.Data.Code)
		require.Nil(t, p.answer("1").Error)
		require.Nil(t, p.answer("2").Error)
		p.allow(p.asks())
		require.Equal(t, "end_turn", p.answer("4").Result.StopReason)
		require.Equal(t, 1, b.did("unsent"))
	})
}

func TestALoadThatShowedAPartOfTheHistoryIsNotRepeated(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := flaky.Calm(t, server.Limits{}, nil, newBot(t).serve)
		p := play(t, s, nil)
		session := p.begin()
		p.say(`{"jsonrpc":"2.0","id":1,"method":"session/load","params":{"sessionId":%q,"cwd":"/large"}}`, session)
		p.update("user_message_chunk")
		s.Crash(server.Limits{})
		require.Equal(t, "interrupted", p.answer("1").Error.Data.Code)
		time.Sleep(time.Minute)
		for len(p.lines) > 0 {
			require.NotEqual(t, "user_message_chunk", (<-p.lines).Params.Update.Kind)
		}
	})
}

func TestAPromptBehindAnInterruptedTurnIsNotSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBot(t)
		s := flaky.Calm(t, server.Limits{}, nil, b.serve)
		p := play(t, s, nil)
		session := p.begin()
		p.prompt(session, 1, "running")
		p.asks()
		s.Proxy.Refuse(true)
		s.Proxy.Cut()
		synctest.Wait()
		p.prompt(session, 2, "unsent")
		s.Crash(server.Limits{})
		s.Proxy.Refuse(false)
		require.Equal(t, "interrupted", p.answer("1").Error.Data.Code)
		require.Equal(t, "interrupted", p.answer("2").Error.Data.Code)
		time.Sleep(time.Minute)
		require.Equal(t, 0, b.prompts["unsent"])
	})
}

func TestALostServerIsReportedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBot(t)
		s := flaky.Calm(t, server.Limits{}, nil, b.serve)
		p := play(t, s, nil)
		session := p.begin()
		s.Proxy.Cut() // too short to mention
		time.Sleep(time.Minute)
		require.Empty(t, p.lines)
		p.prompt(session, 1, "first")
		asked := p.asks()
		s.Proxy.Refuse(true)
		s.Proxy.Cut()
		time.Sleep(5 * time.Minute)
		require.Len(t, p.lines, 1)
		require.Contains(t, p.update("notice").Params.Update.Title, "Reconnecting")
		s.Proxy.Refuse(false)
		require.Contains(t, p.update("notice").Params.Update.Title, "is back")
		p.allow(asked)
		require.Equal(t, "end_turn", p.answer("1").Result.StopReason)
		require.Empty(t, p.lines)
	})
}

func TestEverySessionWithATurnIsToldThatTheServerIsBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBot(t)
		s := flaky.Calm(t, server.Limits{}, nil, b.serve)
		p := play(t, s, nil)
		one := p.begin()
		p.say(`{"jsonrpc":"2.0","id":"n","method":"session/new","params":{"cwd":"/work","mcpServers":[]}}`)
		two := p.answer(`"n"`).Result.Session
		for i, session := range []string{one, two} {
			p.prompt(session, i, session)
			p.asks()
		}
		s.Proxy.Refuse(true)
		s.Proxy.Cut()
		time.Sleep(time.Minute)
		s.Crash(server.Limits{})
		s.Proxy.Refuse(false)
		told := make(map[string]string)
		for range 4 {
			l := p.update("notice")
			told[l.Params.Session] += l.Params.Update.Title
		}
		const both = "The connection to the server was lost. Reconnecting…The connection to the server is back."
		require.Equal(t, map[string]string{one: both, two: both}, told)
	})
}

func TestATurnIsCancelledWithoutTheServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBot(t)
		s := flaky.Calm(t, server.Limits{}, nil, b.serve)
		p := play(t, s, nil)
		session := p.begin()
		p.prompt(session, 1, "first")
		asked := p.asks()
		s.Proxy.Refuse(true)
		s.Proxy.Cut()
		synctest.Wait()
		p.allow(asked)
		p.cancel(session)
		began := time.Now()
		require.Equal(t, "cancelled", p.answer("1").Result.StopReason)
		require.LessOrEqual(t, time.Since(began), 3*time.Second)
		s.Proxy.Refuse(false)
		time.Sleep(time.Minute)
		require.Equal(t, 0, b.did("first"))
		for len(p.lines) > 0 {
			require.NotEqual(t, "1", string((<-p.lines).ID), "the prompt is answered once")
		}
	})
}

// A server drops a lost connection after a while. The turn goes on there, unless the client
// cancelled it.
func TestACancelReachesAServerThatDroppedTheConnection(t *testing.T) {
	for _, running := range []int{0, 1} {
		synctest.Test(t, func(t *testing.T) {
			b := newBot(t)
			b.running = running
			s := flaky.Calm(t, server.Limits{Retain: time.Minute}, nil, b.serve)
			p := play(t, s, nil)
			session := p.begin()
			p.prompt(session, 1, "first")
			p.asks()
			s.Proxy.Refuse(true)
			s.Proxy.Cut()
			p.cancel(session)
			require.Equal(t, "cancelled", p.answer("1").Result.StopReason)
			time.Sleep(2 * time.Minute)
			s.Proxy.Refuse(false)
			time.Sleep(time.Minute)
			got := b.got()
			require.Contains(t, got, "session/resume")
			require.Equal(t, running > 0, slices.Contains(got, "session/cancel"), "%v", got)
		})
	}
}

func TestAServerThatStaysAwayEndsTheConnection(t *testing.T) {
	for _, lingers := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			b := newBot(t)
			s := flaky.Calm(t, server.Limits{}, nil, b.serve)
			p := play(t, s, func(c *durable.Config) { c.Patience, c.Answer, c.Linger = time.Minute, true, lingers })
			session := p.begin()
			p.prompt(session, 1, "first")
			p.asks()
			s.Proxy.Refuse(true)
			s.Proxy.Cut()
			require.Contains(t, p.answer("1").Error.Message, "could not be reached again for 1m0s")
			if lingers {
				p.prompt(session, 2, "second")
				require.Contains(t, p.answer("2").Error.Message, "could not be reached again for 1m0s")
				return
			}
			<-p.conn.Done()
			require.ErrorContains(t, p.conn.Err(), "could not be reached again for 1m0s")
		})
	}
}

func TestClosingAnswersWhatIsOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBot(t)
		s := flaky.Calm(t, server.Limits{}, nil, b.serve)
		p := play(t, s, func(c *durable.Config) { c.Answer = true })
		session := p.begin()
		p.prompt(session, 1, "first")
		p.asks()
		require.NoError(t, p.conn.Close())
		require.Equal(t, "failed", p.update("tool_call_update").Params.Update.Status, "no tool call stays open")
		require.Equal(t, "cancelled", p.answer("1").Result.StopReason)
		<-p.conn.Done()
		require.NoError(t, p.conn.Err())
	})
}

func TestAClientThatReadsNothingEndsInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBot(t)
		s := flaky.Calm(t, server.Limits{}, nil, b.serve)
		conn, err := durable.Open(durable.Config{Config: s.Config()})
		require.NoError(t, err)
		for i := range 20_000 {
			_, err := fmt.Fprintf(conn, `{"jsonrpc":"2.0","id":%d,"method":"session/list","params":{}}`+"\n", i)
			require.NoError(t, err)
		}
		time.Sleep(time.Hour)
		require.NoError(t, conn.Close())
		<-conn.Done()
	})
}

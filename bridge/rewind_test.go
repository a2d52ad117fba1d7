package bridge_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/bridge/journal"
)

const (
	cursorsClient  = `{"session":{"cursors":{}},"_meta":{"turnwire.dev/fork":true}}`
	historyAgent   = `{"type":"agent_info","name":"historian","history":true,"resume":true}`
	forkAtTheThird = `{"sessionId":"S1","cursorId":"prompt-3","cwd":"/project"}`
)

// cursor returns the update that announces a cursor of the session S1.
func cursor(n int, message, capabilities string) string {
	return fmt.Sprintf(`{"method":"session/update","params":{"sessionId":"S1","update":{"sessionUpdate":"cursor_update",
		"cursorId":"prompt-%d","capabilities":%s,"anchor":{"type":"user_message","messageId":%q,"position":"before"}}}}`, n, capabilities, message)
}

// identified returns a prompt for S1 whose message has an id.
func identified(id, text, message string) string {
	return call(id, "session/prompt", fmt.Sprintf(`{"sessionId":"S1","prompt":[{"type":"text","text":%q}],"_meta":{"turnwire.dev/messageId":%q}}`, text, message))
}

// turn runs a turn of S1 that begins with an identified message.
func turn(e *editor, s *puppetSession, n int, says ...string) {
	e.t.Helper()
	id, message := strconv.Itoa(n), fmt.Sprintf("m%d", n)
	e.write(identified(id, "question "+id, message))
	e.expect(cursor(n, message, `{"fork":{}}`))
	s.command()
	s.say(says...)
	s.say(fmt.Sprintf(`{"type":"done","text":"answer %d"}`, n))
	e.until(id)
}

// rewindable returns an editor with a session S1 that has two turns.
func rewindable(t *testing.T, store journal.Store, p *puppet) (*editor, *puppetSession) {
	t.Helper()
	e := connect(t, p, keeping(store))
	e.initialize(cursorsClient)
	s := e.newSession(p)
	s.say(historyAgent)
	turn(e, s, 1, `{"type":"session_title","title":"First title"}`)
	turn(e, s, 2, `{"type":"state","state":"after two"}`)
	return e, s
}

// texts returns the texts of the message chunks in lines.
func texts(t *testing.T, lines []string) (all []string) {
	t.Helper()
	for _, l := range lines {
		var m struct {
			Params struct {
				Update struct {
					Content json.RawMessage `json:"content"`
				} `json:"update"`
			} `json:"params"`
		}
		require.NoError(t, json.Unmarshal([]byte(l), &m))
		var block struct {
			Text string `json:"text"`
		}
		if json.Unmarshal(m.Params.Update.Content, &block) == nil && block.Text != "" {
			all = append(all, block.Text)
		}
	}
	return all
}

// A fork at a message ends before it, while the turn of the original goes on.
func TestAForkEndsBeforeAMessage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := journal.NewFolder(t.TempDir())
		p := newPuppet()
		e, s := rewindable(t, store, p)
		e.write(identified("3", "question 3", "m3"))
		e.expect(cursor(3, "m3", `{"fork":{}}`))
		s.command()
		s.say(`{"type":"session_title","title":"Later title"}`, `{"type":"state","state":"later"}`, `{"type":"text_delta","text":"still "}`)
		e.expectLike("Later title")
		e.expectLike("still ")

		e.request(`"fork"`, "session/fork", forkAtTheThird)
		e.expect(`{"id":"fork","result":{"sessionId":"S2"}}`)
		forked := p.session(t)
		m := forked.options.Memory()
		require.True(t, m.Prompted)
		require.True(t, m.Rewound)
		require.Equal(t, e.ids[0], m.ForkOf)
		require.JSONEq(t, `"after two"`, string(m.State))
		require.Equal(t, []agent.Message{
			{Role: "user", Text: "question 1"}, {Role: "agent", Text: "answer 1"},
			{Role: "user", Text: "question 2"}, {Role: "agent", Text: "answer 2"},
		}, m.History)

		s.say(`{"type":"text_delta","text":"running"}`, `{"type":"done"}`)
		e.expectLike("running")
		e.stopped("3", "end_turn")

		e.request(`"list"`, "session/list", `{}`)
		e.expectLike(`"sessionId":"S2","cwd":"/project","title":"First title (2)"`, `"sessionId":"S1","cwd":"/project","title":"Later title"`)

		e.request(`"load"`, "session/load", `{"sessionId":"S2","cwd":"/project","mcpServers":[]}`)
		lines := e.until(`"load"`)
		require.Equal(t, []string{"question 1", "answer 1", "question 2", "answer 2"}, texts(t, lines))
		require.Equal(t, 2, strings.Count(strings.Join(lines, "\n"), "cursor_update"))
	})
}

// A cursor that was not announced is never taken for another one, or for none.
func TestAForkAtAnUnknownCursorFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := journal.NewFolder(t.TempDir())
		p := newPuppet()
		e, _ := rewindable(t, store, p)
		for i, cursor := range []string{`""`, `"prompt-0"`, `"prompt-3"`, `"prompt-02"`, `"prompt--1"`, `"2"`, `2`, `{}`, `"prompt-99999999999999999999"`} {
			id := strconv.Itoa(10 + i)
			e.request(id, "session/fork", `{"sessionId":"S1","cursorId":`+cursor+`,"cwd":"/project"}`)
			e.expectLike(`"id":`+id, `"code":-32602`)
		}
		e.request(`"list"`, "session/list", `{}`)
		require.Equal(t, 1, strings.Count(e.read(), `"sessionId"`), "nothing is left of them")
	})
}

// Whether an agent can continue from an earlier message is known once it says so.
func TestCursorsFollowTheAgentsIntroduction(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPuppet()
		e := connect(t, p, keeping(journal.NewFolder(t.TempDir())))
		e.initialize(cursorsClient)
		s := e.newSession(p)
		e.write(promptS1("1", "hello"))
		e.expect(cursor(1, "user-1", `{}`))
		s.command()
		e.request("2", "session/fork", `{"sessionId":"S1","cursorId":"prompt-1","cwd":"/project"}`)
		e.expectLike(`"code":-32602`, "cannot continue from an earlier message")
		s.say(historyAgent)
		e.expectLike(`"cursorId":"prompt-1","capabilities":{"fork":{}}}`)
		s.say(`{"type":"agent_info","name":"historian"}`)
		e.expectLike(`"cursorId":"prompt-1","capabilities":{}}`)
	})
}

// A copy can't end at the answer to a question, because that is within a turn.
func TestAnAnswerHasNoCursor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPuppet()
		e := connect(t, p, keeping(journal.NewFolder(t.TempDir())))
		e.initialize(cursorsClient)
		s := e.newSession(p)
		s.say(historyAgent)
		e.write(identified("1", "go", "m1"))
		e.expect(cursor(1, "m1", `{"fork":{}}`))
		s.command()
		s.say(plain)
		e.until("1")
		e.write(identified("2", "because", "m2"))
		s.command()
		s.say(`{"type":"done","text":"I see."}`)
		require.NotContains(t, strings.Join(e.until("2"), "\n"), "cursor_update")
		e.write(identified("3", "more", "m3"))
		e.expect(cursor(3, "m3", `{"fork":{}}`))
		e.request(`"fork"`, "session/fork", `{"sessionId":"S1","cursorId":"prompt-2","cwd":"/project"}`)
		e.expectLike(`"code":-32602`)
	})
}

// A client that doesn't know cursors is not told about them.
func TestCursorsAreOnlyForClientsThatWantThem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, client := range []string{`{"session":{}}`, `{"session":{"cursors":null}}`} {
			p := newPuppet()
			p.info = agent.Info{Rewind: true}
			e := connect(t, p, keeping(journal.NewFolder(t.TempDir())))
			e.initialize(client)
			s := e.newSession(p)
			e.write(promptS1("1", "hello"))
			s.command()
			s.say(`{"type":"done","text":"Hi."}`)
			require.NotContains(t, strings.Join(e.until("1"), "\n"), "cursor")
		}
		p := newPuppet()
		p.info = agent.Info{Rewind: true}
		e, s := open(t, p, cursorsClient) // nothing is saved
		e.write(promptS1("1", "hello"))
		s.command()
		s.say(`{"type":"done","text":"Hi."}`)
		require.NotContains(t, strings.Join(e.until("1"), "\n"), "cursor")
	})
}

// Until its first turn succeeds, the agent of a fork gets the same as at the start.
func TestAForkIsStillAForkAfterARestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := journal.NewFolder(t.TempDir())
		p := newPuppet()
		e, _ := rewindable(t, store, p)
		original := e.ids[0]
		e.request(`"fork"`, "session/fork", `{"sessionId":"S1","cursorId":"prompt-2","cwd":"/project"}`)
		e.expect(`{"id":"fork","result":{"sessionId":"S2"}}`)
		forked := e.ids[1]
		e.close()

		load := func() (*editor, *puppetSession) {
			p := newPuppet()
			e := reopened(t, store, p, forked)
			e.request(`"load"`, "session/load", loadS1)
			require.Equal(t, []string{"question 1", "answer 1"}, texts(t, e.until(`"load"`))[:2])
			return e, p.session(t)
		}
		e, s := load()
		require.Equal(t, original, s.options.Memory().ForkOf)
		require.True(t, s.options.Memory().Rewound)
		require.Nil(t, s.options.Memory().State)
		e.write(promptS1("1", "again"))
		s.command()
		s.say(`{"type":"error","error":"overloaded"}`)
		e.until("1")
		require.True(t, s.options.Memory().Rewound, "it may not have learned anything")
		e.write(promptS1("2", "again"))
		s.command()
		s.say(`{"type":"done","text":"Again."}`)
		e.until("2")
		e.close()

		_, s = load()
		require.Empty(t, s.options.Memory().ForkOf)
		require.False(t, s.options.Memory().Rewound)
	})
}

// The modes of a fork are those that were chosen before the message.
func TestAForkHasTheModeOfItsPoint(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := journal.NewFolder(t.TempDir())
		p := optioned()
		p.info = agent.Info{Rewind: true}
		e := connect(t, p, keeping(store))
		e.initialize(cursorsClient)
		e.request(`"new"`, "session/new", `{"cwd":"/project","mcpServers":[]}`)
		e.until(`"new"`)
		s := p.session(t)
		choose := func(value string) {
			e.request(`"set"`, "session/set_config_option", `{"sessionId":"S1","configId":"colour","value":"`+value+`"}`)
			s.command()
			s.say(`{"type":"config_options","options":[{"id":"colour","name":"Colour","kind":"select","value":"` + value + `","choices":[{"id":"red"},{"id":"green"}]}]}`)
			e.until(`"set"`)
		}
		turn(e, s, 1)
		choose("green")
		turn(e, s, 2)
		choose("red")
		turn(e, s, 3)
		e.request(`"fork"`, "session/fork", `{"sessionId":"S1","cursorId":"prompt-2","cwd":"/project"}`)
		e.expectLike(`"sessionId":"S2"`)
		require.Contains(t, p.session(t).command(), `"value":"green"`)
	})
}

// An agent that read the history last time may introduce itself only after the prompt.
func TestTheHistoryWaitsForASlowAgent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := journal.NewFolder(t.TempDir())
		id := keptSession(t, store, newPuppet(), `{"cwd":"/project","mcpServers":[]}`, nil)
		p := newPuppet()
		p.info = agent.Info{Rewind: true}
		e := reopened(t, store, p, id)
		e.request(`"load"`, "session/load", loadS1)
		e.until(`"load"`)
		s := p.session(t)
		e.write(promptS1("1", "more"))
		s.command()
		require.Len(t, s.options.Memory().History, 2)
		s.say(`{"type":"done","text":"More."}`)
		require.NotContains(t, e.until("1")[0], "does not remember")
	})
}

package bridge_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/bridge/journal"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// optioned returns a puppet with one option whose value is red.
func optioned() *puppet {
	p := newPuppet()
	p.offers = []agent.Option{{
		ID: "colour", Name: "Colour", Kind: agent.Select, Value: agent.Chosen("red"),
		Choices: []agent.Choice{{ID: "red", Name: "Red"}, {ID: "green", Name: "Green"}},
	}}
	return p
}

// keptSession saves a session with one turn in a store, and returns its id.
func keptSession(t *testing.T, store journal.Store, p *puppet, params string, during func(e *editor, s *puppetSession)) string {
	t.Helper()
	e := connect(t, p, keeping(store))
	e.initialize(`{}`)
	e.request(`"new"`, "session/new", params)
	e.until(`"new"`)
	s := p.session(t)
	if during != nil {
		during(e, s)
	}
	e.write(promptS1("1", "tea"))
	s.command()
	s.say(`{"type":"done","text":"Tea."}`)
	e.until("1")
	id := e.ids[0]
	e.close()
	return id
}

// reopened connects to another bridge, for which the session is named S1.
func reopened(t *testing.T, store journal.Store, p *puppet, id string) *editor {
	t.Helper()
	e := connect(t, p, keeping(store))
	e.initialize(`{}`)
	e.ids = []string{id}
	return e
}

const loadS1 = `{"sessionId":"S1","cwd":"/project","mcpServers":[]}`

func TestOptionsAndDirectoriesComeBackWithTheSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := journal.NewFolder(t.TempDir())
		id := keptSession(t, store, optioned(), `{"cwd":"/project","additionalDirectories":["/more"],"mcpServers":[]}`,
			func(e *editor, s *puppetSession) {
				e.request(`"set"`, "session/set_config_option", `{"sessionId":"S1","configId":"colour","value":"green"}`)
				require.Contains(t, s.command(), `"set_option"`)
				s.say(`{"type":"config_options","options":[{"id":"colour","name":"Colour","kind":"select","value":"green","choices":[{"id":"red"},{"id":"green"}]}]}`)
				e.until(`"set"`)
			})

		p := optioned()
		e := reopened(t, store, p, id)
		e.request(`"load"`, "session/load", loadS1)
		e.until(`"load"`)
		s := p.session(t)
		require.Equal(t, []string{"/more"}, s.options.Roots)
		require.Contains(t, s.command(), `"type":"set_option","sessionId":"`+id+`","optionId":"colour","value":"green"`)

		// A value that the agent no longer offers is not set.
		require.Empty(t, e.close())
		p = newPuppet()
		e = reopened(t, store, p, id)
		e.request(`"load"`, "session/load", loadS1)
		e.until(`"load"`)
		s = p.session(t)
		e.write(promptS1("1", "more"))
		require.Contains(t, s.command(), `"type":"prompt"`)
	})
}

func TestASessionCanBeReopenedAfterAFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := journal.NewFolder(t.TempDir())
		id := keptSession(t, store, newPuppet(), `{"cwd":"/project","mcpServers":[]}`, nil)
		p := newPuppet()
		p.fails = errors.New("no such program")
		e := reopened(t, store, p, id)
		e.request("2", "session/load", loadS1)
		lines := e.until("2")
		require.Contains(t, lines[len(lines)-1], "no such program")
		p.fails = nil
		e.request("3", "session/resume", `{"sessionId":"S1","cwd":"/project"}`)
		e.expect(`{"id":3,"result":{}}`)
		require.True(t, p.session(t).options.Memory().Prompted)
	})
}

// An editor that lost its view opens a session that is still open.
func TestAnOpenSessionCanBeLoadedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := journal.NewFolder(t.TempDir())
		p := newPuppet()
		e := connect(t, p, keeping(store))
		e.initialize(`{}`)
		first := e.newSession(p)
		e.write(promptS1("1", "tea"))
		require.Contains(t, first.command(), `"prompt"`)
		first.say(`{"type":"text_delta","text":"partly"}`)
		e.expectLike("partly")
		e.request("2", "session/load", loadS1)
		e.expectLike(`"id":1`, "cancelled")
		lines := e.until("2")
		require.Contains(t, lines[0], `"user_message_chunk"`)
		require.Contains(t, lines[1], "partly")
		second := p.session(t)
		e.write(promptS1("3", "more"))
		require.Contains(t, second.command(), `"more"`)
		second.say(`{"type":"done","text":"More."}`)
		e.stopped("3", "end_turn")
	})
}

// If an open session can't be opened again, the editor learns that it is no longer open.
func TestAnOpenSessionThatCannotBeLoadedAgainEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPuppet()
		e := connect(t, p, keeping(journal.NewFolder(t.TempDir())))
		e.initialize(`{}`)
		e.newSession(p)
		p.fails = errors.New("no such program")
		e.request("1", "session/resume", `{"sessionId":"S1","cwd":"/project"}`)
		lines := e.until("1")
		require.Contains(t, lines[0], "This session ended here: no such program")
		require.Contains(t, lines[1], `"error"`)
		require.Contains(t, lines[1], "no such program")
	})
}

func TestWithoutAJournalNoSavedSessionsAreOffered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := connect(t, newPuppet())
		e.request("0", "initialize", `{"protocolVersion":1}`)
		answer := e.read()
		require.NotContains(t, answer, "loadSession")
		require.NotContains(t, answer, `"list"`)
		for id, method := range map[string]string{"1": "session/load", "2": "session/resume", "3": "session/list", "4": "session/delete", "5": "session/set_title"} {
			e.request(id, method, loadS1)
			e.expectLike(`"code":-32601`)
		}
	})
}

// The protocol's capability for titles is unstable, and clients can't ask for it. It
// must not appear in what strict clients validate.
func TestTitlesAreOfferedInMeta(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := connect(t, newPuppet(), keeping(journal.NewFolder(t.TempDir())))
		e.request("1", "initialize", `{"protocolVersion":1}`)
		e.expect(`{"id":1,"result":{"protocolVersion":1,"authMethods":[` + noLogin + `],
		"agentInfo":{"name":"turnwire","title":"Turnwire","version":"1.2.3"},
		"agentCapabilities":{
			"loadSession":true,
			"promptCapabilities":{"embeddedContext":true},
			"sessionCapabilities":{"list":{},"delete":{},"resume":{},"close":{},"additionalDirectories":{}},
			"_meta":{"turnwire.dev/events":true,"turnwire.dev/title":true}}}}`)
	})
}

// A fork begins as a copy, and both sessions then continue independently.
func TestAForkIsACopy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := journal.NewFolder(t.TempDir())
		id := keptSession(t, store, newPuppet(), `{"cwd":"/project","mcpServers":[]}`, nil)
		p := newPuppet()
		p.info = agent.Info{Resume: true}
		e := connect(t, p, keeping(store))
		e.request("0", "initialize", `{"protocolVersion":1,"clientCapabilities":{"_meta":{"turnwire.dev/fork":true}}}`)
		e.expectLike(`"fork":{}`)
		e.ids = []string{id}
		e.request("1", "session/fork", `{"sessionId":"S1","cwd":"/elsewhere"}`)
		e.expect(`{"id":1,"result":{"sessionId":"S2"}}`)
		s := p.session(t)
		m := s.options.Memory()
		require.True(t, m.Prompted)
		require.Equal(t, id, m.ForkOf)
		require.Equal(t, "/elsewhere", s.options.Cwd)
		e.write(call("2", "session/prompt", `{"sessionId":"S2","prompt":[{"type":"text","text":"more"}]}`))
		require.Contains(t, s.command(), `"turn-2"`)
		s.say(`{"type":"done","text":"More."}`)
		lines := e.until("2")
		require.Contains(t, lines[0], "does not remember", "nobody has told the agent what was said")
		require.Contains(t, lines[1], "More.")

		e.request("3", "session/load", loadS1)
		loaded := e.until("3")
		require.Contains(t, loaded[0], `"tea"`)
		require.Contains(t, loaded[1], "Tea.")
		require.Len(t, loaded, 3, "it knows nothing of its fork")
		e.request("4", "session/fork", `{"sessionId":"nobody","cwd":"/project"}`)
		e.expectLike(`"code":-32002`)
	})
}

func TestAnAgentMayRememberWhatItsForksWereTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := journal.NewFolder(t.TempDir())
		id := keptSession(t, store, newPuppet(), `{"cwd":"/project","mcpServers":[]}`, nil)
		p := newPuppet()
		p.info = agent.Info{Resume: true, Fork: true}
		e := connect(t, p, keeping(store))
		e.request("0", "initialize", `{"protocolVersion":1,"clientCapabilities":{"_meta":{"turnwire.dev/fork":true}}}`)
		e.expectLike(`"fork":{}`)
		e.ids = []string{id}
		e.request("1", "session/fork", `{"sessionId":"S1","cwd":"/elsewhere"}`)
		e.expect(`{"id":1,"result":{"sessionId":"S2"}}`)
		s := p.session(t)
		e.write(call("2", "session/prompt", `{"sessionId":"S2","prompt":[{"type":"text","text":"more"}]}`))
		s.command()
		s.say(`{"type":"done","text":"More."}`)
		require.Contains(t, e.until("2")[0], "More.")
	})
}

// A session that cannot be read is not listed, and the log says so.
func TestUnreadableSessionsAreNotListed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := journal.NewFolder(t.TempDir())
		keptSession(t, store, newPuppet(), `{"cwd":"/project","mcpServers":[]}`, nil)
		rooms, err := os.ReadDir(store.Path())
		require.NoError(t, err)
		require.Len(t, rooms, 1)
		broken := filepath.Join(store.Path(), rooms[0].Name(), "broken.jsonl")
		require.NoError(t, os.WriteFile(broken, []byte("nothing"), 0o600))
		var log bytes.Buffer
		e := connect(t, newPuppet(), keeping(store), func(c *setup) { c.Log = slog.New(slog.NewTextHandler(&log, nil)) })
		e.initialize(`{}`)
		e.request("1", "session/list", `{}`)
		e.expectLike(`"title":"tea"`)
		e.close()
		require.Contains(t, log.String(), broken)
		require.Contains(t, log.String(), "it is not a Turnwire session")
	})
}

// The duration of everything is still known when a session is opened again.
func TestTimesComeBackWithTheSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := journal.NewFolder(t.TempDir())
		began := time.Now()
		id := keptSession(t, store, newPuppet(), `{"cwd":"/project","mcpServers":[]}`, func(e *editor, s *puppetSession) {
			e.write(promptS1("1", "tea"))
			s.command()
			s.say(`{"type":"thinking_delta","thinking":"Well."}`)
			time.Sleep(3 * time.Second)
			s.say(`{"type":"tool_start","toolCallId":"c","toolName":"boil"}`)
			time.Sleep(5 * time.Second)
			s.say(`{"type":"tool_end","toolCallId":"c","ok":true}`)
			s.say(`{"type":"done","text":"Tea."}`)
			e.until("1")
		})
		replayed := func(capabilities string) (times []int64) {
			e := connect(t, newPuppet(), keeping(store))
			e.initialize(capabilities)
			e.ids = []string{id}
			e.request(`"load"`, "session/load", loadS1)
			for _, line := range e.until(`"load"`) {
				var m struct {
					Method string
					Params struct {
						Meta map[string]int64 `json:"_meta"`
					}
				}
				require.NoError(t, json.Unmarshal([]byte(line), &m))
				if at := m.Params.Meta[v1.AtMeta]; at > 0 {
					times = append(times, at-began.UnixMilli())
				}
			}
			e.close()
			return times
		}
		// The prompt and the thought, the call and its end, the text, and the next turn.
		require.Equal(t, []int64{0, 0, 3000, 8000, 8000, 8000, 8000}, replayed(`{"_meta":{"turnwire.dev/times":true}}`))
		require.Empty(t, replayed(`{}`), "nobody has asked for them")
	})
}

// The close is read while the session is still being opened.
func TestClosingASessionWaitsForAnEarlierLoad(t *testing.T) {
	const closeS1 = `{"sessionId":"S1"}`
	for name, open := range map[string]bool{"a saved session": false, "an open session": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				store, p := journal.NewFolder(t.TempDir()), newPuppet()
				e := reopened(t, store, p, keptSession(t, store, newPuppet(), `{"cwd":"/project","mcpServers":[]}`, nil))
				if open {
					e.request("1", "session/resume", loadS1)
					e.until("1")
				}
				e.write(call("2", "session/resume", loadS1) + call("3", "session/close", closeS1))
				require.Contains(t, strings.Join(e.until("2"), "\n"), `"result"`)
				require.Contains(t, strings.Join(e.until("3"), "\n"), `"result"`)
				e.write(promptS1("4", "tea"))
				e.expectLike(`"id":4`, "unknown session")
			})
		})
	}
}

package ahphost_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/bridge/journal"
)

// keep adds a session to a journal.
func keep(t *testing.T, store journal.Store, id, cwd, text string) {
	j, err := store.Create(journal.Header{ID: id, Agent: "k", Cwd: cwd, Created: time.Now()})
	require.NoError(t, err)
	require.NoError(t, j.Append(1, []journal.Record{{Type: journal.TypePrompt, Data: []byte(`{"text":"` + text + `"}`)}}))
	require.NoError(t, j.Close())
}

// Sessions in the journal are listed without starting their agent. The agent starts
// when one is opened, and the history that it replays becomes the chat's turns.
// Sessions deleted from the journal are forgotten here, too.
func TestSavedSessionsAreListedAndOpened(t *testing.T) {
	home, folder := t.TempDir(), t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, home)
		defer w.close()
		store := journal.NewFolder(folder)
		keep(t, store, "old", home, "what was asked")
		w.journal = store
		w.host.Close()
		w.begin(1000)
		update := func(u string) string {
			return `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"old","update":` + u + `}}`
		}
		w.history = []string{
			update(`{"sessionUpdate":"user_message_chunk","content":{"type":"text","text":"what was asked"}}`),
			update(`{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"an answer"}}`),
			update(`{"sessionUpdate":"user_message_chunk","content":{"type":"text","text":"again"}}`),
			update(`{"sessionUpdate":"user_message_chunk","content":{"type":"resource_link","name":"a","uri":"file:///a"}}`),
			update(`{"sessionUpdate":"tool_call","toolCallId":"c","title":"Call","status":"completed"}`),
		}
		a := w.connect("a")
		a.say(t, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersions":["0.9.0"],"clientId":"a"}}`)
		w.settle()
		a.drain()
		list := func() string {
			a.say(t, `{"jsonrpc":"2.0","id":1,"method":"listSessions"}`)
			w.settle()
			lines := a.drain()
			require.Len(t, lines, 1)
			return lines[0]
		}
		require.Contains(t, list(), `"resource":"turnwire:/old","provider":"turnwire","title":"what was asked"`)
		require.Nil(t, w.agent.Load(), "no agent has begun")

		m := &mirror{t: t, party: a}
		a.say(t, `{"jsonrpc":"2.0","id":2,"method":"subscribe","params":{"channel":"ahp-chat://default/dHVybndpcmU6L29sZA"}}`)
		w.settle()
		line := a.drain()[0]
		require.Contains(t, line, `"turns":[{"id":"turn-1","duration":0,"message":{"text":"what was asked"`)
		require.Contains(t, line, `{"kind":"markdown","id":"part-1","content":"an answer"}`)
		require.Contains(t, line, `{"id":"turn-2","duration":0,"message":{"text":"again","origin":{"kind":"user"},"attachments":[{"type":"resource","label":"a","uri":"file:///a"}]}`)
		require.Contains(t, line, `"status":"completed","toolCallId":"c"`)
		require.NotContains(t, line, "activeTurn")
		m.dispatch("turnwire:/old", `{"type":"session/isArchivedChanged","isArchived":true}`)
		m.say(t, `{"jsonrpc":"2.0","method":"unsubscribe","params":{"channel":"ahp-chat://default/dHVybndpcmU6L29sZA"}}`)
		w.settle()
		require.Contains(t, list(), `"status":97`)
		require.Len(t, w.hub.Sessions()[0].Clients, 1)
		time.Sleep(time.Minute) // the session is detached
		w.settle()
		require.Empty(t, w.hub.Sessions()[0].Clients)
		require.NoError(t, store.Delete("old"))
		require.Contains(t, list(), `"items":[]`)
		w.host.Close()
		files, err := os.ReadDir(filepath.Join(w.folder, "sessions"))
		require.NoError(t, err)
		require.Empty(t, files)
		w.begin(2000)
	})
}

// A session created by an editor is added to the list when its agent has worked.
func TestSessionsOfAnEditorAreListed(t *testing.T) {
	home, folder := t.TempDir(), t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, home)
		defer w.close()
		w.journal = journal.NewFolder(folder)
		w.host.Close()
		w.begin(1000)
		a, zed := w.connect("a"), w.editor()
		a.say(t, strings.Replace(hello, "%s", "a", 1))
		zed.say(t, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}`)
		zed.say(t, `{"jsonrpc":"2.0","id":2,"method":"session/new","params":{"cwd":"/w","mcpServers":[]}}`)
		w.settle()
		a.drain()
		for range 2 {
			zed.say(t, `{"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{"sessionId":"s1","prompt":[{"type":"text","text":"hi"}]}}`)
			got := w.settle()
			if w.journal != nil {
				keep(t, w.journal, "s1", "/w", "hi")
				w.journal = nil
			}
			var m heard
			require.NoError(t, json.Unmarshal([]byte(got[len(got)-1]), &m))
			w.agent.Load().say(t, `{"jsonrpc":"2.0","id":`+string(m.ID)+`,"result":{"stopReason":"end_turn"}}`)
			w.settle()
		}
		lines := a.drain()
		require.Len(t, lines, 2)
		require.Contains(t, lines[0], `"method":"root/sessionAdded"`)
		require.Contains(t, lines[0], `"resource":"turnwire:/s1","provider":"turnwire","title":"hi"`)
		require.Contains(t, lines[1], `"method":"root/sessionSummaryChanged"`)
	})
}

// Only the user can read the files, and they survive the host.
func TestOnlyItsUserCanReadTheHostsFiles(t *testing.T) {
	home := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, home)
		defer w.close()
		a := w.connect("a")
		a.say(t, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersions":["0.9.0"],"clientId":"a"}}`)
		a.say(t, `{"jsonrpc":"2.0","id":1,"method":"createSession","params":{"channel":"`+session+`","provider":"turnwire"}}`)
		(&mirror{t: t, party: a}).dispatch(chat, `{"type":"chat/draftChanged","draft":{"text":"half a thought","origin":{"kind":"user"}}}`)
		w.settle()
		w.host.Close()
		files, err := filepath.Glob(filepath.Join(w.folder, "sessions", "*.json"))
		require.NoError(t, err)
		require.Len(t, files, 1)
		info, err := os.Stat(files[0])
		require.NoError(t, err)
		require.Zero(t, info.Mode().Perm()&0o077)
		w.begin(2000)
		b := w.connect("b")
		b.say(t, `{"jsonrpc":"2.0","id":0,"method":"reconnect","params":{"clientId":"a","lastSeenServerSeq":1001,"subscriptions":["`+chat+`"]}}`)
		w.settle()
		require.Contains(t, b.drain()[0], "half a thought")
	})
}

// A killed host finds a session's journal by the agent's id for it. The id is on disk
// before anything else is sent to the agent.
func TestASessionIsFoundAgainWheneverTheHostIsKilled(t *testing.T) {
	home := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, home)
		defer w.close()
		folder := ""
		w.hears = func(lines []byte) {
			if !strings.Contains(string(lines), "session/prompt") {
				return
			}
			files, err := filepath.Glob(filepath.Join(w.folder, "sessions", "*.json"))
			if err == nil && len(files) == 1 {
				text, _ := os.ReadFile(files[0])
				folder = string(text)
			}
		}
		a := w.connect("a")
		a.say(t, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersions":["0.9.0"],"clientId":"a"}}`)
		a.say(t, `{"jsonrpc":"2.0","id":1,"method":"createSession","params":{"channel":"`+session+`","provider":"turnwire"}}`)
		(&mirror{t: t, party: a}).dispatch(chat, `{"type":"chat/turnStarted","turnId":"t1","startedAt":"","message":{"text":"go","origin":{"kind":"user"}}}`)
		w.settle()
		require.Contains(t, folder, `"session":"s1"`)
	})
}

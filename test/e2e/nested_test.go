//go:build unix

package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A screen is what a user has seen at the end, in order of appearance.
type screen struct {
	order []string
	shown map[string]*shown
	stop  string
}

// shown is one item on it: a message, a plan, a call or a question.
type shown struct {
	text   string
	fields map[string]json.RawMessage
}

// press returns the item with a key, adding it if it is new.
func (s *screen) press(key string) *shown {
	if s.shown[key] == nil {
		s.shown[key] = &shown{fields: map[string]json.RawMessage{}}
		s.order = append(s.order, key)
	}
	return s.shown[key]
}

// differing are the members of a call that may differ between two runs.
var differing = []string{"toolCallId", "sessionUpdate", "_meta", "messageId"}

// handle shows an update or a request.
func (s *screen) handle(t *testing.T, m message) {
	t.Helper()
	var raw struct {
		Params struct {
			Update   map[string]json.RawMessage `json:"update"`
			ToolCall map[string]json.RawMessage `json:"toolCall"`
		} `json:"params"`
	}
	require.NoError(t, json.Unmarshal([]byte(m.line), &raw))
	u, call := m.Params.Update, raw.Params.Update
	key := u.Kind
	switch {
	case u.Kind == "current_mode_update" || u.Kind == "config_option_update":
		return // one of the two sends it with the session/new response
	case m.Method == "session/request_permission":
		call = raw.Params.ToolCall
		key = "question " + string(call["toolCallId"])
		kinds, err := json.Marshal(m.Params.Options)
		require.NoError(t, err)
		s.press(key).fields["options"] = kinds
	case strings.HasSuffix(u.Kind, "_chunk"):
		// Text may be split differently; only the whole text matters.
		if n := len(s.order); n == 0 || !strings.HasPrefix(s.order[n-1], u.Kind) {
			s.press(fmt.Sprint(u.Kind, n))
		}
		var block struct {
			Text string `json:"text"`
		}
		require.NoError(t, json.Unmarshal(u.Content, &block))
		s.shown[s.order[len(s.order)-1]].text += block.Text
		return
	case u.ToolCallID != "":
		key = "call " + u.ToolCallID
	}
	for name, value := range call {
		if !slices.Contains(differing, name) {
			s.press(key).fields[name] = value
		}
	}
}

// lines returns the items on the screen without their keys.
func (s *screen) lines(t *testing.T) []string {
	t.Helper()
	out := make([]string, 0, len(s.order)+1)
	for _, key := range s.order {
		thing := s.shown[key]
		fields, err := json.Marshal(thing.fields)
		require.NoError(t, err)
		kind, _, _ := strings.Cut(strings.TrimRight(key, "0123456789"), " ")
		out = append(out, fmt.Sprintf("%s %q %s", kind, thing.text, fields))
	}
	return append(out, s.stop)
}

// watch shows a whole turn. It answers every question with the option of one
// kind, and acts as the file system of an editor with buffers.
func watch(t *testing.T, e *editor, prompt int, kind string, buffers map[string]string) *screen {
	t.Helper()
	s := &screen{shown: map[string]*shown{}}
	seen := 0
	for {
		e.wait("message", func(message) bool {
			e.mu.Lock()
			defer e.mu.Unlock()
			return len(e.messages) > seen
		})
		e.mu.Lock()
		m := e.messages[seen]
		e.mu.Unlock()
		seen++
		switch {
		case m.isAnswer(prompt):
			require.Nil(t, m.Error, m.line)
			s.stop = m.Result.StopReason
			return s
		case m.Method == "session/request_permission":
			s.handle(t, m)
			e.choose(m, kind)
		case strings.HasPrefix(m.Method, "fs/"):
			e.send(file(t, m, buffers))
		case m.Method == "session/update":
			s.handle(t, m)
		}
	}
}

// file returns the response to a file request.
func file(t *testing.T, m message, buffers map[string]string) string {
	t.Helper()
	var p struct {
		Params struct {
			Path    string `json:"path"`
			Content string `json:"content"`
		} `json:"params"`
	}
	require.NoError(t, json.Unmarshal([]byte(m.line), &p))
	if m.Method == "fs/write_text_file" {
		buffers[p.Params.Path] = p.Params.Content
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{}}`, m.ID)
	}
	text, err := json.Marshal(buffers[p.Params.Path])
	require.NoError(t, err)
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"content":%s}}`, m.ID, text)
}

const everything = `/think how hot?
/plan look; pour; drink
/say Let me look.
/read tea.md
/edit tea.md four => five
/run echo steam; echo more; exit 3
/say Done.`

// nested returns the arguments of a turnwire whose agent is another turnwire.
func nested() []string { return []string{"acp", "--agent", "acp", "--", binary, "acp"} }

// TestATurnwireWithATurnwireAsItsAgentShowsTheSame runs the same prompts
// directly, and through another process that speaks the protocol on both sides.
func TestATurnwireWithATurnwireAsItsAgentShowsTheSame(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"allow_once", "reject_once"} {
		for name, capabilities := range map[string]map[string]any{
			"with the editor's files": {"fs": map[string]any{"readTextFile": true, "writeTextFile": true}},
			"with the disk":           {},
		} {
			t.Run(kind+" "+name, func(t *testing.T) {
				dir := t.TempDir()
				path := filepath.Join(dir, "tea.md")
				var screens [][]string
				var texts []string
				for _, args := range [][]string{{"acp"}, nested()} {
					require.NoError(t, os.WriteFile(path, []byte("Steep for four minutes.\n"), 0o600))
					buffers := map[string]string{path: "Steep for four minutes, not saved.\n"}
					e := launch(t, options{args: args})
					id := e.request("initialize", map[string]any{"protocolVersion": 1, "clientCapabilities": capabilities})
					require.Nil(t, e.answer(id).Error)
					session := e.session(dir)
					s := watch(t, e, e.prompt(session, everything), kind, buffers)
					screens = append(screens, s.lines(t))
					disk, err := os.ReadFile(path)
					require.NoError(t, err)
					texts = append(texts, string(disk)+buffers[path])
				}
				require.Equal(t, screens[0], screens[1])
				require.Equal(t, texts[0], texts[1])
				require.Equal(t, kind == "allow_once", strings.Contains(texts[1], "five"))
			})
		}
	}
}

func TestACancelReachesTheInnerTurnwire(t *testing.T) {
	t.Parallel()
	e := launch(t, options{args: nested()})
	dir := t.TempDir()
	session := e.open(dir)
	id := e.prompt(session, "/write tea.md leaf")
	e.awaitPermission()
	e.cancel(session)
	require.Equal(t, "cancelled", e.stops(id))
	require.NoFileExists(t, filepath.Join(dir, "tea.md"))
	require.Equal(t, "end_turn", e.stops(e.prompt(session, "/say still here")))
	e.saw("still here")
}

//go:build unix && external

package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A model stands in for an OpenAI chat completions server.
type model struct {
	asked chan chat // each request
	gone  chan struct{}
}

type chat struct {
	Model    string
	Stream   bool
	Messages []struct {
		Role, Content string
		ToolCallID    string `json:"tool_call_id"`
		ToolCalls     []any  `json:"tool_calls"`
	}
	Tools []any
}

func textDelta(delta string) string {
	return `data: {"choices":[{"index":0,"delta":` + delta + `,"finish_reason":null}]}` + "\n\n"
}

func ended(reason string) string {
	return `data: {"choices":[{"index":0,"delta":{},"finish_reason":"` + reason + `"}]}` + "\n\ndata: [DONE]\n\n"
}

// calls returns a tool call in three pieces.
func calls(name, arguments string) string {
	piece := func(text string) string {
		raw, _ := json.Marshal(text)
		return textDelta(`{"tool_calls":[{"index":0,"function":{"arguments":` + string(raw) + `}}]}`)
	}
	half := len(arguments) / 2
	return textDelta(`{"tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":"`+name+`","arguments":""}}]}`) +
		piece(arguments[:half]) + piece(arguments[half:]) + ended("tool_calls")
}

func (m *model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var c chat
	if err := json.NewDecoder(r.Body).Decode(&c); err != nil || r.URL.Path != "/v1/chat/completions" || !c.Stream || len(c.Tools) != 8 {
		http.Error(w, "not a request of a chat", http.StatusBadRequest)
		return
	}
	m.asked <- c
	last := c.Messages[len(c.Messages)-1]
	answer := textDelta(`{"role":"assistant","content":"I see "}`) + textDelta(`{"content":"`+strings.ReplaceAll(last.Content, "\n", `\n`)+`"}`) + ended("stop")
	switch {
	case last.Role == "tool":
	case strings.HasPrefix(last.Content, "write "):
		answer = calls("write_file", `{"path":"`+last.Content[len("write "):]+`","content":"héllo"}`)
	case strings.HasPrefix(last.Content, "read "):
		answer = textDelta(`{"reasoning":"let me look"}`) + calls("read_file", `{"path":"`+last.Content[len("read "):]+`"}`)
	case strings.HasPrefix(last.Content, "edit "):
		answer = calls("edit_file", `{"path":"`+last.Content[len("edit "):]+`","edits":[{"old_text":"hé","new_text":"Hé"}]}`)
	case strings.HasPrefix(last.Content, "run "):
		answer = calls("run_command", `{"command":"`+last.Content[len("run "):]+`"}`)
	case strings.HasPrefix(last.Content, "ask "):
		answer = calls("ask_user", `{"question":"`+last.Content[len("ask "):]+`?","options":["tea","milk"]}`)
	case last.Content == "nonsense":
		answer = calls("read_file", `{"path":`)
	case last.Content == "unknown":
		w.WriteHeader(http.StatusNotFound)
		answer = `{"error":{"message":"model \"m\" not found, try pulling it first"}}`
	case last.Content == "breaks":
		answer = textDelta(`{"content":"well"}`)
	case last.Content == "fails":
		answer = textDelta(`{"content":"well"}`) + `data: {"error":{"message":"out of memory"}}` + "\n\n"
	case last.Content == "silence":
		answer = textDelta(`{"content":"hm"}`)
	}
	fmt.Fprint(w, answer)
	if last.Content == "silence" {
		w.(http.Flusher).Flush()
		<-r.Context().Done()
		m.gone <- struct{}{}
	}
}

func newModel(t *testing.T) (*model, string) {
	m := &model{asked: make(chan chat, 100), gone: make(chan struct{}, 100)}
	server := httptest.NewServer(m)
	t.Cleanup(server.Close)
	return m, "OPENAI_BASE_URL=" + server.URL + "/v1"
}

func ollama(t *testing.T) []string {
	path, err := filepath.Abs(filepath.Join("..", "..", "examples", "ollama.py"))
	require.NoError(t, err)
	return []string{"python3", path}
}

func openOllama(t *testing.T, env string) *editor {
	return launch(t, options{args: append([]string{"acp", "--"}, ollama(t)...), env: []string{env, "OPENAI_MODEL=m", "OPENAI_API_KEY="}})
}

func TestTheExampleWithAModelUsesItsTools(t *testing.T) {
	t.Parallel()
	m, env := newModel(t)
	e, dir := openOllama(t, env), t.TempDir()
	s := e.open(dir)
	turn := func(text string, seen ...string) []chat {
		id := e.prompt(s, text)
		for _, kind := range seen {
			e.choose(e.awaitPermission(), kind)
		}
		require.Equal(t, "end_turn", e.stops(id))
		var all []chat
		for len(m.asked) > 0 {
			all = append(all, <-m.asked)
		}
		return all
	}
	texts := func(all []chat) string {
		require.Len(t, all, 2)
		last := all[1].Messages[len(all[1].Messages)-1]
		require.Equal(t, "tool", last.Role)
		require.Equal(t, "call_1", last.ToolCallID)
		return last.Content
	}

	require.Equal(t, "m", turn("hello")[0].Model)
	e.saw("I see hello")

	require.Equal(t, "Created a.txt: it has 6 bytes now.", texts(turn("write a.txt", "allow_once")))
	text, err := os.ReadFile(filepath.Join(dir, "a.txt"))
	require.NoError(t, err)
	require.Equal(t, "héllo", string(text))
	e.wait("a difference", func(m message) bool { return strings.Contains(m.line, `"type":"diff"`) })

	require.Contains(t, texts(turn("write b.txt", "reject_once")), "The user did not allow this call.")
	require.NoFileExists(t, filepath.Join(dir, "b.txt"))

	require.Equal(t, "héllo", texts(turn("read a.txt")))
	e.wait("a thought", func(m message) bool { return strings.Contains(m.line, `"let me look"`) })
	require.Contains(t, texts(turn("read missing")), "does not exist")
	require.Contains(t, texts(turn("read /etc/passwd", "reject_once")), "The user did not allow this call.")
	require.Contains(t, texts(turn("write /tmp/never.txt", "reject_once")), "The user did not allow this call.")
	require.NoFileExists(t, "/tmp/never.txt")
	require.Contains(t, texts(turn("nonsense")), "The arguments are not JSON")

	require.Equal(t, "Changed a.txt: it has 6 bytes now.", texts(turn("edit a.txt", "allow_once")))
	require.Equal(t, "Héllo\n[exit code 0]", texts(turn("run cat a.txt", "allow_once")))
	require.Equal(t, "tea", texts(turn("ask Which", "allow_once")))

	require.Equal(t, "I see hello", turn("bye")[0].Messages[2].Content, "it knows what was said before")
	require.Empty(t, turn("/clear"))
	e.saw("The conversation is forgotten.")
	require.Len(t, turn("hello")[0].Messages, 2)
}

func TestTheExampleWithAModelStopsWhenItIsCancelled(t *testing.T) {
	t.Parallel()
	m, env := newModel(t)
	e, dir := openOllama(t, env), t.TempDir()
	s := e.open(dir)
	id := e.prompt(s, "silence")
	e.saw("hm")
	e.cancel(s)
	require.Equal(t, "cancelled", e.stops(id))
	<-m.gone // the model was disconnected

	id = e.prompt(s, "write a.txt")
	e.awaitPermission()
	e.cancel(s)
	require.Equal(t, "cancelled", e.stops(id))
	require.NoFileExists(t, filepath.Join(dir, "a.txt"))

	id = e.prompt(s, "hello")
	require.Equal(t, "end_turn", e.stops(id))
	e.saw("I see hello")
}

func TestTheExampleWithAModelReadsMessagesDuringATurn(t *testing.T) {
	t.Parallel()
	m, env := newModel(t)
	e := openOllama(t, env)
	s := e.open(t.TempDir())
	id := e.prompt(s, "write a.txt")
	asked := e.awaitPermission()
	steered := e.request("_session/steering", map[string]any{"sessionId": s, "prompt": []any{map[string]any{"type": "text", "text": "be brief"}}})
	e.choose(asked, "allow_once")
	require.Contains(t, e.answer(steered).line, `"result":{"outcome":"injected"}`)
	require.Equal(t, "end_turn", e.stops(id))
	e.saw("I see be brief")
	<-m.asked
	require.Equal(t, "tool", (<-m.asked).Messages[3].Role, "it knows what the message interrupted")
}

func TestTheExampleWithAModelSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	_, env := newModel(t)
	e := openOllama(t, env)
	s := e.open(t.TempDir())
	for text, says := range map[string]string{
		"unknown": "try pulling it first",
		"breaks":  "ends with",
		"fails":   "out of memory",
	} {
		answer := e.answer(e.prompt(s, text))
		require.Contains(t, answer.line, says)
	}
	require.Equal(t, "end_turn", e.stops(e.prompt(s, "hello")))

	nobody := httptest.NewServer(nil)
	nobody.Close()
	e = openOllama(t, "OPENAI_BASE_URL="+nobody.URL+"/v1")
	answer := e.answer(e.prompt(e.open(t.TempDir()), "hello"))
	require.Contains(t, answer.line, "ConnectionRefusedError")
}

func TestCheckFindsNoMistakesInTheExampleWithAModel(t *testing.T) {
	_, env := newModel(t)
	name, value, _ := strings.Cut(env, "=")
	t.Setenv(name, value)
	all, code := check(t, "", append([]string{"--strict", "--"}, ollama(t)...)...)
	require.Zero(t, code, "%+v", all)
}

// The conversation is in the session's journal, so a new process of the agent knows it.
func TestTheExampleWithAModelContinuesAReopenedSession(t *testing.T) {
	t.Parallel()
	m, env := newModel(t)
	state, dir := "XDG_STATE_HOME="+t.TempDir(), t.TempDir()
	open := func() *editor {
		return launch(t, options{args: append([]string{"acp", "--"}, ollama(t)...), env: []string{env, state, "OPENAI_MODEL=m", "OPENAI_API_KEY="}})
	}
	e := open()
	s := e.open(dir)
	require.Equal(t, "end_turn", e.stops(e.prompt(s, "hello")))
	<-m.asked
	e.cleanUp()

	e = open()
	require.Equal(t, "I see hello", e.load(s, dir).said)
	// Only an agent that has introduced itself gets the history, and Python may start slowly.
	e.wait("introduction", func(m message) bool { return strings.Contains(m.line, "available_commands_update") })
	require.Equal(t, "end_turn", e.stops(e.prompt(s, "bye")))
	var texts []string
	for _, message := range (<-m.asked).Messages[1:] {
		texts = append(texts, message.Role+": "+message.Content)
	}
	require.Equal(t, []string{"user: hello", "assistant: I see hello", "user: bye"}, texts)
}

func TestANewAgentWithAModelWorks(t *testing.T) {
	t.Parallel()
	_, env := newModel(t)
	folder := filepath.Join(t.TempDir(), "my-agent")
	r := turnwire(t, "", "new", "python", folder, "--model")
	require.Zero(t, r.code, r.stderr)
	e := launch(t, options{args: []string{"acp", "--", "python3", filepath.Join(folder, "agent.py")}, env: []string{env, "OPENAI_MODEL=m", "OPENAI_API_KEY="}})
	s := e.open(t.TempDir())
	id := e.prompt(s, "write a.txt")
	e.choose(e.awaitPermission(), "allow_once")
	require.Equal(t, "end_turn", e.stops(id))
	e.saw("I see Created a.txt")
}

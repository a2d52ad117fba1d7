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
	"github.com/turnwire/turnwire/internal/test/golden"
)

// Each file in testdata is a conversation:
//
//   - client: the editor's capabilities, if any;
//   - prompts: the user's prompts, one per line; the default is "go";
//   - steering: the user's message during the turn of each prompt, one per line; the
//     agent accepts such messages if there are any;
//   - answers: the editor's answers to requests, in order;
//   - agent: the agent's lines; a line "<TYPE" waits for a command;
//   - v1: what the editor receives, from the first prompt on;
//   - commands: what the agent receives;
//   - load: what the editor receives when it opens the session again, in another
//     process.
func TestGolden(t *testing.T) {
	golden.Each(t, "testdata/*.txtar", func(t *testing.T, path string) {
		synctest.Test(t, func(t *testing.T) {
			archive := golden.Read(t, path)
			section := map[string]string{"client": "{}", "prompts": "go\n"}
			for _, f := range archive.Sections() {
				section[f.Name] = string(f.Data)
				if f.Name != "v1" && f.Name != "commands" && f.Name != "load" {
					archive.Add(f.Name, string(f.Data))
				}
			}
			store := journal.NewFolder(t.TempDir())
			lines, commands, id := perform(t, store, section)
			loaded := load(t, store, section["client"], id)
			require.Equal(t, loaded, load(t, store, section["client"], id), "it is the same each time")
			archive.Add("v1", lines)
			archive.Add("commands", commands)
			archive.Add("load", loaded)
			archive.Check(t)
		})
	})
}

// keeping changes a bridge's setup so that it saves its sessions.
func keeping(store journal.Store) func(*setup) {
	return func(c *setup) { c.Journal, c.Key = store, "puppet" }
}

// load opens a session again and returns what the editor received.
func load(t *testing.T, store journal.Store, client, id string) string {
	t.Helper()
	p := newPuppet()
	p.info = agent.Info{Image: true}
	e := connect(t, p, keeping(store))
	e.initialize(strings.TrimSpace(client))
	e.ids = []string{id}
	e.request(`"load"`, "session/load", `{"sessionId":"S1","cwd":"/project","mcpServers":[]}`)
	var out strings.Builder
	for {
		line := e.read()
		out.WriteString(line + "\n")
		if strings.HasPrefix(line, `{"jsonrpc":"2.0","id":"load"`) {
			break
		}
	}
	require.True(t, p.session(t).options.Memory().Prompted)
	require.Empty(t, e.close())
	return out.String()
}

// perform runs a conversation. It returns what both sides received, and the session's
// id.
func perform(t *testing.T, store journal.Store, section map[string]string) (lines, commands, id string) {
	t.Helper()
	p := newPuppet()
	p.info = agent.Info{Image: true}
	messages := split(section["steering"])
	if messages != nil {
		p.info.Steer = &agent.PromptTakes{}
	}
	e := connect(t, p, keeping(store))
	e.initialize(strings.TrimSpace(section["client"]))
	s := e.newSession(p)
	played := make(chan string)
	go func() { played <- play(s, section["agent"]) }()

	var out strings.Builder
	answers := split(section["answers"])
	for i, prompt := range split(section["prompts"]) {
		id := strconv.Itoa(i + 1)
		e.write(promptS1(id, prompt))
		if len(messages) > 0 {
			e.write(steering(`"steering-`+id+`"`, fmt.Sprintf(`[{"type":"text","text":%q}]`, messages[0]), hostOwned))
			messages = messages[1:]
		}
		for answered := false; !answered; {
			text := e.read()
			out.WriteString(text + "\n")
			var m message
			require.NoError(t, json.Unmarshal([]byte(text), &m))
			switch {
			case m.Method == "" && string(m.ID) == id:
				answered = true
			case m.Method != "" && m.ID != nil:
				require.NotEmpty(t, answers, "there is no answer to %s", text)
				e.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,%s`, m.ID, answers[0][1:]) + "\n")
				answers = answers[1:]
			}
		}
	}
	require.Empty(t, answers, "nobody asked")
	commands = strings.ReplaceAll(<-played, e.ids[0], "S1")
	for _, text := range e.close() {
		out.WriteString(text + "\n")
	}
	return out.String(), commands, e.ids[0]
}

// play sends the lines of a script and returns the commands that it waited for.
func play(s *puppetSession, script string) string {
	var commands strings.Builder
	var batch []string
	flush := func() {
		if len(batch) > 0 {
			s.say(batch...)
			batch = nil
		}
	}
	for _, text := range split(script) {
		want, waits := strings.CutPrefix(text, "<")
		if !waits {
			batch = append(batch, text)
			continue
		}
		flush()
		for {
			c, err := s.await()
			if err != nil {
				return commands.String() + err.Error() + " instead of " + want + "\n"
			}
			line := string(agent.AppendCommand(nil, c))
			commands.WriteString(line + "\n")
			if strings.HasPrefix(line, `{"type":"`+want+`"`) {
				break
			}
		}
	}
	flush()
	return commands.String()
}

func split(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

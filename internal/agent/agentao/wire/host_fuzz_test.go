package wire_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/agentao/wire"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// A line from the host contains at most one request, with its own id, and the
// end of a turn ends it once.
func FuzzHostLines(f *testing.F) {
	for _, members := range []string{
		`"id":"confirm-1","tool":"[code-reader] run_shell_command","description":"Runs. Then more.","args":{"command":"x"}`,
		`"id":"confirm-1","tool":"x","args":{"description":"\ud83d"},"Id":"other","ARGS":{}`, `"id":7`, `"id":null,"args":null`, ``,
		`"id":"ask-1","question":"Which?","header":"H","options":["a"],"multiple":true,"allow_custom":false`,
		`"id":"max_iterations-1","count":100,"options":["Go on","Stop"]`, `"message":"m","code":"c"`, `"text":"all","status":"cancelled"`,
		`"text":7`, `"data":{"id":"x"}`, `"version":"0.4.20","python":"3.12.1"`,
	} {
		f.Add(members, members)
	}
	f.Fuzz(func(t *testing.T, first, second string) {
		d := wire.Dialect.NewDecoder()
		for _, members := range []string{first, second} {
			for _, kind := range []string{"ready", "confirm", "ask", "max_iterations", "confirm", "error", "ask", "done"} {
				line := []byte(`{"type":"host.` + kind + `"`)
				if members != "" {
					line = append(append(line, ','), members...)
				}
				line = rawjson.Valid(append(line, '}'))
				var head map[string]any
				if json.Unmarshal(line, &head) != nil || head["type"] != "host."+kind {
					continue
				}
				asked, ended := 0, 0
				err := d.Decode(line, func(e agent.Event) bool {
					requireStrict(t, agent.AppendJSON(nil, clean(e)))
					name := ""
					switch e := e.(type) {
					case *agent.ConfirmationRequested:
						asked, name = asked+1, e.ToolCallID
					case *agent.QuestionAsked:
						asked, name = asked+1, e.QuestionID
					case *agent.Done:
						ended++
					case *agent.Error:
						if e.Fatal == nil {
							ended++
						}
					}
					if id, ok := head["id"].(string); ok && name != "" {
						require.Equal(t, id, name, "%s", line)
					}
					return true
				})
				if err != nil {
					require.Zero(t, asked+ended, "%s", line)
					continue
				}
				switch kind {
				case "ready":
					require.Zero(t, asked+ended, "%s", line)
				case "error", "done":
					require.Equal(t, []int{0, 1}, []int{asked, ended}, "%s", line)
				default:
					require.Equal(t, []int{1, 0}, []int{asked, ended}, "%s", line)
				}
			}
		}
	})
}

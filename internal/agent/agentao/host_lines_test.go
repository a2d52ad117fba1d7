//go:build unix && external

package agentao_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/agent/agentao"
)

// commandLines returns lines that resemble commands, and random ones.
func commandLines(r *rand.Rand, n int) (lines []string) {
	values := []string{
		`"t1"`, `7`, `null`, `true`, `[]`, `{}`, `[["a"]]`, `"\ud800"`, `1e999`, `NaN`, `""`, `"tool_confirmation_response"`,
		`{"Type":"prompt"}`, strings.Repeat("[", 5000) + strings.Repeat("]", 5000), strings.Repeat("9", 5000),
	}
	kinds := []string{`"cancel"`, `"tool_confirmation_response"`, `"question_response"`, `"session"`, `"unknown"`, `7`, `null`, `["prompt"]`}
	for range n {
		switch r.IntN(4) {
		case 0:
			raw := make([]byte, r.IntN(40))
			for i := range raw {
				raw[i] = byte(r.IntN(256))
			}
			lines = append(lines, strings.ReplaceAll(string(raw), "\n", ""))
		case 1:
			lines = append(lines, values[r.IntN(len(values))])
		default:
			members := []string{`"type":` + kinds[r.IntN(len(kinds))]}
			for _, name := range []string{"turnId", "toolCallId", "questionId", "decision", "answer", "cancelled", "Type"} {
				if r.IntN(2) == 0 {
					members = append(members, `"`+name+`":`+values[r.IntN(len(values))])
				}
			}
			lines = append(lines, "{"+strings.Join(members, ",")+"}")
		}
	}
	return lines
}

// Lines that are not commands must not end the conversation. Only the content
// of prompts may become a prompt.
func TestTheHostSurvivesInvalidCommands(t *testing.T) {
	const seed = 11
	config := standIn()
	command := exec.CommandContext(t.Context(), "python3", "-u", "-c", agentao.Host())
	command.Env, command.Dir, command.Stderr = config.Env, t.TempDir(), io.Discard
	stdin, err := command.StdinPipe()
	require.NoError(t, err)
	stdout, err := command.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, command.Start())
	r := rand.New(rand.NewPCG(seed, 0))
	out := bufio.NewScanner(stdout)
	out.Buffer(nil, 1<<20)
	prompt := func(members string) string {
		for _, line := range commandLines(r, 200) {
			_, err := io.WriteString(stdin, line+"\n")
			require.NoError(t, err, "seed %d: %.200q", seed, line)
		}
		_, err := fmt.Fprintf(stdin, "{\"type\":\"prompt\",%s}\n", members)
		require.NoError(t, err, "seed %d", seed)
		for out.Scan() {
			require.True(t, json.Valid(out.Bytes()), "%q", out.Bytes())
			var e struct {
				Type string `json:"type"`
				Text string `json:"text"`
			}
			require.NoError(t, json.Unmarshal(out.Bytes(), &e))
			if e.Type == "host.done" || e.Type == "host.error" {
				return e.Type + " " + e.Text
			}
			require.Contains(t, []string{"host.hello", "host.state", "host.ready", "host.mode", "host.model"}, e.Type, "it does what it was not told to")
		}
		require.Fail(t, "the host is gone", "seed %d: %v", seed, out.Err())
		return ""
	}
	_, err = io.WriteString(stdin, "{\"type\":\"session\"}\n")
	require.NoError(t, err)
	for range 5 {
		require.Equal(t, "host.done said nothing before", prompt(`"turnId":"a","text":"silent"`))
	}
	for _, members := range []string{`"text":7`, `"turnId":[],"text":{"a":1}`, `"cwd":7,"text":[1]`, `"prompt":7,"text":"silent"`, `"prompt":[7,{"type":"image"}]`, `"text":"silent","prompt":{"type":"image"}`} {
		require.Contains(t, prompt(members), "host.", members)
	}
	require.Equal(t, "host.done said nothing before", prompt(`"turnId":"a","text":"silent"`))
	require.NoError(t, stdin.Close())
	_, err = io.Copy(io.Discard, stdout)
	require.NoError(t, err)
	require.NoError(t, command.Wait())
	require.Zero(t, command.ProcessState.ExitCode())
}

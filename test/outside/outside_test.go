package outside_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// build compiles a program of testdata; see compile.
func build(t *testing.T, name string) (string, error) {
	t.Helper()
	source, err := os.ReadFile(filepath.Join("testdata", name, "main.go"))
	require.NoError(t, err)
	return compile(t, name, source)
}

// compile compiles a program as the main package of a separate module, and
// returns the binary. The error contains the compiler's output.
func compile(t *testing.T, name string, source []byte) (string, error) {
	t.Helper()
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	dir := t.TempDir()
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	require.NoError(t, err)
	module := fmt.Sprintf("module example.org/%s\n\ngo 1.26\n\nrequire github.com/turnwire/turnwire v0.0.0\n\nreplace github.com/turnwire/turnwire => %s\n", name, root)
	for file, text := range map[string]string{"main.go": string(source), "go.mod": module, "go.sum": string(sums)} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600))
	}
	binary := filepath.Join(dir, name+".exe")
	cmd := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-mod=mod", "-o", binary, ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return binary, nil
}

// A message contains the members that the test needs.
type message struct {
	ID     json.RawMessage
	Result struct {
		SessionID  string
		StopReason string
		AgentInfo  json.RawMessage
	}
	Params struct {
		Update struct{ Content struct{ Text string } }
	}
}

func TestAnotherModuleMakesAnAgent(t *testing.T) {
	binary, err := build(t, "mine")
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), binary)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	lines := bufio.NewScanner(out)
	var said strings.Builder
	send := func(format string, args ...any) {
		_, err := fmt.Fprintf(in, format+"\n", args...)
		require.NoError(t, err)
	}
	// until reads up to the response to a request, or to a request from the
	// agent.
	until := func(want string) (m message) {
		for lines.Scan() {
			m = message{}
			require.NoError(t, json.Unmarshal(lines.Bytes(), &m))
			said.WriteString(m.Params.Update.Content.Text)
			if strings.Contains(lines.Text(), want) {
				return m
			}
		}
		require.Fail(t, "the agent ended", "without %s; %v", want, lines.Err())
		return m
	}
	send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1,"clientCapabilities":{"elicitation":{"form":{}}}}}`)
	require.JSONEq(t, `{"name":"mine","title":"Mine","version":"1.2.3"}`, string(until(`"id":1`).Result.AgentInfo))
	send(`{"jsonrpc":"2.0","id":2,"method":"session/new","params":{"cwd":%q,"mcpServers":[]}}`, t.TempDir())
	session := until(`"id":2`).Result.SessionID
	send(`{"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{"sessionId":%q,"prompt":[{"type":"text","text":"hello"}]}}`, session)
	asked := until(`"method":"elicitation/create"`)
	send(`{"jsonrpc":"2.0","id":%s,"result":{"action":"accept","content":{"answer":"b"}}}`, asked.ID)
	require.Equal(t, "end_turn", until(`"id":3`).Result.StopReason)
	require.Equal(t, "LOUD b", said.String())
	require.NoError(t, in.Close())
	_, err = io.Copy(io.Discard, out)
	require.NoError(t, err)
	require.NoError(t, cmd.Wait())
}

func TestTheProgramOfTheDocumentCompiles(t *testing.T) {
	text, err := os.ReadFile("../../docs/write-an-agent.md")
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(text), "```go\n")
	require.True(t, found)
	source, _, found := strings.Cut(rest, "```\n")
	require.True(t, found)
	_, err = compile(t, "document", []byte(source))
	require.NoError(t, err)
}

func TestBytesAreNotText(t *testing.T) {
	_, err := build(t, "wrong")
	require.ErrorContains(t, err, "cannot use []byte")
}

package cli

import (
	"bytes"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/turnwire/turnwire/internal/app/terminal"
	"github.com/turnwire/turnwire/internal/bridge/journal"
	"github.com/turnwire/turnwire/internal/test/golden"
)

func TestASessionIsShown(t *testing.T) {
	k := keep(t)
	k.session(journal.Header{ID: "tw-one", Cwd: "/w"}, hostile, 0, testRecords(t)...)
	golden.File(t, "testdata/sessions-show.txt", k.sessions("show", "tw-o"))

	var out bytes.Buffer
	s, err := k.store.Describe("tw-one")
	require.NoError(t, err)
	require.NoError(t, showSession(k.store, s, terminal.Options{Stdout: &out, Terminal: true, Interactive: true, Colour: true, Width: func() int { return 40 }}))
	golden.File(t, "testdata/sessions-show-terminal.txt", strings.ReplaceAll(strings.ReplaceAll(out.String(), "\x1b", "␛"), "\r\n", "\n"))
}

// testRecords returns the records of a session with all kinds of events.
func testRecords(t *testing.T) []string {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("..", "transcript", "testdata", "native.txtar"))
	require.NoError(t, err)
	return strings.Split(strings.TrimSpace(string(archive.Files[0].Data)), "\n")
}

func TestASessionIsExported(t *testing.T) {
	k := keep(t)
	k.session(journal.Header{ID: "tw-one", Cwd: "/w"}, hostile, 0, testRecords(t)...)
	require.Contains(t, k.sessions("export", "tw-o"), "\n## You\n")
	require.True(t, json.Valid([]byte(k.sessions("export", "tw-o", "--format", "json"))))
	file := filepath.Join(t.TempDir(), "talk.html")
	require.Empty(t, k.sessions("export", "tw-o", "--format", "html", "-o", file))
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Contains(t, string(text), "&lt;script&gt;")
	require.NotContains(t, string(text), "<script")
	info, err := os.Stat(file)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())

	_, _, err = sessions("export", "tw-o", "--format", "htm")
	require.EqualError(t, err, `unknown --format "htm"; did you mean html?`)
	_, _, err = sessions("export", "tw-o", "-o", filepath.Join(file, "no"))
	require.ErrorContains(t, err, "-o: ")
}

// An open session's owner only appends to it.
func TestAnOpenSessionIsShown(t *testing.T) {
	k := keep(t)
	k.session(journal.Header{ID: "tw-one"}, "", 0)
	j, err := k.store.Own("tw-one")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, j.Close()) })
	require.Contains(t, k.sessions("show", "tw-one"), "✗ this turn was interrupted")
}

func TestADamagedSessionIsShownAsFarAsItGoes(t *testing.T) {
	k := keep(t)
	k.session(journal.Header{ID: "tw-one"}, "", 0, testRecords(t)...)
	text, err := os.ReadFile(k.file("tw-one"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(k.file("tw-one"), bytes.Replace(text, []byte(`{"seq":8,`), []byte(`{"seq":9,`), 1), 0o600))
	shown, _, err := sessions("show", "tw-one")
	require.ErrorIs(t, err, journal.ErrDamaged)
	require.ErrorContains(t, err, k.file("tw-one"))
	require.Contains(t, shown, "> Change **it**")

	file := filepath.Join(t.TempDir(), "talk.md")
	_, _, err = sessions("export", "tw-one", "-o", file)
	require.ErrorIs(t, err, journal.ErrDamaged)
	require.NoFileExists(t, file)
}

// Records of an ACP agent's output are read with the dialect of that name.
func TestARelayedSessionIsReplayed(t *testing.T) {
	k := keep(t)
	k.session(journal.Header{ID: "tw-one"}, "", 0,
		`update {"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"of the past"}}`,
		`prompt {"type":"prompt","text":"one","prompt":[]}`,
		`update {"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"1"}}`,
		`ask {"method":"session/request_permission","params":{"toolCall":{"toolCallId":"c"},"options":[]},"result":{"outcome":{"outcome":"cancelled"}}}`,
		`answer {"result":{"stopReason":"end_turn"}}`,
		`prompt {"type":"prompt","text":"two","prompt":[]}`,
		`answer {"error":{"code":1,"message":"no"}}`,
	)
	r := recording{k.store, "tw-one"}
	for turn, want := range []string{
		`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"recorded","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"1"}}}}
{"jsonrpc":"2.0","id":4,"method":"session/request_permission","params":{"toolCall":{"toolCallId":"c"},"options":[]}}
{"jsonrpc":"2.0","id":5,"result":{"stopReason":"end_turn"}}
`,
		`{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"no"}}
`,
	} {
		lines, err := r.turn(turn)
		require.NoError(t, err)
		text, err := io.ReadAll(lines)
		require.NoError(t, err)
		require.Equal(t, want, string(text))
	}
	_, err := recordedSession("tw-nobody")
	require.ErrorIs(t, err, fs.ErrNotExist)
}

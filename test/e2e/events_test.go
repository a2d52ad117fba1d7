//go:build unix

package e2e

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/creack/pty"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "write the golden files anew")

// forms are the values of --to of `turnwire events`.
var forms = []string{"events", "v1"}

// Each file in testdata/events holds an agent's stream and its results.
func TestEventsBecomeWhatTheGoldenFilesSay(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "events", "*.txtar"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, path := range files {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			golden, err := txtar.ParseFile(path)
			require.NoError(t, err)
			require.Equal(t, "stream", golden.Files[0].Name)
			stream := golden.Files[0].Data
			now := txtar.Archive{Comment: golden.Comment, Files: golden.Files[:1:1]}
			for _, form := range forms {
				r := turnwire(t, string(stream), "events", "--to", form)
				require.Equal(t, result{stdout: r.stdout}, r)
				now.Files = append(now.Files, txtar.File{Name: form, Data: []byte(r.stdout)})
			}
			if *update {
				require.NoError(t, os.WriteFile(path, txtar.Format(&now), 0o600))
				return
			}
			require.Equal(t, string(txtar.Format(golden)), string(txtar.Format(&now)))
		})
	}
}

// The agent whose stream is shown may still be running, and may be stopped.
func TestEventsAreShownWhileMoreIsWaitedFor(t *testing.T) {
	for _, form := range forms {
		for _, line := range []string{`{"type":"text_delta","text":"here"}` + "\n", `data: {"event_type":"text_delta","delta":"here"}` + "\n\n"} {
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			cmd := exec.CommandContext(ctx, binary, "events", "--to", form)
			in, err := cmd.StdinPipe()
			require.NoError(t, err)
			out, err := cmd.StdoutPipe()
			require.NoError(t, err)
			require.NoError(t, cmd.Start())
			_, err = io.WriteString(in, line)
			require.NoError(t, err)
			shown, err := bufio.NewReader(out).ReadString('\n')
			require.NoError(t, err, "nothing was shown of %q", line)
			require.Contains(t, shown, "here")
			require.NoError(t, in.Close())
			_, err = io.Copy(io.Discard, out)
			require.NoError(t, err)
			require.NoError(t, cmd.Wait())
			cancel()
		}
	}
}

func TestEventsAreTheSameOnceMore(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "events", "*.txtar"))
	require.NoError(t, err)
	for _, path := range files {
		golden, err := txtar.ParseFile(path)
		require.NoError(t, err)
		once := turnwire(t, string(golden.Files[0].Data), "events")
		twice := turnwire(t, once.stdout, "events")
		require.Equal(t, once, twice, path)
	}
}

// Any input results in JSON. If the repository has neighbours with streams of
// other agents, these are read as well, and so are all of our own test data.
func TestEventsOfAnyFileAreJSON(t *testing.T) {
	read := 0
	for _, root := range []string{"testdata", filepath.Join("..", "..", "..", "shared", "recordings")} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			stream, err := os.ReadFile(path)
			require.NoError(t, err)
			read++
			for _, form := range forms {
				r := turnwire(t, string(stream), "events", "--to", form)
				require.Zero(t, r.code, path)
				require.Empty(t, r.stderr, path)
				for line := range strings.Lines(r.stdout) {
					require.True(t, json.Valid([]byte(line)) && line[0] == '{', "%s: %q", path, line)
				}
			}
			return nil
		})
		if root != "testdata" && os.IsNotExist(err) {
			continue // this copy of the repository has no such neighbour
		}
		require.NoError(t, err)
	}
	require.NotZero(t, read)
}

// Two events whose texts have characters that a terminal acts upon, and
// characters that change the order of others.
const hostile = "{\"type\":\"text_delta\",\"text\":\"a\\u001b]0;x\\u0007\u0085\u009b31m\u202eb\u2066\u200fc\u061c\"}\n{\"type\":\"session_title\",\"title\":\"t\u202e\"}\n"

func TestInATerminalEventsAreEscapedWhereItWouldActUponThem(t *testing.T) {
	for _, form := range forms {
		cmd := exec.CommandContext(t.Context(), binary, "events", "--to", form)
		cmd.Stdin = strings.NewReader(hostile)
		master, terminal, err := pty.Open()
		require.NoError(t, err)
		defer master.Close()
		cmd.Stdout = terminal
		require.NoError(t, cmd.Start())
		require.NoError(t, terminal.Close())
		// It ends with the error of a terminal that has been closed.
		seen, _ := io.ReadAll(master)
		require.NoError(t, cmd.Wait())
		require.NotContains(t, string(seen), "\x1b")
		for _, r := range "\u0007\u0085\u009b\u202e\u2066\u200f\u061c" {
			require.NotContains(t, string(seen), string(r), form)
		}
		require.Contains(t, string(seen), `\u0085\u009b31m\u202eb\u2066\u200fc\u061c`, form)

		// A program receives the bytes unchanged.
		r := turnwire(t, hostile, "events", "--to", form)
		require.Contains(t, r.stdout, "\u0085\u009b31m\u202eb\u2066\u200fc\u061c", form)
		var want, got []any
		require.NoError(t, json.Unmarshal(listed(r.stdout), &want))
		require.NoError(t, json.Unmarshal(listed(string(seen)), &got))
		require.Equal(t, want, got, "it says the same")
	}
}

// listed turns lines of JSON into one JSON array.
func listed(text string) []byte {
	return []byte("[" + strings.ReplaceAll(strings.TrimSpace(text), "\n", ",") + "]")
}

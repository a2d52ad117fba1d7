//go:build unix

package e2e

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/creack/pty"
	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/test/golden"
)

// forms are the values of --to of `turnwire events`.
var forms = []string{"events", "v1"}

// streams are the files with an agent's stream and the expected output.
const streams = "testdata/events/*.txtar"

func TestEventsMatchTheGoldenFiles(t *testing.T) {
	t.Parallel()
	golden.Each(t, streams, func(t *testing.T, path string) {
		archive := golden.Read(t, path)
		stream, ok := archive.Section("stream")
		require.True(t, ok, "the file has no section stream")
		archive.Add("stream", stream)
		for _, form := range forms {
			r := turnwire(t, stream, "events", "--to", form)
			require.Equal(t, result{stdout: r.stdout}, r)
			archive.Add(form, r.stdout)
		}
		archive.Check(t)
	})
}

// The agent whose stream is shown may still be running or stopped.
func TestEventsAreShownAsTheyArrive(t *testing.T) {
	t.Parallel()
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

func TestConvertingEventsTwiceChangesNothing(t *testing.T) {
	t.Parallel()
	golden.Each(t, streams, func(t *testing.T, path string) {
		stream, ok := golden.Read(t, path).Section("stream")
		require.True(t, ok, "the file has no section stream")
		once := turnwire(t, stream, "events")
		twice := turnwire(t, once.stdout, "events")
		require.Equal(t, once, twice)
	})
}

// Any input results in JSON. This also reads all of our own test data and, if
// they are next to the repository, recorded streams of other agents.
func TestEventsOfAnyFileAreJSON(t *testing.T) {
	t.Parallel()
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
				r := plainTurnwire(t, string(stream), "events", "--to", form)
				require.Zero(t, r.code, path)
				require.Empty(t, r.stderr, path)
				for line := range strings.Lines(r.stdout) {
					require.True(t, json.Valid([]byte(line)) && line[0] == '{', "%s: %q", path, line)
				}
			}
			return nil
		})
		if root != "testdata" && os.IsNotExist(err) {
			continue // no recordings next to this copy of the repository
		}
		require.NoError(t, err)
	}
	require.NotZero(t, read)
}

// Two events whose texts contain terminal control characters, and characters
// that change the order of others.
const hostile = "{\"type\":\"text_delta\",\"text\":\"a\\u001b]0;x\\u0007\u0085\u009b31m\u202eb\u2066\u200fc\u061c\"}\n{\"type\":\"session_title\",\"title\":\"t\u202e\"}\n"

func TestEventsAreEscapedInATerminal(t *testing.T) {
	t.Parallel()
	for _, form := range forms {
		cmd := exec.CommandContext(t.Context(), binary, "events", "--to", form)
		cmd.Stdin = strings.NewReader(hostile)
		master, terminal, err := pty.Open()
		require.NoError(t, err)
		defer master.Close()
		cmd.Stdout = terminal
		require.NoError(t, cmd.Start())
		require.NoError(t, terminal.Close())
		// Reading ends with the error of a closed terminal.
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

// listed joins lines of JSON into one JSON array.
func listed(text string) []byte {
	return []byte("[" + strings.ReplaceAll(strings.TrimSpace(text), "\n", ",") + "]")
}

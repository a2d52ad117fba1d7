package terminal

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/turnwire/turnwire/internal/test/golden"
)

// A result is the outcome of a run.
type result struct {
	stdout, stderr, answers string
	code                    int
	err                     error
}

// play runs a script. It overrides the streams in the options.
func play(t *testing.T, script string, opts Options) result {
	t.Helper()
	stream, in, out := pipes()
	agent := newScriptedAgent(in, out, script)
	done := make(chan struct{})
	go func() {
		defer close(done)
		agent.run()
	}()
	var stdout, stderr bytes.Buffer
	opts.Prompt, opts.Cwd = "go", "/w"
	opts.Stdout, opts.Stderr = &stdout, &stderr
	opts.Interrupts = make(chan os.Signal)
	code, err := Run(t.Context(), stream, opts)
	<-done
	return result{stdout.String(), stderr.String(), agent.answers(), code, err}
}

// Each file in testdata/golden has a comment with the flags, the agent's
// script, and the expected outcome.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/golden/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, path := range files {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			require.NoError(t, err)
			var opts Options
			for word := range strings.FieldsSeq(string(archive.Comment)) {
				flag, value, _ := strings.Cut(strings.TrimRight(word, ":"), "=")
				switch flag {
				case "--yes":
					opts.Yes = true
				case "--deny":
					opts.Deny = true
				case "--json":
					opts.JSON = true
				case "--quiet":
					opts.Quiet = true
				case "--answer":
					opts.Answers = append(opts.Answers, value)
				case "--colour":
					opts.Colour = true
				}
			}
			r := play(t, string(archive.Files[0].Data), opts)
			outcome := fmt.Sprintf("%d\n", r.code)
			if r.err != nil {
				outcome += r.err.Error() + "\n"
			}
			got := &txtar.Archive{Comment: archive.Comment, Files: []txtar.File{
				archive.Files[0],
				{Name: "stdout", Data: []byte(strings.ReplaceAll(r.stdout, "\x1b", "␛"))},
				{Name: "stderr", Data: []byte(r.stderr)},
				{Name: "answers", Data: []byte(r.answers)},
				{Name: "exit", Data: []byte(outcome)},
			}}
			golden.File(t, path, string(txtar.Format(got)))
		})
	}
}

func TestATurnThatTakesTooLongIsCancelledAndHasFailed(t *testing.T) {
	r := play(t, "cancel\nstop cancelled", Options{Timeout: time.Millisecond})
	require.Equal(t, ExitError, r.code)
	require.EqualError(t, r.err, "the turn was cancelled: it took longer than 1ms")
}

// A slow client loses nothing and keeps the order.
func TestUpdatesArriveInOrder(t *testing.T) {
	const n = 5000
	var script, want strings.Builder
	for i := range n {
		fmt.Fprintf(&script, "update {\"sessionUpdate\":\"agent_message_chunk\",\"content\":{\"type\":\"text\",\"text\":\"%d \"}}\n", i)
		fmt.Fprintf(&want, "%d ", i)
	}
	script.WriteString("stop end_turn")
	r := play(t, script.String(), Options{})
	require.NoError(t, r.err)
	require.Equal(t, want.String()+"\n", r.stdout)
}

package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/agent/transport/child"
)

func TestMain(m *testing.M) {
	child.RunGuard()
	os.Exit(m.Run())
}

func TestPromptsAreRemembered(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	h, err := openPromptHistory()
	require.NoError(t, err)
	require.Empty(t, h.read())
	h.add("first")
	h.add("two\nlines")
	h.add(strings.Repeat("x", maxPromptsFile))
	require.Equal(t, []string{"first", "two\nlines"}, h.read())

	f, err := os.OpenFile(h.path, os.O_WRONLY|os.O_APPEND, 0o600)
	require.NoError(t, err)
	_, err = f.WriteString("not JSON\n[]\n\"\"\n")
	require.NoError(t, err)
	require.NoError(t, f.Close())
	require.Equal(t, []string{"first", "two\nlines"}, h.read())
}

func TestAFileWithManyPromptsIsShortened(t *testing.T) {
	h := promptHistory{filepath.Join(t.TempDir(), "prompts.jsonl")}
	for i := range 1000 {
		h.add(fmt.Sprintf("%d %s", i, strings.Repeat("x", 1500)))
	}
	prompts := h.read()
	require.Len(t, prompts, maxPrompts)
	require.True(t, strings.HasPrefix(prompts[maxPrompts-1], "999 "))
	info, err := os.Stat(h.path)
	require.NoError(t, err)
	require.Less(t, info.Size(), int64(maxPromptsFile))
	require.Equal(t, prompts, h.read())
}

func TestAUsersCommandRunsInTheFolder(t *testing.T) {
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "tea.txt"), []byte("green"), 0o600))
	run := runInFolder(folder)
	output, code, err := run(t.Context(), "cat tea.txt && echo no >&2 && exit 3")
	require.NoError(t, err)
	require.Equal(t, "greenno\n", output)
	require.Equal(t, 3, code)

	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err = run(cancelled, "sleep 600")
	require.Error(t, err)
}

func TestAChatSaysHowToContinue(t *testing.T) {
	for args, want := range map[string]string{
		"":                                     "turnwire chat --continue",
		"--agent claude --resume x":            "turnwire chat --agent claude --continue",
		"--server --plain hello":               "turnwire chat --plain --server --continue",
		"--server=/tmp/s":                      "turnwire chat --server=/tmp/s --continue",
		"hello -- python3 agent.py --be=quiet": "turnwire chat --continue -- python3 agent.py --be=quiet",
	} {
		var got string
		cmd := newChat(new(logOptions))
		cmd.Args = nil
		cmd.RunE = func(cmd *cobra.Command, _ []string) error {
			got = continuation(cmd)
			return nil
		}
		cmd.SetArgs(strings.Fields(args))
		require.NoError(t, cmd.ExecuteContext(t.Context()))
		require.Equal(t, want, got, args)
	}
}

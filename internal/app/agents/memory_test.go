package agents_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/transport/process"
	"github.com/turnwire/turnwire/internal/app/agents"
)

// cache makes a user's cache for a test, and returns the path of the memory.
func cache(t *testing.T) string {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Setenv("HOME", t.TempDir())
		t.Setenv("LocalAppData", t.TempDir())
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	dir, err := os.UserCacheDir()
	require.NoError(t, err)
	return filepath.Join(dir, "turnwire", "agents.json")
}

func TestWhatACommandHasSaidIsRemembered(t *testing.T) {
	path := cache(t)
	script := filepath.Join(t.TempDir(), "agent.py")
	require.NoError(t, os.WriteFile(script, []byte("one"), 0o600))
	args := []string{"python3", script, "--key", "s3cret"}
	require.Nil(t, agents.Remembering(args).Recall())

	said := process.Introduction{Said: true, Name: "Tea", Version: "1", Resume: true, Takes: agent.Takes{
		PromptTakes: agent.PromptTakes{Image: true}, MCP: &agent.MCPTakes{SSE: true}, System: &agent.SystemPromptTakes{Replace: true},
	}}
	agents.Remembering(args).Remember(said)
	require.Equal(t, &said, agents.Remembering(args).Recall())
	require.Nil(t, agents.Remembering(args[:3]).Recall())
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NotContains(t, string(text), "s3cret")
	require.NotContains(t, string(text), "agent.py")

	for _, silent := range []process.Introduction{{Brief: true}, {}} {
		agents.Remembering(args).Remember(silent)
		require.Equal(t, &silent, agents.Remembering(args).Recall())
	}

	require.NoError(t, os.WriteFile(script, []byte("another"), 0o600))
	require.Nil(t, agents.Remembering(args).Recall(), "a program that has changed may say something else")
}

func TestAMemoryThatCannotBeReadIsNone(t *testing.T) {
	path := cache(t)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	for _, text := range []string{"", "{", "null", "[]", `{"x":7}`, strings.Repeat(" ", 2<<20)} {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		m := agents.Remembering([]string{"x"})
		require.Nil(t, m.Recall())
		m.Remember(process.Introduction{Said: true})
		require.True(t, m.Recall().Said)
	}
}

func TestTheMemoryIsBoundedAndWrittenByMany(t *testing.T) {
	path := cache(t)
	var all sync.WaitGroup
	for i := range 300 {
		all.Go(func() { agents.Remembering([]string{strconv.Itoa(i)}).Remember(process.Introduction{Said: true}) })
	}
	all.Wait()
	for i := range 300 {
		agents.Remembering([]string{strconv.Itoa(i)}).Remember(process.Introduction{Said: true})
	}
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, 256, strings.Count(string(text), `"seen"`))
	require.NotNil(t, agents.Remembering([]string{"299"}).Recall())
	files, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	require.Len(t, files, 1, "nothing else is left there")
}

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
	"github.com/turnwire/turnwire/internal/agent/transport/process"
	"github.com/turnwire/turnwire/internal/app/agents"
)

// cache creates a user cache for a test, and returns the folder of the memory files.
func cache(t *testing.T) (folder string) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Setenv("HOME", t.TempDir())
		t.Setenv("LocalAppData", t.TempDir())
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	dir, err := os.UserCacheDir()
	require.NoError(t, err)
	return filepath.Join(dir, "turnwire", "agents")
}

func TestACommandsIntroductionIsRemembered(t *testing.T) {
	folder := cache(t)
	script := filepath.Join(t.TempDir(), "agent.py")
	require.NoError(t, os.WriteFile(script, []byte("one"), 0o600))
	args := []string{"python3", script, "--key", "s3cret"}
	require.Nil(t, agents.Remembering(args).Recall())

	introduction := process.Introduction{Known: true, Name: "Tea", Version: "1", Resume: true, Takes: agent.Takes{
		PromptTakes: agent.PromptTakes{Image: true}, MCP: &agent.MCPTakes{SSE: true}, System: &agent.SystemPromptTakes{Replace: true}, Steer: &agent.PromptTakes{Image: true},
	}}
	agents.Remembering(args).Remember(introduction)
	require.Equal(t, &introduction, agents.Remembering(args).Recall())
	require.Nil(t, agents.Remembering(args[:3]).Recall())
	files, err := os.ReadDir(folder)
	require.NoError(t, err)
	require.Len(t, files, 1)
	text, err := os.ReadFile(filepath.Join(folder, files[0].Name()))
	require.NoError(t, err)
	for _, secret := range []string{"s3cret", "agent.py"} {
		require.NotContains(t, string(text), secret)
		require.NotContains(t, files[0].Name(), secret)
	}

	for _, silent := range []process.Introduction{{Brief: true}, {}} {
		agents.Remembering(args).Remember(silent)
		require.Equal(t, &silent, agents.Remembering(args).Recall())
	}

	require.NoError(t, os.WriteFile(script, []byte("another"), 0o600))
	require.Nil(t, agents.Remembering(args).Recall(), "a program that has changed may say something else")
}

func TestUnreadableMemoriesAreIgnored(t *testing.T) {
	folder := cache(t)
	agents.Remembering([]string{"x"}).Remember(process.Introduction{Known: true})
	files, err := os.ReadDir(folder)
	require.NoError(t, err)
	require.Len(t, files, 1)
	for _, text := range []string{"", "{", "null", "[]", `{"said":7}`, strings.Repeat(" ", 2<<20)} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, files[0].Name()), []byte(text), 0o600))
		require.Nil(t, agents.Remembering([]string{"x"}).Recall())
		agents.Remembering([]string{"x"}).Remember(process.Introduction{Known: true})
		require.True(t, agents.Remembering([]string{"x"}).Recall().Known)
	}
}

func TestTheMemoryIsBoundedAndWrittenConcurrently(t *testing.T) {
	folder := cache(t)
	var all sync.WaitGroup
	for i := range 300 {
		all.Go(func() { agents.Remembering([]string{strconv.Itoa(i)}).Remember(process.Introduction{Known: true}) })
	}
	all.Wait()
	for i := range 300 {
		agents.Remembering([]string{strconv.Itoa(i)}).Remember(process.Introduction{Known: true})
	}
	require.NotNil(t, agents.Remembering([]string{"299"}).Recall())
	files, err := os.ReadDir(folder)
	require.NoError(t, err)
	require.Len(t, files, 256, "the oldest are forgotten, and nothing else is left there")
}

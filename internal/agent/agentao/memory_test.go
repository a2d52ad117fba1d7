//go:build unix && external

package agentao_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
)

// goesOn returns the memory of a session whose last state was key.
func goesOn(key string) agent.Memory { return agent.Memory{Prompted: true, State: agent.Raw(key)} }

// saved returns the project's conversations by their keys in JSON.
func (c *conversation) saved() map[string][]string {
	c.T.Helper()
	files, err := filepath.Glob(filepath.Join(c.dir, ".agentao", "sessions", "*.json"))
	require.NoError(c.T, err)
	all := map[string][]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(c.T, err)
		var record struct {
			Key      json.RawMessage `json:"session_id"`
			Messages []struct{ Content string }
		}
		require.NoError(c.T, json.Unmarshal(text, &record))
		for _, m := range record.Messages {
			all[string(record.Key)] = append(all[string(record.Key)], m.Content)
		}
	}
	return all
}

// awaitSaved waits until a message is saved. The host may be replacing the files.
func (c *conversation) awaitSaved(message string) {
	c.T.Helper()
	quoted, err := json.Marshal(message)
	require.NoError(c.T, err)
	late := time.After(patience)
	for {
		files, err := filepath.Glob(filepath.Join(c.dir, ".agentao", "sessions", "*.json"))
		require.NoError(c.T, err)
		for _, file := range files {
			if text, err := os.ReadFile(file); err == nil && bytes.Contains(text, quoted) {
				return
			}
		}
		select {
		case <-late:
			require.FailNow(c.T, "not saved: "+message)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

func TestSavedConversationsContinueInAnotherProcess(t *testing.T) {
	c := open(t, standIn())
	c.turn("say a")
	c.turn("say b")
	c.End()
	require.NotEmpty(t, c.key())
	require.Equal(t, map[string][]string{c.key(): {"say a", "say b"}}, c.saved(), "one file for one conversation")

	next := openIn(t, standIn(), c.dir, goesOn(c.key()))
	require.Equal(t, []string{"3 messages, skills ['gardening'], anchored False, one key True", "done "}, next.turn("resumed"))
	next.turn("boom")
	next.End()
	require.Equal(t, c.key(), next.key())
	require.Equal(t, map[string][]string{c.key(): {"say a", "say b", "resumed", "boom"}}, next.saved(), "also after a turn that failed")
}

func TestAMissingConversationIsReported(t *testing.T) {
	for name, key := range map[string]string{"another one": `"nobody"`, "the beginning of one": `"s"`, "no key": `null`, "nonsense": `{"a":1}`} {
		t.Run(name, func(t *testing.T) {
			c := open(t, standIn())
			sessions := filepath.Join(c.dir, ".agentao", "sessions")
			require.NoError(t, os.MkdirAll(sessions, 0o700))
			require.NoError(t, os.WriteFile(filepath.Join(sessions, "000001.json"), []byte(`{"session_id":"somebody","messages":[{"role":"user","content":"x"}]}`), 0o600))
			next := openIn(t, standIn(), c.dir, goesOn(key))
			events := next.turn("history")
			require.Contains(t, events[0], "notice Agentao no longer has this conversation")
			require.Equal(t, []string{"user:history", "done "}, events[1:])
			next.End()
			require.Equal(t, []string{"history"}, next.saved()[next.key()])
			require.Contains(t, next.saved(), `"somebody"`)
		})
	}
}

func TestAClearedConversationStaysOnDiskButEnds(t *testing.T) {
	c := open(t, standIn())
	c.turn("say a")
	before := c.key()
	c.turn("/clear")
	c.turn("say b")
	c.End()
	require.NotEqual(t, before, c.key())
	require.Equal(t, map[string][]string{before: {"say a"}, c.key(): {"say b"}}, c.saved())
}

func TestAConversationThatCannotBeSavedGoesOn(t *testing.T) {
	c := open(t, standIn())
	require.NoError(t, os.WriteFile(filepath.Join(c.dir, ".agentao"), nil, 0o600))
	c.turn("say a")
	require.Equal(t, []string{"user:say a user:history", "done "}, c.turn("history"))
}

func TestAfterAHungTurnTheConversationIsSaved(t *testing.T) {
	config := standIn()
	config.Patience = time.Second
	c := open(t, config)
	c.turn("say before")
	c.awaitSaved("say before")
	c.deaf()
	c.prompt("say after")
	c.until("done")
	require.NoError(t, os.WriteFile(filepath.Join(c.dir, "over"), nil, 0o600))
	c.End()
	require.Len(t, c.saved(), 1)
	require.Contains(t, c.saved()[c.key()], "say after")
}

//go:build unix && external

package agentao_test

import (
	"encoding/base64"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
)

func (c *conversation) choose(option, value string) {
	c.T.Helper()
	require.NoError(c.T, c.Configure(agent.SetOption{OptionID: option, Value: agent.Chosen(value)}))
}

func TestModesAndModelsCanBeChosen(t *testing.T) {
	c := open(t, standIn())
	require.Equal(t, []string{"workspace-write small", "done "}, c.turn("settings"))
	c.choose("mode", "read-only")
	c.choose("model", "large")
	require.Equal(t, []string{"read-only large", "done "}, c.turn("settings"))
	require.Subset(t, c.set, []string{"mode workspace-write of 4", "model small of 0", "mode read-only of 0", "model large of 0"})
}

func TestAModeIsSetAtOnceAndAModelBetweenTurns(t *testing.T) {
	c := open(t, standIn())
	c.prompt("wait")
	c.until("waiting")
	c.choose("mode", "plan")
	c.choose("model", "large")
	require.Equal(t, []string{"refused model Agentao can only change its model between turns"}, c.until("refused"))
	require.Contains(t, c.set, "mode plan of 0")
	c.Stop()
	c.until("done")
}

func TestOptionsThatAgentaoDoesNotOfferAreRefused(t *testing.T) {
	c := open(t, standIn())
	c.turn("say hi")
	for option, want := range map[string]string{
		"mode":  "refused mode 'none' is not a valid PermissionMode",
		"other": "refused other Agentao has no such option",
	} {
		c.choose(option, "none")
		require.Equal(t, []string{want}, c.until("refused"))
	}
}

func TestTheProvidersModelsAreOffered(t *testing.T) {
	c := open(t, standIn())
	c.turn("say hi")
	for len(c.set) == 0 || c.set[len(c.set)-1] != "model small of 2" {
		c.turn("say on")
	}
}

// Before the first prompt, the editor knows the options, and Agentao knows
// which servers to use.
func TestAgentaoStartsWithItsSession(t *testing.T) {
	server := agent.Raw(`{"type":"http","name":"docs","url":"http://127.0.0.1:1/mcp","headers":[]}`)
	c := &conversation{dir: t.TempDir()}
	c.open(t, standIn(), agent.Options{SessionID: "s1", Cwd: t.TempDir(), MCPServers: []agent.Raw{server}})
	c.Until(func(agent.Event) bool { return len(c.set) >= 2 })
	require.Equal(t, []string{"mode workspace-write of 4", "model small of 0"}, c.set[:2])
	require.Equal(t, []string{`{"docs": {"url": "http://127.0.0.1:1/mcp", "type": "http"}}`, "done "}, c.turn("servers"))
}

func TestClearForgetsTheConversation(t *testing.T) {
	c := open(t, standIn())
	c.turn("say hi")
	require.Equal(t, []string{"The conversation is forgotten.", "done "}, c.turn(" /clear\n"))
	require.Equal(t, []string{"user:history", "done "}, c.turn("history"))
}

func TestImagesAreHandedOn(t *testing.T) {
	c := open(t, standIn())
	data := base64.StdEncoding.EncodeToString([]byte("\x89PNG\r\n\x1a\n..."))
	blocks := []agent.Content{{Type: "text", Text: "look"}, {Type: "image", Data: data, MIMEType: "image/jpeg"}}
	require.NoError(t, c.Prompt(agent.Prompt{TurnID: "t1", Text: "look", Blocks: blocks}))
	require.Equal(t, []string{"[('image/png', 16)]", "done "}, c.until("done"))
	require.Equal(t, []string{"[]", "done "}, c.turn("look"), "and not another time")
}

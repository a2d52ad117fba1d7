package acp_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/acp"
)

func TestTurnsOfOneChild(t *testing.T) {
	c := open(t, "conformant")
	for i := range 3 {
		c.prompt(fmt.Sprint("say tea ", i))
		require.Equal(t, []string{fmt.Sprint("tea ", i), "done end_turn"}, c.UntilEnd())
	}
}

func TestTheAgentIsToldWhatItMayKnow(t *testing.T) {
	for kind, want := range map[string][]string{
		"conformant": {
			`"protocolVersion":1`, `"clientInfo":{"name":"turnwire"`, `"elicitation":{"form":{},"url":{}}`,
			`"mcpServers":[{"name":"local","command":"x","args":[],"env":[]}]`,
			`"prompt":[{"type":"text","text":"told"},{"type":"resource_link","uri":"file:///a","name":"file:///a"},{"type":"text","text":"file:///a:\nleaf"}]`,
		},
		"able": {
			`"additionalDirectories":["/more"]`, `{"type":"http","name":"far","url":"http://x","headers":[]}`,
			`{"type":"resource","resource":{"uri":"file:///a","text":"leaf"}}`,
		},
	} {
		t.Run(kind, func(t *testing.T) {
			c := openWith(t, acp.New(standing(kind)), agent.Options{
				Roots: []string{"/more"},
				MCPServers: []agent.Raw{
					agent.Raw(`{"name":"local","command":"x","args":[],"env":[]}`),
					agent.Raw(`{"type":"http","name":"far","url":"http://x","headers":[]}`),
				},
			})
			leaf := "leaf"
			c.promptWith(agent.Content{Type: "text", Text: "told"},
				agent.Content{Type: "resource", Resource: &agent.Resource{URI: "file:///a", Text: &leaf}})
			told := strings.Join(c.UntilEnd(), "\n")
			for _, part := range want {
				require.Contains(t, told, part)
			}
			require.NotContains(t, told, "terminal")
			require.NotContains(t, told, `"fs":{"readTextFile"`, "the editor has offered no files")
		})
	}
}

func TestAPictureIsRefusedWhereTheAgentTakesNone(t *testing.T) {
	picture := agent.Content{Type: "image", Data: "aGk=", MIMEType: "image/png"}
	c := open(t, "conformant")
	c.promptWith(agent.Content{Type: "text", Text: "say x"}, picture)
	require.Equal(t, []string{"error unsupported_content teapot takes no image in prompts; send the prompt without it"}, c.UntilEnd())
	c.prompt("say next")
	require.Equal(t, []string{"next", "done end_turn"}, c.UntilEnd())

	c = open(t, "able")
	c.promptWith(agent.Content{Type: "text", Text: "say x"}, picture)
	require.Equal(t, []string{"x", "done end_turn"}, c.UntilEnd())
}

func TestWhatIsSaidBetweenTurnsAboutTheSessionIsTold(t *testing.T) {
	dropped := make(logged, 1)
	c := openWith(t, acp.New(standing("conformant")), agent.Options{Log: slog.New(dropped)})
	c.prompt("late")
	require.Equal(t, []string{"done end_turn"}, c.UntilEnd())
	<-dropped // the text, which comes after the title
	c.prompt("say on")
	require.Equal(t, []string{"title Tea", "on", "done end_turn"}, c.UntilEnd())
}

// logged hears of what is dropped between turns.
type logged chan struct{}

func (logged) Enabled(context.Context, slog.Level) bool { return true }
func (l logged) WithAttrs([]slog.Attr) slog.Handler     { return l }
func (l logged) WithGroup(string) slog.Handler          { return l }

func (l logged) Handle(_ context.Context, r slog.Record) error {
	if strings.HasPrefix(r.Message, "dropped what an agent said") {
		l <- struct{}{}
	}
	return nil
}

func TestNoiseOnStdoutIsNoEvent(t *testing.T) {
	c := open(t, "noisy")
	c.prompt("noise")
	require.Equal(t, []string{"a", "hint", "b", "done end_turn"}, c.UntilEnd())
}

func TestAFloodComesWholeAndInOrder(t *testing.T) {
	const n = 20000
	c := open(t, "conformant")
	c.prompt(fmt.Sprint("flood ", n))
	got := c.UntilEnd()
	require.Len(t, got, n+1)
	for i, text := range got[:n] {
		require.Equal(t, fmt.Sprint(i, " "), text)
	}
}

func TestAFailedPromptDoesNotEndTheSession(t *testing.T) {
	c := open(t, "conformant")
	for failure, want := range map[string]string{
		`{"code":-32603,"message":"Internal error","data":{"details":"no tea left"}}`: "error agent_failed no tea left",
		`{"code":-32000,"message":"Authentication required"}`:                         "error auth_required teapot needs a login (Authentication required). It does not say how; its own documentation does. Then send the prompt again.",
		`{"code":-32001,"message":"Unknown session"}`:                                 "error agent_failed Unknown session",
	} {
		c.prompt("fail " + failure)
		require.Equal(t, []string{want}, c.UntilEnd())
	}
	c.prompt("say next")
	require.Equal(t, []string{"next", "done end_turn"}, c.UntilEnd())
}

func TestAgentsThatDoNotStart(t *testing.T) {
	for kind, want := range map[string][]string{
		"dies":   {"error agent_exited ", " exited (exit status 4); the end of its stderr: no kettle found"},
		"newer":  {"error agent_protocol ", " speaks version 2 of the Agent Client Protocol, and Turnwire version 1"},
		"login":  {"error auth_required teapot needs a login (Authentication required). Set up: run `", " setup --check` in a terminal. API key: Set TEA_KEY. "},
		"silent": {"error agent_start_timeout ", " has not answered initialize within 50ms"}, // it never does
	} {
		t.Run(kind, func(t *testing.T) {
			config := standing(kind)
			if kind == "silent" {
				config.StartTimeout = 50 * time.Millisecond
			}
			c := openWith(t, acp.New(config), agent.Options{})
			for range 2 { // the next prompt starts it anew
				c.prompt("say x")
				got := strings.Join(c.UntilEnd(), "\n")
				for _, part := range want {
					require.Contains(t, got, part)
				}
				require.NotContains(t, got, "notice", "nothing was said that could be forgotten")
			}
		})
	}
	c := openWith(t, acp.New(acp.Config{Args: []string{"/nonexistent/teapot", "secret"}}), agent.Options{Log: slog.New(slog.DiscardHandler)})
	c.prompt("say x")
	got := strings.Join(c.UntilEnd(), "\n")
	require.Contains(t, got, "error agent_start_failed start /nonexistent/teapot: ")
	require.NotContains(t, got, "secret")
}

func TestAnAgentThatExitsIsStartedAgain(t *testing.T) {
	c := open(t, "conformant")
	c.prompt("exit 3")
	got := c.UntilEnd()
	require.Len(t, got, 2)
	require.Equal(t, "going", got[0])
	require.Contains(t, got[1], "error agent_exited the agent `")
	require.Contains(t, got[1], "exited (exit status 3); the end of its stderr: the kettle burst")
	c.prompt("say again")
	require.Equal(t, []string{"notice The agent was started anew: it does not know what was said before.", "again", "done end_turn"}, c.UntilEnd())
}

func TestASessionThatIsNeverPromptedSaysNothingOfAnAgentThatDoesNotStart(t *testing.T) {
	for _, config := range []acp.Config{{Args: []string{"/nonexistent/teapot"}}, standing("dies"), standing("login")} {
		c := openWith(t, acp.New(config), agent.Options{})
		require.NoError(t, c.Close(t.Context()))
		for range c.Events() {
			require.Fail(t, "something was said")
		}
	}
}

func TestWhoTheAgentIs(t *testing.T) {
	require.Equal(t, agent.Info{Name: "teapot", Title: "teapot", Image: true, Audio: true, MCP: &agent.MCPTakes{HTTP: true, SSE: true}}, acp.New(acp.Config{Args: []string{"/usr/bin/teapot"}}).Info())
	require.Equal(t, "glue", acp.NewGlue(acp.Config{}).Info().Name)
}

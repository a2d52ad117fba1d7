package claude_test

import (
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/claude"
	"github.com/turnwire/turnwire/internal/agent/transport/process"
)

func bubble(t *testing.T, run func(t *testing.T)) { synctest.Test(t, run) }

func TestATurn(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c := open(t, agent.Options{})
		c.prompt("say <b>hello</b>")
		require.Equal(t, []string{"agent_info", `state "own-1"`, "model default", "mode default", "<b>hello</b>", "done "}, c.until("done"))
		require.Contains(t, c.read("<b>")[0], `"text":"say <b>hello</b>"`)
		c.prompt("say again")
		require.Equal(t, []string{"model default", "mode default", "again", "done "}, c.until("done"), "the state is the same")
		require.Len(t, c.args, 1)
	})
}

func TestImagesFollowTheText(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c := open(t, agent.Options{})
		c.Send(agent.Prompt{SessionID: "s1", TurnID: "t", Text: "say x", Blocks: []agent.Content{
			{Type: "text", Text: "say x"}, {Type: "image", MIMEType: "image/png", Data: "aGk="},
		}})
		c.until("done")
		require.JSONEq(t, `{"type":"user","parent_tool_use_id":null,"session_id":"","message":{"role":"user","content":[{"type":"text","text":"say x"},`+
			`{"type":"image","source":{"type":"base64","media_type":"image/png","data":"aGk="}}]}}`, c.read(`"user"`)[0])
	})
}

func TestFlagsAreAddedUnlessPresent(t *testing.T) {
	added := "--print --verbose --include-partial-messages --input-format stream-json --output-format stream-json " +
		"--permission-prompt-tool stdio --disallowedTools AskUserQuestion"
	for name, c := range map[string]struct {
		as   func(process.Config) agent.Agent
		args string
		want string
	}{
		"the default":         {claude.New, "", "claude " + added},
		"own flags":           {claude.New, "cl --verbose --disallowedTools=Bash", "cl --verbose --disallowedTools=Bash " + strings.Replace(strings.TrimSuffix(added, " --disallowedTools AskUserQuestion"), "--verbose ", "", 1)},
		"any command":         {claude.NewAny, "cat log", "cat log"},
		"Claude Code as such": {claude.NewAny, "c --output-format stream-json", "c --output-format stream-json " + strings.Replace(added, "--output-format stream-json ", "", 1)},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				s := openAs(t, c.as, process.Config{Args: strings.Fields(c.args)}, agent.Options{})
				s.prompt("say x")
				s.until("done")
				require.Equal(t, c.want, strings.Join(s.args[0], " "))
			})
		})
	}
}

func TestTheSessionIsDescribedOnStdin(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c := open(t, agent.Options{
			Roots: []string{"/more"}, System: &agent.SystemPrompt{Mode: "append", Text: "Be brief."},
			MCPServers: []agent.Raw{
				agent.Raw(`{"name":"files","command":"/bin/files","args":["-v"],"env":[{"name":"KEY","value":"secret"}]}`),
				agent.Raw(`{"type":"http","name":"web","url":"https://example.com/mcp","headers":[{"name":"Authorization","value":"secret"}]}`),
				agent.Raw(`{"name":7}`),
			},
		})
		c.prompt("say x")
		c.until("done")
		args := strings.Join(c.args[0], " ")
		require.Contains(t, args, "--add-dir /more")
		require.NotContains(t, args, "secret")
		require.JSONEq(t, `{"type":"control_request","request_id":"initialize","request":{"subtype":"initialize","forwardSubagentText":true,"appendSystemPrompt":"Be brief."}}`, c.read("")[0])
		require.JSONEq(t, `{"type":"control_request","request_id":"mcp","request":{"subtype":"mcp_set_servers","servers":{
			"files":{"type":"stdio","command":"/bin/files","args":["-v"],"env":{"KEY":"secret"}},
			"web":{"type":"http","url":"https://example.com/mcp","headers":{"Authorization":"secret"}}}}}`, c.read("")[1])
	})
}

func TestASystemPromptCanReplaceTheAgentsOwn(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c := open(t, agent.Options{System: &agent.SystemPrompt{Mode: "override", Text: "Be a cat."}})
		c.prompt("say x")
		c.until("done")
		require.Contains(t, c.read("")[0], `"systemPrompt":["Be a cat."]`)
	})
}

func TestOptions(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c := open(t, agent.Options{})
		c.until("agent_info")
		require.NoError(t, c.Configure(agent.SetOption{OptionID: agent.OptionMode, Value: agent.Chosen("plan")}))
		require.Equal(t, []string{"mode plan"}, c.until("mode_changed"))
		require.NoError(t, c.Configure(agent.SetOption{OptionID: agent.OptionMode, Value: agent.Chosen("dontAsk")}))
		require.Equal(t, []string{"refused mode: not now"}, c.until("option_refused"))
		require.NoError(t, c.Configure(agent.SetOption{OptionID: agent.OptionModel, Value: agent.Chosen("small")}))
		require.Equal(t, []string{"model small"}, c.until("model_changed"))
	})
}

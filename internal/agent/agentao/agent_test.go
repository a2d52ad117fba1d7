//go:build unix && external

package agentao_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/agentao"
)

func TestAgentIsNamed(t *testing.T) {
	require.Equal(t, agent.Info{Name: "agentao", Title: "Agentao", Image: true, MCP: &agent.MCPTakes{HTTP: true, SSE: true}, Resume: true, Local: true}, agentao.New(agentao.Config{}).Info())
}

func TestTurnsAreOneConversationInTheSessionsDirectory(t *testing.T) {
	c := open(t, standIn())
	require.Equal(t, []string{"hello in turn 1", "done "}, c.turn("say hello"))
	require.Equal(t, []string{"again in turn 2", "done "}, c.turn("say again"))
	require.Equal(t, []string{c.dir, "done "}, c.turn("where"))
}

func TestToolRunsOnlyWhenItWasAllowed(t *testing.T) {
	for decision, allowed := range map[agent.Decision]bool{
		agent.AllowOnce: true, agent.AllowAlways: true,
		agent.RejectOnce: false, agent.RejectAlways: false, agent.NotDecided: false, "": false, "allow": false, "ALLOW_ONCE": false,
	} {
		t.Run(string(decision), func(t *testing.T) {
			c := open(t, standIn())
			c.prompt("tool make clean")
			require.Equal(t, []string{`confirm confirm-1 run_shell_command {"command": "make clean"}`}, c.until("confirm"))
			c.Confirm(agent.ConfirmationResponse{ToolCallID: "confirm-1", Decision: decision})
			end := "end confirm-1 refused"
			if allowed {
				end = "end confirm-1 ok ran"
			}
			require.Equal(t, []string{"start confirm-1 run_shell_command", end, "after the tool", "done "}, c.until("done"))
		})
	}
}

func TestOnlyTheCallsFirstConfirmationCounts(t *testing.T) {
	c := open(t, standIn())
	c.prompt("tool make clean")
	c.until("confirm")
	c.Confirm(agent.ConfirmationResponse{ToolCallID: "confirm-2", Decision: agent.AllowOnce})
	c.Answer(agent.QuestionResponse{QuestionID: "confirm-1", Answer: "allow_once"})
	c.Confirm(agent.ConfirmationResponse{ToolCallID: "confirm-1", Decision: agent.RejectOnce})
	c.Confirm(agent.ConfirmationResponse{ToolCallID: "confirm-1", Decision: agent.AllowOnce})
	require.Equal(t, []string{"start confirm-1 run_shell_command", "end confirm-1 refused", "after the tool", "done "}, c.until("done"))
}

func TestAllowAlwaysCoversOnlyTheSameToolAndArguments(t *testing.T) {
	c := open(t, standIn())
	c.prompt("tool make clean")
	c.until("confirm")
	c.Confirm(agent.ConfirmationResponse{ToolCallID: "confirm-1", Decision: agent.AllowAlways})
	c.until("done")
	require.Equal(t, []string{"start call_2 run_shell_command", "end call_2 ok ran", "after the tool", "done "}, c.turn("tool make clean"))
	c.prompt("tool make cleaner")
	require.Equal(t, []string{`confirm confirm-2 run_shell_command {"command": "make cleaner"}`}, c.until("confirm"))
	c.Confirm(agent.ConfirmationResponse{ToolCallID: "confirm-2", Decision: agent.AllowOnce})
	c.until("done")
	c.prompt("tool make cleaner")
	require.Equal(t, []string{`confirm confirm-3 run_shell_command {"command": "make cleaner"}`}, c.until("confirm"), "once is once")
	c.Confirm(agent.ConfirmationResponse{ToolCallID: "confirm-3", Decision: agent.RejectOnce})
	c.until("done")
}

func TestTwoConfirmationsAtOnceAreToldApart(t *testing.T) {
	c := open(t, standIn())
	c.prompt("twins make")
	asked := append(c.until("confirm"), c.until("confirm")...)
	require.Len(t, asked, 2)
	for _, a := range asked {
		decision := agent.RejectOnce
		if strings.Contains(a, "make two") {
			decision = agent.AllowOnce
		}
		c.Confirm(agent.ConfirmationResponse{ToolCallID: strings.Fields(a)[1], Decision: decision})
	}
	rest := strings.Join(c.until("done"), "\n")
	require.Equal(t, 1, strings.Count(rest, " ok ran"), rest)
	require.Equal(t, 1, strings.Count(rest, " refused"), rest)
}

func TestArgumentsThatAreNotJSONAreShownAsFarAsPossible(t *testing.T) {
	c := open(t, standIn())
	c.prompt("odd")
	require.Equal(t, []string{`confirm confirm-1 odd {"n": null, "half": "\ufffd", "bytes": "b'x'"}`}, c.until("confirm"))
	c.Confirm(agent.ConfirmationResponse{ToolCallID: "confirm-1", Decision: agent.AllowAlways})
	require.Contains(t, c.until("done"), "end confirm-1 ok ran")
	c.prompt("odd")
	require.Len(t, c.until("confirm"), 1, "what cannot be compared is asked about again")
	c.Stop()
	c.until("done cancelled")
}

func TestEndlessArgumentsAreMarkedAndCanBeRefused(t *testing.T) {
	c := open(t, standIn())
	c.prompt("knot")
	require.Equal(t, []string{`confirm confirm-1 odd {"command": "make", "('a', 'b')": "(cannot be shown)", "self": "(cannot be shown)"}`}, c.until("confirm"))
	c.Confirm(agent.ConfirmationResponse{ToolCallID: "confirm-1", Decision: agent.RejectOnce})
	events := c.until("done")
	require.Equal(t, "done ", events[len(events)-1])
	require.NotContains(t, strings.Join(events, "\n"), "ok ran")
}

func TestQuestionsAreAnswered(t *testing.T) {
	for name, a := range map[string]struct {
		answer agent.QuestionResponse
		want   string
	}{
		"with a choice":      {agent.QuestionResponse{Answer: "green"}, "answer: green"},
		"with a text":        {agent.QuestionResponse{Answer: "neither, blue"}, "answer: neither, blue"},
		"not at all":         {agent.QuestionResponse{Cancelled: true}, "answer: (the user did not answer)"},
		"with an empty text": {agent.QuestionResponse{}, "answer: (the user did not answer)"},
	} {
		t.Run(name, func(t *testing.T) {
			c := open(t, standIn())
			c.prompt("ask Which colour?")
			require.Equal(t, []string{"question ask-1 Which colour? red|green"}, c.until("question"))
			a.answer.QuestionID = "ask-1"
			c.Answer(a.answer)
			require.Equal(t, []string{a.want, "done "}, c.until("done"))
		})
	}
}

func TestAChoiceOfAnyShapeCanBeChosen(t *testing.T) {
	for options, want := range map[string]string{
		`[{"label":"red"},{"label":"blue"}]`:                             "red|blue",
		`[{"value":1,"title":"red"},{"id":"b","name":"blue"},["green"]]`: `red|blue|["green"]`,
		`[{"other":true},{"label":" "}]`:                                 `{"other": true}|{"label": " "}`,
		`{"red":"warm","blue":{"cold":true}}`:                            "red|blue",
		`"red"`:                                                          "red",
		`7`:                                                              "7",
		`[true,1.5,null,""]`:                                             "true|1.5",
		`[[[["red"]]],"blue"]`:                                           `[[["red"]]]|blue`,
		`null`:                                                           "",
	} {
		c := open(t, standIn())
		c.prompt("ask_json " + options)
		require.Equal(t, []string{"question ask-1 Which? " + want}, c.until("question"), options)
		c.Answer(agent.QuestionResponse{QuestionID: "ask-1", Answer: "red"})
		require.Equal(t, []string{"answer: red", "done "}, c.until("done"))
	}
}

func TestACallThatNeedsAPersonIsAskedAboutEachTime(t *testing.T) {
	c := open(t, standIn())
	for range 2 {
		c.prompt("once")
		asked := c.until("confirm")
		require.Equal(t, "[allow_once reject_once] The skill is from a server.", c.offered, asked)
		c.Confirm(agent.ConfirmationResponse{ConfirmationID: strings.Fields(asked[len(asked)-1])[1], Decision: agent.AllowAlways})
		require.Contains(t, strings.Join(c.until("done"), "\n"), "ok ran")
	}
}

func TestTheUserDecidesWhetherToContinue(t *testing.T) {
	for answer, want := range map[string]string{
		"Go on":         "[('action', 'continue')]",
		"Stop":          "[('action', 'stop')]",
		"":              "[('action', 'stop')]",
		"use the cache": "[('action', 'new_instruction'), ('message', 'use the cache')]",
	} {
		t.Run(answer, func(t *testing.T) {
			c := open(t, standIn())
			c.prompt("max")
			require.Len(t, c.until("question max_iterations-1"), 1)
			c.Answer(agent.QuestionResponse{QuestionID: "max_iterations-1", Answer: answer})
			require.Equal(t, []string{want, "done "}, c.until("done"))
		})
	}
}

func TestModelRequestsAreNotPrinted(t *testing.T) {
	c := open(t, standIn())
	require.Equal(t, []string{`telemetry llm_call_delta {"attempt":1,"added_messages":1}`, "done "}, c.turn("messages"))
}

func TestStrayPrintsAreNotEvents(t *testing.T) {
	c := open(t, standIn())
	require.Equal(t, []string{"fine", "done "}, c.turn("print"))
	require.Equal(t, []string{"a child has read 0", "done "}, c.turn("stdin"), "and nobody else reads the commands")
	require.Equal(t, []string{"ok in turn 3", "done "}, c.turn("say ok"))
}

func TestProjectFilesCannotReplaceModules(t *testing.T) {
	c := open(t, standIn())
	for _, name := range []string{"json.py", "queue.py", "agentao.py"} {
		require.NoError(t, os.WriteFile(filepath.Join(c.dir, name), []byte("raise SystemExit('taken over')\n"), 0o600))
	}
	require.Equal(t, []string{"safe in turn 1", "done "}, c.turn("say safe"))
}

func TestMediaThatAgentaoDoesNotAcceptAreRefused(t *testing.T) {
	c := open(t, standIn())
	for data, want := range map[agent.Content]string{
		{Type: "audio", Data: "AA=="}: "does not accept audio. Send the prompt without it.",
		{Type: "image", Data: "AA=="}: "only accepts PNG, JPEG, GIF and WebP images. Send the prompt without this one.",
		{Type: "image", Data: "%"}:    "only accepts PNG, JPEG, GIF and WebP images. Send the prompt without this one.",
		{Type: "image"}:               "only accepts PNG, JPEG, GIF and WebP images. Send the prompt without this one.",
	} {
		require.NoError(t, c.Prompt(agent.Prompt{TurnID: "t1", Text: "say hi", Blocks: []agent.Content{{Type: "text", Text: "say hi"}, data}}))
		require.Equal(t, []string{"error unsupported_content Agentao " + want}, c.until("error"))
	}
	require.Equal(t, []string{"hi in turn 1", "done "}, c.turn("say hi"))
}

func TestMissingPythonIsAClearError(t *testing.T) {
	_, err := agentao.New(agentao.Config{Python: "no-such-python"}).Open(t.Context(), agent.Options{SessionID: "s1", Cwd: t.TempDir()})
	require.ErrorContains(t, err, "no-such-python")
	require.ErrorContains(t, err, "needs Python 3.10 or later: install it")
}

func TestMissingPackageIsAClearErrorUntilItIsThere(t *testing.T) {
	packages := t.TempDir()
	c := open(t, agentao.Config{Args: []string{"-S"}, Env: environment("PYTHONPATH="+packages, "OPENAI_API_KEY=key")})
	got := c.turn("say hi")
	require.Len(t, got, 1)
	require.Contains(t, got[0], "error agent_missing The Python package agentao is not installed for ")
	require.Contains(t, got[0], "-m pip install --upgrade agentao")

	require.NoError(t, os.CopyFS(packages, os.DirFS(filepath.Join("testdata", "python"))))
	require.Equal(t, []string{"hi in turn 1", "done "}, c.turn("say hi"), "the next prompt works")
}

func TestBrokenPackageIsAClearError(t *testing.T) {
	for content, want := range map[string]string{
		"":                     "too old or broken",
		"import no_such_thing": "Agentao cannot be loaded: No module named 'no_such_thing'",
	} {
		packages := t.TempDir()
		require.NoError(t, os.Mkdir(filepath.Join(packages, "agentao"), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(packages, "agentao", "__init__.py"), []byte(content), 0o600))
		got := open(t, agentao.Config{Args: []string{"-S"}, Env: environment("PYTHONPATH=" + packages)}).turn("say hi")
		require.Len(t, got, 1)
		require.Contains(t, got[0], want)
	}
}

func TestMissingKeyIsAClearError(t *testing.T) {
	config := standIn()
	config.Env = append(config.Env, "OPENAI_API_KEY=", "LLM_PROVIDER=deepseek")
	require.Equal(t, []string{"error agent_unconfigured Agentao needs a model and a key for it. Set DEEPSEEK_API_KEY, DEEPSEEK_BASE_URL, DEEPSEEK_MODEL in the environment or in a file .env of the project."},
		open(t, config).turn("say hi"))
}

func TestFailuresEndTheTurnOnceButNotTheConversation(t *testing.T) {
	c := open(t, standIn())
	for prompt, want := range map[string]string{
		"boom":  "error agent_failed the disk is full",
		"exit":  "done ",
		"crash": "error agent_failed Agentao failed: RuntimeError: no turn at all; [hidden]",
	} {
		require.Equal(t, []string{want}, c.turn(prompt), prompt)
	}
	require.Equal(t, []string{"said nothing before", "done "}, c.turn("silent"))
	require.Equal(t, []string{"on in turn 5", "done "}, c.turn("say on"))
}

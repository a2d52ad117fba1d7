package agent_test

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/rawjson"
)

func TestVariantsAreDistinctAndDescribed(t *testing.T) {
	seen := make(map[string]bool)
	for _, v := range agent.Variants() {
		e := v.New()
		name := e.Type()
		require.Regexp(t, `^[a-z]+(_[a-z]+)*$`, name)
		require.False(t, seen[name], "%s is listed twice", name)
		seen[name] = true
		require.NotEmpty(t, v.Doc, name)
		require.NotSame(t, e, v.New(), "each event of type %s is a new one", name)
		require.Equal(t, agent.Base{}, *e.Common(), name)
	}
}

func TestZeroEventsEncodeToTheirTypeAndRequiredMembers(t *testing.T) {
	for _, v := range agent.Variants() {
		e := v.New()
		line := agent.AppendJSON([]byte("kept "), e)
		require.Equal(t, "kept ", string(line[:5]))
		var members map[string]any
		require.NoError(t, json.Unmarshal(line[5:], &members), "%s", line)
		require.Equal(t, e.Type(), members["type"])
		require.NotContains(t, members, "turnId")
	}
}

func TestAppendJSONWritesTypeMembersAndExtraInThatOrder(t *testing.T) {
	percent := 12.5
	for want, e := range map[string]agent.Event{
		`{"type":"text_delta","text":"<&>\u2028 \ud83d\ude42"}`: &agent.TextDelta{Text: rawjson.Wrap(rawjson.String(`<&>\u2028 \ud83d\ude42`))},
		`{"type":"run_start"}`:          &agent.RunStart{},
		`{"type":"run_start","x":[1 ]}`: &agent.RunStart{Base: agent.Base{Extra: []byte(`"x":[1 ]`)}},
		`{"type":"tool_progress","toolCallId":"a","message":"<b>","percent":12.5,"turnId":"t","seq":1,"seq":2}`: &agent.ToolProgress{
			ToolCallID: "a", Message: "<b>", Percent: &percent, Base: agent.Base{TurnID: "t", Extra: []byte(`"seq":1,"seq":2`)},
		},
		`{"type":"tool_start","toolCallId":"","toolName":"","args":{"b":12345678901234567890,"a":1}}`: &agent.ToolStart{
			Args: agent.Raw(`{"b":12345678901234567890,"a":1}`),
		},
		`{"type":"tool_end","toolCallId":"a","ok":false,"exitCode":0}`: &agent.ToolEnd{ToolCallID: "a", ExitCode: new(int)},
		`{ "x":1, "type":"new"}`: &agent.Unknown{Name: "new", Raw: agent.Raw(`{ "x":1, "type":"new"}`)},
	} {
		require.Equal(t, want, string(agent.AppendJSON(nil, e)))
	}
}

func FuzzAppendJSONIsOneStrictLine(f *testing.F) {
	f.Add("plain", "id")
	f.Add("\"\\\n\r\t\x00\x7f", "\u2028")
	f.Add("\xff\xed\xa0\x80", "<>&")
	f.Fuzz(func(t *testing.T, text, id string) {
		for _, e := range []agent.Event{
			&agent.TextDelta{Text: agent.NewText(text), MessageID: id},
			&agent.Notice{Message: text, Severity: id},
			&agent.Error{Error: text, Code: id},
			&agent.ToolEnd{ToolCallID: id, Error: text, Result: agent.NewText(text)},
		} {
			line := agent.AppendJSON(nil, e)
			require.True(t, json.Valid(line), "%q", line)
			require.True(t, utf8.Valid(line), "%q", line)
			require.NotContains(t, string(line), "\n")
			require.NotContains(t, string(line), "\r")
		}
	})
}

func TestCommandsAreStrictLines(t *testing.T) {
	require.Equal(t,
		`{"type":"prompt","sessionId":"s","turnId":"t","cwd":"/w","text":"a < b\n","prompt":[{"type":"text","text":"a < b\n"}]}`,
		string(agent.AppendCommand(nil, agent.Prompt{
			Type: agent.CommandPrompt, SessionID: "s", TurnID: "t", Cwd: "/w", Text: "a < b\n",
			Blocks: []agent.Content{{Type: "text", Text: "a < b\n"}},
		})))
	require.Equal(t, `x{"type":"cancel","sessionId":"s","turnId":"t"}`,
		string(agent.AppendCommand([]byte("x"), agent.Cancel{Type: agent.CommandCancel, SessionID: "s", TurnID: "t"})))
	require.Equal(t,
		`{"type":"tool_confirmation_response","sessionId":"s","turnId":"t","toolCallId":"c","decision":"cancelled"}`,
		string(agent.AppendCommand(nil, agent.ConfirmationResponse{
			Type: agent.CommandConfirmation, SessionID: "s", TurnID: "t", ToolCallID: "c", Decision: agent.NotDecided,
		})))
	require.Equal(t,
		`{"type":"question_response","sessionId":"s","turnId":"t","questionId":"q","answer":"a, b","answers":["a","b"]}`,
		string(agent.AppendCommand(nil, agent.QuestionResponse{
			Type: agent.CommandQuestion, SessionID: "s", TurnID: "t", QuestionID: "q", Answer: "a, b", Answers: []string{"a", "b"},
		})))
	for value, option := range map[string]agent.Value{`"a<b"`: agent.Chosen("a<b"), `true`: agent.Switched(true), `false`: agent.Switched(false)} {
		require.Equal(t,
			`{"type":"set_option","sessionId":"s","optionId":"mode","value":`+value+`}`,
			string(agent.AppendCommand(nil, agent.SetOption{Type: agent.CommandSetOption, SessionID: "s", OptionID: "mode", Value: option})))
	}
	require.Equal(t,
		`{"type":"session","sessionId":"s","cwd":"/w","roots":[],"mcpServers":[{"name":"m"}],"editor":{"readFile":true,"writeFile":false,"terminal":false,"forms":false,"pages":false},"resume":true}`,
		string(agent.AppendCommand(nil, agent.SessionCommand{
			Type: agent.CommandSession, SessionID: "s", Cwd: "/w", Roots: []string{}, MCPServers: []agent.Raw{agent.Raw(`{"name":"m"}`)},
			Editor: agent.Editor{ReadFile: true}, Resume: true,
		})))
	require.Equal(t,
		`{"type":"tool_response","sessionId":"s","turnId":"t","toolCallId":"c","ok":true,"text":"<a>"}`,
		string(agent.AppendCommand(nil, agent.ToolResponse{Type: agent.CommandTool, SessionID: "s", TurnID: "t", ToolCallID: "c", OK: true, Text: "<a>"})))
	require.Equal(t,
		`{"type":"steer","sessionId":"s","turnId":"t","steerId":"steer-1","text":"<a>","prompt":[{"type":"text","text":"<a>"}]}`,
		string(agent.AppendCommand(nil, agent.Steer{
			Type: agent.CommandSteer, SessionID: "s", TurnID: "t", SteerID: "steer-1", Text: "<a>", Blocks: []agent.Content{{Type: "text", Text: "<a>"}},
		})))
	require.Len(t, agent.Commands(), 9)
}

func TestOnlyTheTwoAllowDecisionsAllow(t *testing.T) {
	for _, d := range []agent.Decision{agent.AllowOnce, agent.AllowAlways} {
		require.True(t, d.Allows(), d)
	}
	for _, d := range []agent.Decision{agent.RejectOnce, agent.RejectAlways, agent.NotDecided, "", "allow", "ALLOW_ONCE", "allow_once "} {
		require.False(t, d.Allows(), d)
	}
}

func TestOneReturnsABatchOfOneEvent(t *testing.T) {
	e := &agent.Plan{}
	one := agent.One{Event: e}
	count := 0
	for got := range one.Events() {
		require.Same(t, e, got)
		count++
	}
	one.Release()
	require.Equal(t, 1, count)
}

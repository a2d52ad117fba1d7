package quirks_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/agent/stream/toolview"
	"github.com/turnwire/turnwire/internal/bridge/source/relay/quirks"
	"github.com/turnwire/turnwire/internal/exactjson"
)

func chunk(text string) []byte {
	raw, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return []byte(`{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":` + string(raw) + `}}`)
}

// shown returns the steps for an update, one per line.
func shown(steps []quirks.Step) (lines []string) {
	for _, s := range steps {
		if s.Notice != nil {
			lines = append(lines, s.Notice.Severity+": "+s.Notice.Message)
			continue
		}
		lines = append(lines, string(s.Update))
	}
	return lines
}

func TestAnAgentWithoutATableStaysAsItIs(t *testing.T) {
	var table *quirks.Table
	s := table.NewSession("/w")
	require.Nil(t, s)
	body := []byte(`{"sessionUpdate":"tool_call","title":"bash"}`)
	require.Equal(t, []string{string(body)}, shown(s.Update(body)))
	params, ok := s.Permission([]byte(`{"options":[]}`))
	require.True(t, ok)
	require.Equal(t, `{"options":[]}`, string(params))
	require.Nil(t, s.Release())
	require.Empty(t, s.EndReason())
	s.EndTurn()
	require.Equal(t, "7", string(table.Failure([]byte("7"))))
	require.Nil(t, table.With(toolview.Table{{Name: "x"}}))
}

func TestAChunkThatIsNotTextIsNotAMark(t *testing.T) {
	s := quirks.Glue().NewSession("/w")
	for _, body := range []string{
		`{"sessionUpdate":"agent_message_chunk","content":{"type":"image","text":"! x\n"}}`,
		`{"sessionUpdate":"agent_message_chunk","content":"! x\n"}`,
		`{"sessionUpdate":"agent_message_chunk"}`,
		`{"sessionUpdate":"agent_thought_chunk","content":{"type":"text","text":"! x\n"}}`,
		`{"sessionUpdate":"plan","entries":[]}`,
		`{"sessionUpdate":7}`,
		string(chunk("[error] " + strings.Repeat("x", 100<<10))),
		string(chunk("[error] \n")),
	} {
		require.Equal(t, []string{body}, shown(s.Update([]byte(body))))
	}
}

func TestALateReasonIsReleasedInItsPlace(t *testing.T) {
	s := quirks.Glue().NewSession("/w")
	require.Empty(t, s.Update(chunk("[error] a")))
	require.Equal(t, []string{string(chunk("[error] a"))}, shown(s.Update(chunk("[error] b"))))
	require.Equal(t, []string{string(chunk("[error] b")), "warning: c"}, shown(s.Update(chunk("! c\n"))))
	require.Empty(t, s.Update(chunk("[error] d")))
	require.Equal(t, string(chunk("[error] d")), string(s.Release()))
	require.Nil(t, s.Release())
	require.Empty(t, s.EndReason())
	require.Empty(t, s.Update(chunk("\n[error] e \n")))
	require.Equal(t, "e", s.EndReason())
	require.Empty(t, s.EndReason())
}

func TestTheUsersToolsCountMoreThanTheTable(t *testing.T) {
	glue := quirks.Glue()
	s := glue.With(toolview.Table{{Name: "bash", Verb: "Shell"}, {Name: "shop.order", Kind: "edit", Verb: "Order", Subject: "n"}}).NewSession("/w")
	require.Equal(t, []string{`{"sessionUpdate":"tool_call","toolCallId":"a","title":"Shell ls","rawInput":{"command":"ls"},"name":"bash","kind":"execute"}`},
		shown(s.Update([]byte(`{"sessionUpdate":"tool_call","toolCallId":"a","title":"bash","rawInput":{"command":"ls"}}`))))
	require.Equal(t, []string{`{"sessionUpdate":"tool_call","toolCallId":"b","title":"Order tea","kind":"edit","rawInput":{"n":"tea"},"name":"shop.order"}`},
		shown(s.Update([]byte(`{"sessionUpdate":"tool_call","toolCallId":"b","title":"shop.order","kind":"other","rawInput":{"n":"tea"}}`))))
	require.Equal(t, quirks.Glue(), glue, "the table itself stays")
}

func TestEachGlueToolIsInTheTableOnceAndCompletely(t *testing.T) {
	var seen []string
	for _, tool := range quirks.Glue().Tools {
		require.NotEmpty(t, tool.Kind, tool.Name)
		require.NotEmpty(t, tool.Verb, tool.Name)
		require.NotContains(t, seen, tool.Name)
		seen = append(seen, tool.Name)
	}
}

// More calls than are remembered, with more input, lose their titles but do not use
// more memory.
func TestManyCallsAreAllShown(t *testing.T) {
	s := quirks.Glue().NewSession("/w")
	for i := range 1200 {
		id := fmt.Sprint(i, strings.Repeat("x", i))
		got := shown(s.Update(fmt.Appendf(nil, `{"sessionUpdate":"tool_call","toolCallId":%q,"title":"bash","rawInput":{"command":"%d","pad":%q}}`, id, i, strings.Repeat("y", i*80))))
		titled := strings.Contains(got[0], fmt.Sprintf(`"title":"Run %d"`, i))
		require.True(t, titled, "call %d", i) // the update itself is too long for a message
	}
}

func TestAFailureHasItsCauseAndNoTrace(t *testing.T) {
	glue := quirks.Glue()
	for raw, want := range map[string]string{
		`{"code":-32603,"message":"Internal error","data":"Bad state\n#0      boil"}`:                        `{"code":-32603,"message":"Bad state","data":{"code":"agent_failed","details":"Bad state"}}`,
		`{"code":-32603,"message":"Cannot boil","data":{"error":"no water","code":"dry","stack":"#0 boil"}}`: `{"code":-32603,"message":"Cannot boil: no water","data":{"code":"dry","details":"Cannot boil: no water"}}`,
		`{"code":1,"message":"no tea","data":{"details":"no tea"}}`:                                          `{"code":1,"message":"no tea","data":{"code":"agent_failed","details":"no tea"}}`,
		`{"code":1,"message":"#0      boil"}`:                                                                `{"code":1,"message":"the agent failed without a reason","data":{"code":"agent_failed","details":"the agent failed without a reason"}}`,
		`{"code":1,"message":"no tea","data":[7]}`:                                                           `{"code":1,"message":"no tea","data":{"code":"agent_failed","details":"no tea"}}`,
		`{"code":-32000,"message":"Log in"}`:                                                                 `{"code":-32000,"message":"Log in"}`,
		`"no"`:                                                                                               `"no"`,
	} {
		require.JSONEq(t, want, string(glue.Failure([]byte(raw))))
	}
}

// FuzzSession reads arbitrary Glue output. The result is JSON. An option that permits
// something has a kind, given by the agent, that says so, or an id that permits in
// Glue.
func FuzzSession(f *testing.F) {
	f.Add([]byte(`{"sessionUpdate":"tool_call","toolCallId":"a","title":"edit_file","rawInput":{"path":"x","old_string":"a","new_string":"b"}}`),
		[]byte(`{"toolCall":{"toolCallId":"a","title":"bash"},"options":[{"optionId":"allow"},{"optionId":"deny"},{"optionId":"x","kind":"allow_always"},7]}`))
	f.Add(chunk("[error] x"), []byte(`{"options":[{"optionId":"allow","kind":"reject_once"},{"optionId":"allow"}]}`))
	f.Add([]byte(`{"sessionUpdate":"tool_call_update","toolCallId":"a","status":"failed","content":[{"path":"b"},7],"locations":[{"path":"\ud800"}]}`), []byte(`{"toolCall":7,"options":{}}`))
	f.Add([]byte(`{}`), []byte(`[7]`))
	f.Add([]byte(`{}`), []byte{})
	f.Fuzz(func(t *testing.T, body, params []byte) {
		var object map[string]json.RawMessage
		params = bytes.TrimSpace(params)
		if json.Unmarshal(body, &object) != nil || object == nil || len(params) > 0 && !json.Valid(params) {
			return
		}
		glue := quirks.Glue()
		s := glue.NewSession("/w")
		for range 2 {
			for _, step := range s.Update(body) {
				require.True(t, step.Notice != nil || json.Valid(step.Update), "%q", step.Update)
			}
			asked, ok := s.Permission(params)
			require.True(t, len(params) == 0 || json.Valid(asked) && json.Valid(glue.Failure(params)), "%q", asked)
			var p struct {
				Options []struct {
					ID   string `json:"optionId"`
					Kind string `json:"kind"`
				} `json:"options"`
			}
			if err := exactjson.Unmarshal(asked, &p); err != nil {
				continue // an option has another type in a member that doesn't matter
			}
			require.Equal(t, ok, len(p.Options) > 0)
			ids := make([]string, 0, len(p.Options))
			for _, o := range p.Options {
				require.NotContains(t, ids, o.ID)
				ids = append(ids, o.ID)
				require.False(t, o.ID == "deny" && strings.HasPrefix(o.Kind, "allow"), "%q", asked)
				require.False(t, o.ID == "allow" && strings.HasPrefix(o.Kind, "reject"), "%q", asked)
				require.True(t, slices.Contains([]string{"allow", "deny"}, o.ID) || strings.Contains(string(params), "kind") || strings.Contains(string(params), `\u`), "%q", asked)
			}
		}
	})
}

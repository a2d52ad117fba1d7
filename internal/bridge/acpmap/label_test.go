package acpmap_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/normalize"
	"github.com/turnwire/turnwire/internal/agent/stream/toolview"
	"github.com/turnwire/turnwire/internal/bridge/acpmap"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

const evil = "a\x1b[31m\u0085\u009b\u202e\u2066\u200f\u061cb"

// noLabels are the members that clients do not show as a separate line: ids, paths,
// values, and the agent's text and output.
var noLabels = []string{
	"_meta", "category", "compactionId", "const", "default", "elicitationId", "currentModeId", "currentValue", "data", "group", "id", "messageId", "mimeType",
	"newText", "oldText", "optionId", "path", "pattern", "planId", "rawInput", "rawOutput", "required", "sessionId", "terminalId", "text", "toolCallId", "uri", "value",
}

// requireLabels checks that all labels in a value are safe to show, and counts those
// that had to be changed.
func requireLabels(t *testing.T, where string, value any) (changed int) {
	t.Helper()
	switch v := value.(type) {
	case map[string]any:
		for name, member := range v {
			if !slices.Contains(noLabels, name) {
				changed += requireLabels(t, where+"."+name, member)
			}
		}
	case []any:
		for _, item := range v {
			changed += requireLabels(t, where, item)
		}
	case string:
		require.False(t, strings.ContainsAny(v, evil[1:2]+"\u0085\u009b\u202e\u2066\u200f\u061c"), "%s: %q", where, v)
		if strings.Contains(v, `\x1b`) && strings.Contains(v, `\u202e`) {
			changed++
		}
	}
	return changed
}

func requireShown(t *testing.T, where string, value any) int {
	t.Helper()
	var decoded any
	require.NoError(t, json.Unmarshal(v1.AppendValue(nil, value), &decoded))
	return requireLabels(t, where, decoded)
}

// fill puts text into all strings of a value.
func fill(v reflect.Value) {
	switch v.Interface().(type) {
	case json.RawMessage:
		raw, _ := json.Marshal(map[string]string{"command": evil, "path": evil, "description": evil}) //nolint:errchkjson // of strings there is always JSON
		v.SetBytes(raw)
		return
	case agent.Text:
		v.Set(reflect.ValueOf(agent.NewText(evil)))
		return
	case agent.OptionKind:
		v.SetString(string(agent.Select))
		return
	case agent.Decision:
		v.SetString(string(agent.AllowOnce))
		return
	case agent.Value:
		v.Set(reflect.ValueOf(agent.Chosen(evil)))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(evil)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && f.Tag.Get("json") != "-" {
				fill(v.Field(i))
			}
		}
	default:
	}
}

// everything lists the kinds of clients that differ here.
var everything = []acpmap.Client{{}, {Notices: true, Compaction: true, Booleans: true, TerminalMeta: true}, {Plans: true}}

func TestLabelsAreHarmlessToTheClient(t *testing.T) {
	changed := map[string]int{}
	for _, c := range everything {
		for _, variant := range agent.Variants() {
			event := variant.New()
			name := reflect.TypeOf(event).Elem().Name()
			fill(reflect.ValueOf(event).Elem())
			*event.Common() = agent.Base{}
			if plan, ok := event.(*agent.Plan); ok {
				plan.Markdown, plan.URI = "", "" // its entries are labels
			}
			normalizer := normalize.New("/work", toolview.Common)
			normalizer.Begin("")
			normalizer.Add(event, func(s normalize.Step) {
				for _, u := range acpmap.Map(s, c) {
					if _, message := u.(*v1.MessageChunk); !message {
						changed[name] += requireShown(t, name, u)
					}
				}
				if e, ok := s.Event.(*agent.ConfirmationRequested); ok {
					changed["Permission"] += requireShown(t, "Permission", acpmap.Permission(s, e, "s"))
				}
			})
		}
	}
	for _, name := range []string{"ToolReady", "ToolStart", "ToolEnd", "SubagentStart", "Plan", "SessionTitle", "AvailableCommands", "ConfigOptions", "Notice", "Permission"} {
		require.NotZero(t, changed[name], "%s has labels", name)
	}
}

func TestOptionLabelsAreHarmlessToTheClient(t *testing.T) {
	one := []agent.Choice{{ID: evil, Name: evil, Description: evil}}
	options := []agent.Option{
		{ID: "mode", Name: evil, Description: evil, Category: agent.OptionMode, Kind: agent.Select, Value: agent.Chosen(evil), Choices: one},
		{ID: "b", Name: evil, Kind: agent.Select, Value: agent.Chosen(evil), Groups: []agent.ChoiceGroup{{ID: evil, Name: evil, Choices: one}}},
		{ID: "c", Name: evil, Description: evil, Kind: agent.Boolean},
	}
	for _, c := range everything {
		require.Equal(t, 10, requireShown(t, "Config", acpmap.Config(options, c)))
	}
	require.Equal(t, 2, requireShown(t, "Modes", acpmap.Modes(options)))
}

func TestAnswersContainTheAgentsOriginalChoice(t *testing.T) {
	q := &agent.QuestionAsked{QuestionID: "q", Question: evil, Header: evil, Options: []string{"plain", evil}, ToolCallID: "t"}
	request, ok := acpmap.Choices(q, nil, "s")
	require.True(t, ok)
	require.Equal(t, 2, requireShown(t, "Choices", request))
	choice, ok := acpmap.Chosen(request.Options[1].OptionID, q)
	require.True(t, ok)
	require.Equal(t, evil, choice)

	asker := &normalize.Tool{ID: "t", View: agent.View{Title: "Ask", Kind: "think"}}
	request, ok = acpmap.Choices(q, asker, "s")
	require.True(t, ok)
	require.Equal(t, 2, requireShown(t, "Choices of a call", request))

	form := acpmap.Form(q, "s")
	require.Equal(t, 3, requireShown(t, "Form", form))
	shown := form.RequestedSchema.Properties.Get(acpmap.AnswerProperty).Enum
	require.Equal(t, q.Options, acpmap.Answers(q, shown))
	require.Equal(t, []string{"else"}, acpmap.Answers(q, []string{"else"}))
	for _, more := range []agent.QuestionAsked{{Multiple: true}, {AllowCustom: true}, {Multiple: true, AllowCustom: true}} {
		more.Question, more.Header, more.Options = q.Question, q.Header, q.Options
		require.Equal(t, 3, requireShown(t, "Form", acpmap.Form(&more, "s")))
	}
	requireShown(t, "QuestionCall", acpmap.QuestionCall(q))
	fields := &agent.QuestionAsked{Question: evil, Header: evil, Fields: []agent.Field{
		{Name: evil, Type: agent.FieldString},
		{Name: "a", Type: agent.FieldChoice, Title: evil, Description: evil, Options: []agent.FieldOption{{Value: evil}, {Value: "v", Title: evil, Description: evil}}},
		{Name: "b", Type: agent.FieldChoices, Options: []agent.FieldOption{{Value: evil}}},
	}}
	require.Equal(t, 9, requireShown(t, "Form", acpmap.Form(fields, "s")))
	require.Equal(t, 1, requireShown(t, "Page", acpmap.Page(fields, "s", "id")))
}

func TestNewlinesAndTabsOfALabelStay(t *testing.T) {
	step := normalize.Step{Event: &agent.SessionTitle{Title: "a\tb\nç"}}
	require.Equal(t, []v1.Update{&v1.SessionInfoUpdate{Title: "a\tb\nç"}}, acpmap.Map(step, acpmap.Client{}))
}

package normalize_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/normalize"
)

// requireLawful checks what editors rely on in options.
func requireLawful(t *testing.T, options []agent.Option) {
	t.Helper()
	ids := map[string]bool{}
	size := 0
	label := func(s string) {
		require.LessOrEqual(t, len(s), normalize.MaxLabel+len("…"))
		require.True(t, utf8.ValidString(s))
		size += len(s)
	}
	named := func(id, name string) {
		require.NotEmpty(t, id)
		require.NotEmpty(t, name, id)
		label(id)
		label(name)
	}
	for _, o := range options {
		named(o.ID, o.Name)
		label(o.Description)
		require.False(t, ids[o.ID], "two options are called %s", o.ID)
		ids[o.ID] = true
		if o.Kind == agent.Boolean {
			require.True(t, o.Value.Boolean)
			require.Empty(t, o.Choices)
			require.Empty(t, o.Groups)
			continue
		}
		require.Equal(t, agent.Select, o.Kind)
		require.True(t, o.Offers(o.Value), "%s is set to %s, which is no choice", o.ID, o.Value)
		require.True(t, len(o.Choices) == 0 || len(o.Groups) == 0, "%s is flat or in groups", o.ID)
		choices, groups := map[string]bool{}, map[string]bool{}
		for c := range o.Each {
			named(c.ID, c.Name)
			label(c.Description)
			require.False(t, choices[c.ID], "two choices of %s are called %s", o.ID, c.ID)
			choices[c.ID] = true
		}
		for _, g := range o.Groups {
			require.NotEmpty(t, g.Choices)
			require.False(t, groups[g.ID], "two groups of %s are called %s", o.ID, g.ID)
			groups[g.ID] = true
		}
	}
	// Each option may exceed the limit by its current choice.
	require.LessOrEqual(t, size, normalize.MaxOffered+3*normalize.MaxLabel*len(options))
}

// offered returns the options that result from a stream of lines, in short
// form.
func offered(t *testing.T, lines ...string) string {
	t.Helper()
	w := watch(t)
	w.add(lines...)
	var out strings.Builder
	for i, o := range w.options {
		if i > 0 {
			out.WriteString("\n")
		}
		fmt.Fprintf(&out, "%s/%s %q %s=%s", o.ID, o.Category, o.Name, o.Kind, o.Value)
		for _, c := range o.Choices {
			out.WriteString(" " + c.ID + ":" + c.Name)
		}
		for _, g := range o.Groups {
			out.WriteString(" [" + g.ID + ":" + g.Name)
			for _, c := range g.Choices {
				out.WriteString(" " + c.ID)
			}
			out.WriteString("]")
		}
	}
	return out.String()
}

const (
	modes  = `{"type":"mode_changed","modeId":"ask","available":[{"id":"ask","name":"Ask"},{"id":"do","name":"Do"}]}`
	models = `{"type":"model_changed","modelId":"l1","available":[{"id":"l1","name":"Leaf 1"}]}`
)

func TestOptionsAreDerivedFromEvents(t *testing.T) {
	const two = `[{"id":"a","name":"A"},{"id":"b","name":"B"}]`
	option := func(members string) string { return `{"type":"config_options","options":[{` + members + `}]}` }
	for name, c := range map[string]struct {
		want  string
		lines []string
	}{
		"a mode": {`mode/mode "Mode" select=ask ask:Ask do:Do`, []string{modes}},
		"the mode first, then the model": {"mode/mode \"Mode\" select=ask ask:Ask do:Do\nmodel/model \"Model\" select=l1 l1:Leaf 1",
			[]string{models, modes}},
		"a change alone keeps the choices": {`mode/mode "Mode" select=do ask:Ask do:Do`, []string{modes, `{"type":"mode_changed","modeId":"do"}`}},
		"a mode that is not offered is there while it is set": {`mode/mode "Mode" select=plan ask:Ask do:Do plan:plan`,
			[]string{modes, `{"type":"mode_changed","modeId":"plan"}`}},
		"and no longer": {`mode/mode "Mode" select=do ask:Ask do:Do`,
			[]string{modes, `{"type":"mode_changed","modeId":"plan"}`, `{"type":"mode_changed","modeId":"do"}`}},
		"a mode without a name": {``, []string{`{"type":"mode_changed","modeId":""}`}},
		"a select": {`x/_y "X" select=b a:A b:B`,
			[]string{option(`"id":"x","name":"X","category":"_y","kind":"select","value":"b","choices":` + two)}},
		"the kind goes without saying": {`x/ "x" select=a a:A b:B`, []string{option(`"id":"x","value":"a","choices":` + two)}},
		"and so does the category":     {`model/model "model" select=a a:A b:B`, []string{option(`"id":"model","value":"a","choices":` + two)}},
		"a boolean":                    {`x/ "X" boolean=on`, []string{option(`"id":"x","name":"X","kind":"boolean","value":true,"choices":` + two)}},
		"groups":                       {`x/ "X" select=a [g:G a b]`, []string{option(`"id":"x","name":"X","value":"a","groups":[{"id":"g","name":"G","choices":` + two + `}]`)}},
		"groups of one id":             {`x/ "x" select=a [g:G a b c]`, []string{option(`"id":"x","value":"a","groups":[{"id":"g","name":"G","choices":` + two + `},{"id":"g","choices":[{"id":"a"},{"id":"c"}]},{"id":"e"}]`)}},
		"choices beside groups":        {`x/ "X" select=c [other:X a b] [:g c]`, []string{option(`"id":"x","name":"X","value":"c","choices":` + two + `,"groups":[{"id":"","name":"g","choices":[{"id":"c"}]}]`)}},
		"the last list replaces":       {`y/ "y" boolean=off`, []string{option(`"id":"x","value":true`), option(`"id":"y","value":false`)}},
		"the list is told beside the mode": {"mode/mode \"Mode\" select=ask ask:Ask do:Do\nx/ \"x\" boolean=on",
			[]string{modes, option(`"id":"x","value":true`)}},
		"a list with the mode replaces it": {`m/mode "m" select=a a:A b:B`,
			[]string{modes, option(`"id":"m","category":"mode","value":"a","choices":` + two)}},
		"a change is one of the list's": {`m/mode "m" select=b a:A b:B`,
			[]string{option(`"id":"m","category":"mode","value":"a","choices":` + two), `{"type":"mode_changed","modeId":"b"}`}},
		"the name is taken": {`mode/_x "mode" select=a a:A b:B`,
			[]string{option(`"id":"mode","category":"_x","value":"a","choices":` + two), modes}},
		"twice the same": {"x/ \"x\" boolean=on",
			[]string{`{"type":"config_options","options":[{"id":"x","value":true},{"id":"x","value":false},{"id":"","value":true}]}`}},
		"choices twice and without ids": {`x/ "x" select=a a:A`,
			[]string{option(`"id":"x","value":"a","choices":[{"id":"a","name":"A"},{"id":"a","name":"B"},{"id":"","name":"C"}]`)}},
		"a value of the wrong kind":                {``, []string{option(`"id":"x","kind":"boolean","value":"on"`)}},
		"and the other way round":                  {``, []string{option(`"id":"x","kind":"select","value":true`)}},
		"no value":                                 {``, []string{option(`"id":"x","choices":` + two)}},
		"a kind that nobody knows":                 {``, []string{option(`"id":"x","kind":"slider","value":"7"`)}},
		"nothing is to be chosen":                  {``, []string{option(`"id":"x","value":true`), `{"type":"config_options","options":[]}`}},
		"an event of another turn":                 {``, []string{`{"type":"mode_changed","modeId":"do","turnId":"t9"}`}},
		"the value need not be one of the choices": {`x/ "x" select=z a:A b:B z:z`, []string{option(`"id":"x","value":"z","choices":` + two)}},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.want, offered(t, c.lines...)) })
	}
}

func TestOptionListsAreBounded(t *testing.T) {
	long := strings.Repeat("ä", normalize.MaxLabel)
	e := &agent.ConfigOptions{}
	for i := range 50 {
		o := agent.Option{ID: fmt.Sprint("o", i), Name: long, Description: long, Category: long, Kind: agent.Select, Value: agent.Chosen("last")}
		for n := range 5000 {
			o.Choices = append(o.Choices, agent.Choice{ID: strconv.Itoa(n), Name: long})
		}
		o.Choices = append(o.Choices, agent.Choice{ID: long, Name: "too long to be an id"}, agent.Choice{ID: "last", Name: "what is set"})
		e.Options = append(e.Options, o)
	}
	var options []agent.Option
	normalize.New("/", nil).Add(e, func(s normalize.Step) { options = s.Options })
	requireLawful(t, options)
	require.NotEmpty(t, options)
	require.Greater(t, len(options[0].Choices), 50, "as many as there is room for")
	last := options[0].Choices[len(options[0].Choices)-1]
	require.Equal(t, agent.Choice{ID: "last", Name: "what is set"}, last)
}

func TestEveryModeChangeIsReported(t *testing.T) {
	normalizer := normalize.New("/", nil)
	list := func(mode string) *agent.ConfigOptions {
		return &agent.ConfigOptions{Options: []agent.Option{{ID: "m", Category: "mode", Value: agent.Chosen(mode)}}}
	}
	var modes []string
	for _, e := range []agent.Event{
		list("a"), list("a"), list("b"), &agent.ModeChanged{ModeID: "b"}, &agent.ModeChanged{ModeID: "c"}, list("c"),
		&agent.ModelChanged{ModelID: "x"}, &agent.ConfigOptions{}, list("c"), list("a"),
	} {
		normalizer.Add(e, func(s normalize.Step) { modes = append(modes, s.Mode) })
	}
	require.Equal(t, []string{"a", "", "b", "", "c", "", "", "", "", "a"}, modes)
}

func TestOptionsThatWereYieldedDoNotChange(t *testing.T) {
	normalizer := normalize.New("/", nil)
	var first []agent.Option
	for _, e := range []agent.Event{
		&agent.ModeChanged{ModeID: "a", Available: []agent.Choice{{ID: "a"}, {ID: "b"}}},
		&agent.ModeChanged{ModeID: "b"},
		&agent.ModelChanged{ModelID: "x"},
		&agent.ConfigOptions{Options: []agent.Option{{ID: "m", Category: "mode", Value: agent.Chosen("c")}}},
	} {
		normalizer.Add(e, func(s normalize.Step) {
			if first == nil {
				first = s.Options
			}
		})
	}
	require.Equal(t, []agent.Option{{
		ID: "mode", Name: "Mode", Category: "mode", Kind: agent.Select, Value: agent.Chosen("a"),
		Choices: []agent.Choice{{ID: "a", Name: "a"}, {ID: "b", Name: "b"}},
	}}, first)
}

package normalize_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	native "github.com/turnwire/turnwire/internal/agent/native/wire"
	"github.com/turnwire/turnwire/internal/agent/stream/normalize"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// in returns a piece of the message with this id.
func in(message, text string) string {
	return `{"type":"text_delta","messageId":"` + message + `","text":"` + text + `"}`
}

// texts returns the pieces that the editor receives for native lines, each with
// the id of its message.
func texts(t *testing.T, lines []string) (got []string) {
	t.Helper()
	n := normalize.New("/work", nil)
	step := func(s normalize.Step) {
		switch e := s.Event.(type) {
		case *agent.TextDelta:
			got = append(got, e.MessageID+" "+string(rawjson.Body(e.Text)))
		case *agent.ThinkingDelta:
			got = append(got, e.MessageID+" "+string(rawjson.Body(e.Thinking)))
		}
	}
	for _, line := range lines {
		if !strings.Contains(line, "{") {
			line = in("", line)
		}
		if !n.Running() {
			n.Begin("")
		}
		require.NoError(t, native.Dialect.NewDecoder().Decode([]byte(line), func(e agent.Event) bool {
			n.Add(e, step)
			return true
		}), "%s", line)
	}
	return got
}

// Most clients show consecutive messages as one text.
func TestAMessageBeginsOnANewParagraph(t *testing.T) {
	thoughtIn := func(message, text string) string { return strings.ReplaceAll(in(message, text), "text", "thinking") }
	for name, c := range map[string]struct {
		in   []string
		want string
	}{
		"another name":                   {[]string{in("a", "one"), in("b", "two")}, `m1.1 one|m1.2 \n\ntwo`},
		"the same name":                  {[]string{in("a", "one"), in("a", "two")}, `m1.1 one|m1.1 two`},
		"a mark between":                 {[]string{"one", `{"type":"message_end"}`, "two"}, `m1.1 one|m1.2 \n\ntwo`},
		"a step between":                 {[]string{"one", `{"type":"step_start"}`, "two"}, `m1.1 one|m1.2 \n\ntwo`},
		"a line that has ended":          {[]string{in("a", `one\n`), in("b", "two")}, `m1.1 one\n|m1.2 \ntwo`},
		"a paragraph that has ended":     {[]string{in("a", `one\n`), in("a", `\n`), in("b", "two")}, `m1.1 one\n|m1.1 \n|m1.2 two`},
		"one that begins so":             {[]string{in("a", `one`), in("b", `\n\n\ntwo`)}, `m1.1 one|m1.2 \n\n\ntwo`},
		"a part of it":                   {[]string{in("a", `one\n`), in("b", `\ntwo`)}, `m1.1 one\n|m1.2 \ntwo`},
		"a backslash and an n":           {[]string{in("a", `one\\n`), in("b", "two")}, `m1.1 one\\n|m1.2 \n\ntwo`},
		"a backslash and a newline":      {[]string{in("a", `one\\\n`), in("b", "two")}, `m1.1 one\\\n|m1.2 \ntwo`},
		"a tool between":                 {[]string{"one", aTool, "two"}, `m1.1 one|m1.2 two`},
		"a thought between":              {[]string{"one", think("hm"), "two"}, `m1.1 one|m1.2 hm|m1.3 two`},
		"thoughts":                       {[]string{thoughtIn("a", "one"), thoughtIn("b", "two")}, `m1.1 one|m1.2 \n\ntwo`},
		"the first of a turn":            {[]string{"one", done(""), in("b", "two")}, `m1.1 one|m2.1 two`},
		"the answer of the end, another": {[]string{in("a", "one"), done("two")}, `m1.1 one|m1.2 \n\ntwo`},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, strings.Join(texts(t, c.in), "|"))
		})
	}
}

func TestTheFirstOfJoinedPiecesHasTheParagraph(t *testing.T) {
	n := normalize.New("/work", nil)
	n.Begin("t")
	n.Add(&agent.TextDelta{Text: rawjson.Wrap(rawjson.String("one")), MessageID: "a"}, func(normalize.Step) {})
	var got []string
	n.Add(&agent.TextDelta{Text: rawjson.Wrap(rawjson.String("twothree")), MessageID: "b", Ends: []int{3, 8}}, func(s normalize.Step) { got = parts(s) })
	require.Equal(t, []string{`m1.2 \n\ntwo`, `m1.2 three`}, got)
}

package normalize_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	native "github.com/turnwire/turnwire/internal/agent/native/wire"
	"github.com/turnwire/turnwire/internal/agent/stream/normalize"
	"github.com/turnwire/turnwire/internal/rawjson"
)

func done(text string) string { return `{"type":"done","text":"` + text + `"}` }

func think(text string) string { return `{"type":"thinking_delta","thinking":"` + text + `"}` }

const (
	aTool    = `{"type":"tool_start","toolCallId":"a","toolName":"x"}`
	aToolEnd = `{"type":"tool_end","toolCallId":"a","ok":true,"result":"r"}`
)

func TestMessagesAreToldApart(t *testing.T) {
	for name, c := range map[string]struct{ in, want []string }{
		"pieces of one message": {[]string{"a", "b"}, []string{"text m1.1 a", "text m1.1 b"}},
		"text and thoughts": {
			[]string{think("a"), think("b"), "c", think("d")},
			[]string{"thought m1.1 a", "thought m1.1 b", "text m1.2 c", "thought m1.3 d"},
		},
		"a tool between": {
			[]string{"a", aTool, aToolEnd, "b"},
			[]string{"text m1.1 a", "tool_start [a x running] first", "tool_end r [a x completed]", "text m1.2 b"},
		},
		"the agent's ids": {
			[]string{`{"type":"text_delta","text":"a","messageId":"x"}`, "b", `{"type":"text_delta","text":"c","messageId":"y"}`, `{"type":"text_delta","text":"d","messageId":"x"}`},
			[]string{"text m1.1 a", "text m1.1 b", "text m1.2 c", "text m1.3 d"},
		},
		"message boundaries": {
			[]string{"a", `{"type":"message_start"}`, "b", `{"type":"message_end"}`, "c", `{"type":"step_start"}`, "d", `{"type":"step_end"}`, "e"},
			[]string{"text m1.1 a", "message_start", "text m1.2 b", "message_end", "text m1.3 c", "step_start", "text m1.4 d", "step_end", "text m1.5 e"},
		},
		"content in a message": {
			[]string{"a", `{"type":"content","content":{"type":"image"}}`, "b"},
			[]string{"text m1.1 a", "content m1.1", "text m1.1 b"},
		},
		"empty pieces": {
			[]string{`{"type":"text_delta"}`, think(""), "a", `{"type":"text_delta","text":""}`},
			[]string{"text m1.1 a"},
		},
	} {
		t.Run(name, func(t *testing.T) { turn(t).add(c.in...).yields(c.want...) })
	}
}

func TestMessageIDsAreNewInEachTurn(t *testing.T) {
	w := turn(t).add("a", done("a"))
	w.begin()
	w.add("b").yields("text m1.1 a", "done end", "text m2.1 b")
}

func TestLongPiecesAreCut(t *testing.T) {
	w := turn(t).add(strings.Repeat(`€\u00e4`, normalize.MaxText))
	require.Greater(t, len(w.steps), 9)
	require.Zero(t, strings.Compare(strings.Repeat("€ä", normalize.MaxText), w.text()), "nothing is lost or cut in two")
	w.add(think(strings.Repeat("x", normalize.MaxText+1)))
	require.Len(t, w.steps, 2)
}

func TestHalvesOfCharactersArePutTogether(t *testing.T) {
	for name, c := range map[string]struct{ in, want []string }{
		"in the next piece":    {[]string{`a\ud83d`, `\ude42b`}, []string{"text m1.1 a", "text m1.1 🙂b"}},
		"alone in its piece":   {[]string{`\ud83d`, `\ude42`}, []string{"text m1.1 🙂"}},
		"an empty one between": {[]string{`\ud83d`, `{"type":"text_delta","text":""}`, `\ude42`}, []string{"text m1.1 🙂"}},
		"each lane its own": {
			[]string{`a\ud83d`, think(`b\ud83e`), `\ude42c`, think(`\udd14d`)},
			[]string{"text m1.1 a", "thought m1.2 b", "text m1.3 🙂c", "thought m1.4 🤔d"},
		},
		"across a tool": {
			[]string{`\ud83d`, aTool, `\ude42`},
			[]string{"tool_start [a x running] first", "text m1.1 🙂"},
		},
		"no second half":       {[]string{`\ud83d`, "x"}, []string{"text m1.1 \ufffdx"}},
		"two first halves":     {[]string{`\ud83d`, `\ud83d`, `\ude42`}, []string{"text m1.1 \ufffd", "text m1.1 🙂"}},
		"only a second half":   {[]string{`\ude42x`}, []string{"text m1.1 \ufffdx"}},
		"the turn ends":        {[]string{`a\ud83d`, done("")}, []string{"text m1.1 a", "text m1.1 \ufffd", "done end"}},
		"thoughts at the end":  {[]string{think(`a\ud83d`), done("")}, []string{"thought m1.1 a", "thought m1.1 \ufffd", "done end"}},
		"the end repeats it":   {[]string{`a\ud83d`, done("a")}, []string{"text m1.1 a", "text m1.1 \ufffd", "done end"}},
		"the end has it whole": {[]string{`a\ud83d`, done(`a🙂b`)}, []string{"text m1.1 a", "text m1.1 🙂b", "done end"}},
		"the stream is reset":  {[]string{`\ud83d`, `{"type":"stream_reset"}`, `\ude42`}, []string{"stream_reset", "text m1.1 \ufffd"}},
		"the turn fails":       {[]string{`a\ud83d`, `{"type":"error","error":"no"}`}, []string{"text m1.1 a", "text m1.1 \ufffd", "error no end"}},
	} {
		t.Run(name, func(t *testing.T) { turn(t).add(c.in...).yields(c.want...) })
	}
}

// parts returns the pieces of text in a step, each preceded by the id of its
// message. It returns nil for any other step.
func parts(s normalize.Step) []string {
	e, ok := s.Event.(*agent.TextDelta)
	if !ok {
		return nil
	}
	if e.Ends == nil {
		return []string{e.MessageID + " " + string(rawjson.Body(e.Text))}
	}
	var steps []string
	from := 0
	for _, end := range e.Ends {
		if end > from {
			steps = append(steps, e.MessageID+" "+string(rawjson.Body(e.Text)[from:end]))
			from = end
		}
	}
	return steps
}

func TestJoinedPiecesYieldTheSameAsSeparateEvents(t *testing.T) {
	tokens := []string{"a", "é", `\n`, `\\`, "ud83d", `\ud83d`, `\ude42`, `\ud83d\ude42`, `\\\ud83d`, `\u00e4`, ""}
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		var each, together []string
		one, many := normalize.New("/work", nil), normalize.New("/work", nil)
		one.Begin("t")
		many.Begin("t")
		for range 1 + rnd.IntN(4) {
			var text rawjson.String
			var ends []int
			for range 1 + rnd.IntN(5) {
				var piece rawjson.String
				for range rnd.IntN(4) {
					piece = append(piece, tokens[rnd.IntN(len(tokens))]...)
				}
				one.Add(&agent.TextDelta{Text: rawjson.Wrap(piece)}, func(s normalize.Step) { each = append(each, parts(s)...) })
				if len(piece) > 0 {
					text = append(text, piece...)
					ends = append(ends, len(text))
				}
			}
			many.Add(&agent.TextDelta{Text: rawjson.Wrap(text), Ends: ends}, func(s normalize.Step) { together = append(together, parts(s)...) })
		}
		one.Add(&agent.Done{}, func(s normalize.Step) { each = append(each, parts(s)...) })
		many.Add(&agent.Done{}, func(s normalize.Step) { together = append(together, parts(s)...) })
		require.Equal(t, each, together)
	}
}

func TestTheFinalTextIsYieldedUnlessItWasStreamed(t *testing.T) {
	for name, c := range map[string]struct {
		in, want []string
		final    string
	}{
		"nothing was streamed (returnDirect)": {nil, []string{"text m1.1 direct answer"}, "direct answer"},
		"nothing but thoughts":                {[]string{think("hm")}, []string{"thought m1.1 hm", "text m1.2 answer"}, "answer"},
		"all was streamed":                    {[]string{"a", "b"}, []string{"text m1.1 a", "text m1.1 b"}, "ab"},
		"nothing at the end":                  {[]string{"a"}, []string{"text m1.1 a"}, ""},
		"white space at the end":              {[]string{"a"}, []string{"text m1.1 a"}, `\n `},
		"other white space between messages": {
			[]string{"One.", think("hm"), "Two."},
			[]string{"text m1.1 One.", "thought m1.2 hm", "text m1.3 Two."}, `One.\n\nTwo.\n`,
		},
		"only the last message": {
			[]string{"Let me look. ", think("hm"), "It is 4."},
			[]string{"text m1.1 Let me look.", "thought m1.2 hm", "text m1.3 It is 4."}, "It is 4.",
		},
		"the last two messages": {
			[]string{"Look. ", think("hm"), "It is", `{"type":"message_start"}`, "4."},
			[]string{"text m1.1 Look.", "thought m1.2 hm", "text m1.3 It is", "message_start", "text m1.4 4."}, `It is\n4.`,
		},
		"more than was streamed": {[]string{"One, "}, []string{"text m1.1 One,", "text m1.1 two."}, "One, two."},
		"more, with other white space": {
			[]string{"One.", think("hm"), "Two."},
			[]string{"text m1.1 One.", "thought m1.2 hm", "text m1.3 Two.", "text m1.3 Three."}, `One.\n\nTwo.\n\nThree.`,
		},
		"more than the last message": {
			[]string{"Look.", think("hm"), "It is"},
			[]string{"text m1.1 Look.", "thought m1.2 hm", "text m1.3 It is", "text m1.3 4."}, "It is 4.",
		},
		"something else": {[]string{"One."}, []string{"text m1.1 One.", "text m1.2 Two."}, "Two."},
		"a part of a message by chance": {
			[]string{"I compute 42 times 1."},
			[]string{"text m1.1 I compute 42 times 1.", "text m1.2 42"}, "42",
		},
		"the beginning of a message by chance": {[]string{"Yesterday."}, []string{"text m1.1 Yesterday.", "text m1.2 Yes"}, "Yes"},
		"text with escapes":                    {[]string{`a\n\"b\"\u00e4`}, []string{"text m1.1 a \"b\"ä"}, `a\n\"b\"ä`},
	} {
		t.Run(name, func(t *testing.T) {
			turn(t).add(c.in...).add(done(c.final)).yields(append(c.want, "done end")...)
		})
	}
}

func TestLongStreamedTextIsFoundInTheFinalText(t *testing.T) {
	var all strings.Builder
	w := turn(t)
	for all.Len() < 5*normalize.MaxTail {
		piece := strings.Repeat("word ", 1000) + string(rune('a'+all.Len()%26)) + " "
		all.WriteString(piece)
		w.add(piece)
	}
	_, _, _, kept := w.normalizer.StateSize()
	require.Less(t, kept, 3*normalize.MaxTail, "not all is remembered")
	w.steps = nil
	w.add(done(all.String()+"The end.")).yields("text m1.1 The end.", "done end")

	w.begin()
	w.add("short", done("short")).yields("text m2.1 short", "done end")
}

func TestAResetVoidsWhatWasStreamed(t *testing.T) {
	w := turn(t).add("wrong", aTool, "wrong too", `{"type":"stream_reset"}`, "right", done("right"))
	w.yields("text m1.1 wrong", "tool_start [a x running] first", "text m1.2 wrong too",
		"tool_end withdrawn by the agent [a x failed cancelled]", "stream_reset", "text m1.3 right", "done end")

	w.begin()
	w.add("void", `{"type":"stream_reset"}`, done("void")).
		yields("text m2.1 void", "stream_reset", "text m2.2 void", "done end")

	w.begin()
	w.add("before", `{"type":"message_end"}`, "void", `{"type":"stream_reset"}`, "again", done("before again")).
		yields("text m3.1 before", "message_end", "text m3.2 void", "stream_reset", "text m3.3 again", "done end")
}

func TestStreamedWhiteSpaceIsNotRepeatedAtTheEnd(t *testing.T) {
	for _, c := range []struct{ streamed, final, want string }{
		{"One, ", "One, two.", "One, two."},
		{"One,", "One, two.", "One, two."},
		{`One.\n`, `One.\n\nTwo.`, "One.\n\nTwo."},
		{`One.\n\n`, `One.\n\nTwo.`, "One.\n\nTwo."},
	} {
		w := turn(t)
		var shown strings.Builder
		take := func(e agent.Event) bool {
			w.normalizer.Add(e, func(s normalize.Step) {
				if text, ok := s.Event.(*agent.TextDelta); ok {
					shown.WriteString(text.Text.String())
				}
			})
			return true
		}
		d := native.Dialect.NewDecoder()
		require.NoError(t, d.Decode([]byte(`{"type":"text_delta","text":"`+c.streamed+`"}`), take))
		require.NoError(t, d.Decode([]byte(done(c.final)), take))
		require.Equal(t, c.want, shown.String())
	}
}

package workspace

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParseReadsEachStep(t *testing.T) {
	for line, want := range map[string]step{
		"/say  a  b ":                sayStep{"a  b"},
		"  /say indented":            sayStep{"indented"},
		"/say windows\r":             sayStep{"windows"},
		"/think hm":                  thinkStep{"hm"},
		"/plan a;; b ; c":            planStep{[]string{"a", "b", "c"}},
		"/read a.txt":                readStep("a.txt"),
		"/read  \"a b.txt\" ":        readStep("a b.txt"),
		"/read \"a \\\"b\\\".txt\"":  readStep(`a "b".txt`),
		"/list":                      listStep("."),
		"/list sub":                  listStep("sub"),
		"/search TODO":               searchStep("TODO", ""),
		"/search \\d+ *.go":          searchStep(`\d+`, "*.go"),
		"/search \"a\\s b\" \"x y\"": searchStep(`a\s b`, "x y"),
		"/append a  two spaces":      appendStep("a", " two spaces"),
		"/append a x\\ny\\tz\\\\n":   appendStep("a", "x\ny\tz\\n"),
		"/write \"a b\" c d":         writeStep("a b", "c d"),
		"/write a":                   writeStep("a", ""),
		"/edit a b => c":             editStep("a", "b", "c"),
		"/edit a b\\n => c => d":     editStep("a", "b\n", "c => d"),
		"/edit a b =>":               editStep("a", "b", ""),
		"/run ls | wc -l":            runStep("ls | wc -l"),
		"/ask Which? | A | B":        askStep{"Which?", []string{"A", "B"}},
		"/ask Name?":                 askStep{"Name?", nil},
		"/wait 1.5":                  waitStep{1.5},
		"/fail no":                   failStep{"no"},
		"/help":                      helpStep{},
		"/help me":                   helpStep{},
	} {
		require.Equal(t, []step{want}, parse(line), line)
	}
}

func TestParseSaysWhatIsWrong(t *testing.T) {
	for line, want := range map[string]string{
		"/nope":          "unknown command",
		"/Say x":         "unknown command",
		"/say":           "text is missing",
		"/think  ":       "text is missing",
		"/plan ;":        "no entries",
		"/read":          "path is missing",
		"/read \"\"":     "path is missing",
		"/read a b":      "too many arguments",
		"/read \"a":      "not closed",
		"/read \"a\"b":   "space is missing",
		"/list a b":      "too many arguments",
		"/search":        "pattern is missing",
		"/search a b c":  "too many arguments",
		"/search \"a":    "not closed",
		"/append":        "path is missing",
		"/append a":      "text is missing",
		"/write":         "path is missing",
		"/edit":          "path is missing",
		"/edit a b":      "there is no ` => `",
		"/edit a  => c":  "old text is missing",
		"/edit a b => b": "are the same",
		"/run":           "text is missing",
		"/ask":           "question is missing",
		"/ask | A":       "question is missing",
		"/wait":          "number of seconds",
		"/wait -1":       "number of seconds",
		"/wait NaN":      "number of seconds",
		"/wait Inf":      "number of seconds",
		"/wait 3601":     "number of seconds",
		"/fail":          "text is missing",
	} {
		steps := parse(line)
		require.Len(t, steps, 1, line)
		bad, ok := steps[0].(badStep)
		require.True(t, ok, line)
		require.ErrorContains(t, bad.err, want, line)
	}
}

func TestParsePassesOverOtherLines(t *testing.T) {
	require.Empty(t, parse("What is here?\n/usr/bin/env\n// comment\n/ say x\n/\n/7\nplease /say x\n"))
	require.Equal(t, []step{sayStep{"a"}, sayStep{"b"}}, parse("First:\n/say a\n\nthen\r\n/say b\r\n"))
}

func TestParseIsBounded(t *testing.T) {
	steps := parse(strings.Repeat("/say x\n", maxSteps+5))
	require.Len(t, steps, maxSteps+1)
	require.IsType(t, badStep{}, steps[maxSteps])
}

func FuzzParse(f *testing.F) {
	for _, c := range commands() {
		f.Add(c.usage())
	}
	f.Add("/edit \"a b\" x => \\n\n/search \"\\\"\" \"*.{go,md}\"\r\nhello\n/nope")
	f.Fuzz(func(t *testing.T, text string) {
		steps := parse(text)
		require.LessOrEqual(t, len(steps), strings.Count(text, "/"))
		require.Equal(t, steps, parse(text))
		for _, s := range steps {
			require.NotNil(t, s)
		}
		// Lines around the steps don't change them.
		require.Equal(t, steps, parse("hello\n"+text))
	})
}

func FuzzQuotedWordsAreReadBack(f *testing.F) {
	f.Add("a.txt", "text")
	f.Add(`a "b" c\d`, "")
	f.Fuzz(func(t *testing.T, word, rest string) {
		if strings.HasSuffix(word, `\`) {
			return // a backslash can't precede the closing quotation mark
		}
		gotWord, gotRest, err := cutWord(quoteWord(word) + " " + rest)
		require.NoError(t, err)
		require.Equal(t, word, gotWord)
		require.Equal(t, rest, gotRest)
	})
}

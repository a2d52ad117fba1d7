package markdown_test

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/markdown"
	"github.com/turnwire/turnwire/internal/test/golden"
)

// Each file in testdata has a source and its rendering: "40" with a width of 40 and
// without colours, "40 colour" with colours.
func TestGolden(t *testing.T) {
	golden.Each(t, "testdata/*.txtar", func(t *testing.T, path string) {
		archive := golden.Read(t, path)
		sections := archive.Sections()
		source := string(sections[0].Data)
		archive.Add(sections[0].Name, source)
		for _, f := range sections[1:] {
			width, colour, _ := strings.Cut(f.Name, " ")
			columns, err := strconv.Atoi(width)
			require.NoError(t, err)
			rows := markdown.Rows(source, markdown.Options{Width: columns, Colour: colour != ""})
			archive.Add(f.Name, strings.ReplaceAll(strings.Join(rows, "\n"), "\x1b", "␛")+"\n")
		}
		archive.Check(t)
	})
}

// inPieces renders a text that arrives in pieces, taking the finished part after each.
func inPieces(source string, r *rand.Rand, o markdown.Options) (rows []string) {
	var s markdown.Stream
	show := func(finished string) {
		block := markdown.Rows(finished, o)
		if len(rows) > 0 && len(block) > 0 {
			rows = append(rows, "")
		}
		rows = append(rows, block...)
	}
	for source != "" {
		n := min(1+r.IntN(12), len(source))
		s.Add(source[:n])
		source = source[n:]
		show(s.Finished())
	}
	show(s.All())
	return rows
}

var fragments = []string{
	"# Heading\n", "\n", "\n", "- item\n", "  more of it\n", "1. first\n", "2. second\n", "   - nested\n", "> quote\n", "text *with* `code`\n",
	"```go\n", "```\n", "    indented\n", "| a | b |\n|---|--:|\n", "| 1 | 2 |\n", "---\n", "===\n", "<div>\n", "[x] ~~gone~~\n", "- [ ] task\n", "ünïcode 漢字\n",
}

func TestPiecesLookLikeTheWhole(t *testing.T) {
	o := markdown.Options{Width: 40}
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 1))
		var source strings.Builder
		for range r.IntN(25) {
			source.WriteString(fragments[r.IntN(len(fragments))])
		}
		require.Equal(t, markdown.Rows(source.String(), o), inPieces(source.String(), r, o), "%q", source.String())
	}
}

// The amount of text that is rendered again with each piece is limited.
func TestALongBlockIsFinishedInParts(t *testing.T) {
	for name, c := range map[string]struct{ begin, line, end string }{
		"code":      {"```go\n", "x := 1\n", "```\n"},
		"a list":    {"", "- item\n", ""},
		"paragraph": {"", "a line\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			var s markdown.Stream
			s.Add(c.begin)
			rows := 0
			for range 100 {
				s.Add(strings.Repeat(c.line, 100))
				rows += len(markdown.Rows(s.Finished(), markdown.Options{Width: 40}))
				require.Less(t, len(s.Pending()), 18<<10)
			}
			s.Add(c.end)
			require.Equal(t, 10_000, rows+len(markdown.Rows(s.All(), markdown.Options{Width: 40})))
		})
	}
	var s markdown.Stream
	s.Add(strings.Repeat("x", 1<<20))
	require.Len(t, s.Finished(), 1<<20, "a line without an end")
}

// An agent may write tables and lists whose layout would take gigabytes.
func TestTooWideOrDeepBlocksAreShownAsSource(t *testing.T) {
	for name, c := range map[string]struct {
		source string
		shown  bool // shown as source
	}{
		"a table of many cells": {strings.Repeat("|a", 2000) + "|\n" + strings.Repeat("|-", 2000) + "|\n" + strings.Repeat("|b\n", 4000), true},
		"a table":               {"|a|b|\n|-|-|\n" + strings.Repeat("|c|d|\n", 4000), false},
		"wide and long apart":   {"|a|b|\n|-|-|\n|c|d|\n\n" + strings.Repeat("|", 3000) + "\n\n" + strings.Repeat("x\n", 3000), false},
		"a list of lists":       {strings.Repeat("- ", 8000) + "x\n", true},
		"quotes of quotes":      {strings.Repeat(">", 16000) + "x\n", true},
		"a list of quotes":      {strings.Repeat("1. > ", 4000) + "x\n", true},
		"a list of some":        {strings.Repeat("- ", 20) + "x\n", false},
		"a rule":                {strings.Repeat("-", 300) + "\n", false},
	} {
		t.Run(name, func(t *testing.T) {
			rows := markdown.Rows(c.source, markdown.Options{Width: 1 << 20})
			require.Equal(t, c.shown, strings.TrimSpace(c.source) == strings.Join(rows, "\n"))
		})
	}
}

func FuzzRows(f *testing.F) {
	for _, fragment := range fragments {
		f.Add(fragment, 20)
	}
	f.Add(strings.Repeat("> ", 500)+"deep", 10)
	f.Add(strings.Repeat("- ", 500)+"deep", 10)
	f.Add("| a |\n|-|\n| `x` | y | z\n", 1)
	f.Fuzz(func(t *testing.T, source string, width int) {
		// Callers remove control sequences, and long blocks are divided.
		source = strings.ReplaceAll(source[:min(len(source), 4096)], "\x1b", "")
		plain := markdown.Rows(source, markdown.Options{Width: width})
		coloured := markdown.Rows(source, markdown.Options{Width: width, Colour: true})
		for _, row := range plain {
			require.NotContains(t, row, "\x1b")
			require.NotContains(t, row, "\n")
		}
		for _, row := range coloured {
			require.NotContains(t, row, "\n")
		}
		var s markdown.Stream
		s.Add(source)
		require.Equal(t, source, s.Finished()+s.All())
	})
}

func BenchmarkRows(b *testing.B) {
	source := strings.Repeat("# Heading\n\nSome *text* with `code`, and\n\n- a list\n- of two\n\n```go\nfunc main() {}\n```\n\n", 20)
	b.SetBytes(int64(len(source)))
	for b.Loop() {
		markdown.Rows(source, markdown.Options{Width: 80, Colour: true})
	}
}

package textwidth_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/textwidth"
)

func TestFold(t *testing.T) {
	for name, c := range map[string]struct {
		line  string
		limit int
		want  []string
	}{
		"fits":                        {"one two", 7, []string{"one two"}},
		"between words":               {"one two three", 8, []string{"one two", "three"}},
		"with an indent":              {"    one two", 8, []string{"    one", "two"}},
		"with a space to come":        {"one ", 4, []string{"one "}},
		"a word that no row can hold": {"a /long/path/to", 6, []string{"a", "/long/", "path/t", "o"}},
		"not at a hyphen":             {"run the no-color way", 11, []string{"run the", "no-color", "way"}},
		"wide characters":             {"日本語", 5, []string{"日本", "語"}},
		"a character of several":      {"ab👩‍👩‍👧‍👦", 3, []string{"ab", "👩‍👩‍👧‍👦"}},
		"a mark after its letter":     {"cafe\u0301s", 4, []string{"cafe\u0301", "s"}},
		"nothing":                     {"", 5, []string{""}},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, textwidth.Fold(c.line, c.limit))
		})
	}
}

// Text may arrive in pieces, which are folded as they arrive.
func FuzzFold(f *testing.F) {
	f.Add("a paragraph  that is wrapped", 7, 10)
	f.Add("日本語 日本語日本語日本語", 3, 5)
	f.Fuzz(func(t *testing.T, line string, at, limit int) {
		if limit < 2 || limit > 200 || at < 0 || at > len(line) || len(line) > 32*limit {
			return
		}
		for i := range len(line) { // halves of a character have other widths
			if line[i] < 0x20 || line[i] > 0x7e {
				return
			}
		}
		whole := textwidth.Fold(line, limit)
		for _, row := range whole {
			require.LessOrEqual(t, len(strings.TrimRight(row, " ")), limit)
		}
		pieces := textwidth.Fold(line[:at], limit)
		last := len(pieces) - 1
		require.Equal(t, whole, append(pieces[:last:last], textwidth.Fold(pieces[last]+line[at:], limit)...))
	})
}

func TestFoldEndsWithAnyText(t *testing.T) {
	for _, line := range []string{"日本語日本語", "👩‍👩‍👧‍👦👩‍👩‍👧‍👦", "\u0301\u0301\u0301", "   日", strings.Repeat(" ", 50), strings.Repeat(" ", 50) + "x", strings.Repeat("\u0301", 1000), strings.Repeat("long ", 1<<11), "\xff\xff\xff"} {
		for limit := 1; limit < 8; limit++ {
			require.NotEmpty(t, textwidth.Fold(line, limit))
		}
	}
}

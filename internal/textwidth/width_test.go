package textwidth_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/textwidth"
)

func TestWidth(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want int
	}{
		"nothing":                {"", 0},
		"letters":                {"word", 4},
		"another script":         {"日本", 4},
		"a mark on a letter":     {"e\u0301", 1},
		"a family":               {"👩\u200d👩\u200d👧\u200d👦", 2},
		"a flag":                 {"🇩🇪", 2},
		"a tone of skin":         {"👍🏽", 2},
		"a key with a figure":    {"1\ufe0f\u20e3", 2},
		"a sign as a picture":    {"☎\ufe0f", 2},
		"a sign as text":         {"☎", 1},
		"what the screen draws":  {"⠋┊│…→⋯✓✗–", 9},
		"controls":               {"a\tb\x00\r\n", 2},
		"a style":                {"\x1b[31;1mred\x1b[m", 3},
		"a style inside another": {"\x1b[32m+ 2\x1b[2m (no)\x1b[m\x1b[m", 8},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, textwidth.Width(c.text))
		})
	}
}

func TestTruncate(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		limit int
		want  string
	}{
		"fits":                       {"word", 4, "word"},
		"does not":                   {"words", 4, "wor…"},
		"a style that fits":          {"\x1b[1mword\x1b[m", 4, "\x1b[1mword\x1b[m"},
		"a style that is cut":        {"\x1b[1mwords\x1b[m", 4, "\x1b[1mwor…\x1b[m"},
		"styles after the cut":       {"words \x1b[2m(3 s)\x1b[m", 4, "wor…\x1b[2m\x1b[m"},
		"a wide one at the cut":      {"日本語", 4, "日…"},
		"a mark stays on its letter": {"cafe\u0301s", 4, "caf…"},
		"a key with a figure":        {"1\ufe0f\u20e3234", 4, "1\ufe0f\u20e32…"},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, textwidth.Truncate(c.text, c.limit, "…"))
		})
	}
}

func TestAUserCanMakeAmbiguousCharactersWide(t *testing.T) {
	require.Equal(t, 1, textwidth.Width("…"))
	t.Setenv("RUNEWIDTH_EASTASIAN", "1")
	require.Equal(t, 2, textwidth.Width("…"))
	require.Equal(t, "日…", textwidth.Truncate("日本語", 5, "…"))
	require.Equal(t, []string{"①②", "③"}, textwidth.Fold("①②③", 4))
}

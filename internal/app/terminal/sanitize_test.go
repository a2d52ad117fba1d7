package terminal

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/visible"
)

func TestCleanRemovesControlSequences(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"plain text":               {"a b\tc\n", "a b\tc\n"},
		"other scripts":            {"né 日本語 עברית 👩‍👩‍👧", "né 日本語 עברית 👩‍👩‍👧"},
		"colours":                  {"\x1b[1;31mred\x1b[0m", "red"},
		"a title":                  {"a\x1b]0;title\x07b", "ab"},
		"a link":                   {"\x1b]8;;http://e\x1b\\link\x1b]8;;\x1b\\", "link"},
		"a device control string":  {"a\x1bPq#0~\x1b\\b", "ab"},
		"one-byte introducers":     {"a\u009b31mb\u009d0;t\u009cc", "abc"},
		"a reset":                  {"a\x1bcb", "ab"},
		"a character set":          {"a\x1b(0b", "ab"},
		"controls":                 {"a\x00\x07\x08\x7f\u0085b", "ab"},
		"a carriage return":        {"safe\rrm -rf", "saferm -rf"},
		"bidirectional overrides":  {"a\u202eb\u2066c\u2069", "abc"},
		"not UTF-8":                {"a\xffb", "a\ufffdb"},
		"a sequence cut by a line": {"a\x1b]0;title\nb", "a\nb"},
		"a broken sequence":        {"a\x1b[31\u00e9b", "a\u00e9b"},
		"an escape in a sequence":  {"a\x1b[3\x1b[31mb", "ab"},
		"an endless string":        {"\x1b]" + strings.Repeat("x", maxString+1) + "b", "b"},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.want, clean(c.in)) })
	}
}

func TestASequenceMayComeInPieces(t *testing.T) {
	var c cleaner
	var got strings.Builder
	for _, r := range "a\x1b]0;title\x1b\\b\x1b[1;31mc" {
		got.WriteString(c.clean(string(r)))
	}
	require.Equal(t, "abc", got.String())
}

func FuzzClean(f *testing.F) {
	for _, s := range []string{"", "a\x1b[31mb", "\x1b]0;t\x07", "\x1b]0;t\x1b\\", "\u009b\u202e", "\xff\x1b"} {
		f.Add(s, 3)
	}
	f.Fuzz(func(t *testing.T, s string, at int) {
		s = strings.ToValidUTF8(s, "\ufffd")
		whole := clean(s)
		for _, r := range whole {
			require.False(t, visible.IsControl(r), "%q", whole)
		}
		require.Equal(t, strings.Count(s, "\n"), strings.Count(whole, "\n"))
		// Splitting the text must make no difference.
		runes := []rune(s)
		if at < 0 || at > len(runes) {
			return
		}
		var c cleaner
		require.Equal(t, whole, c.clean(string(runes[:at]))+c.clean(string(runes[at:])))
	})
}

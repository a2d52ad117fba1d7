package visible_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/visible"
)

func TestTextShowsHiddenCharacters(t *testing.T) {
	require.Equal(t, `ls\r\x1b[8m\u202e\u200b;`+"\n\t", visible.Text("ls\r\x1b[8m\u202e\u200b;\n\t"))
	for _, r := range "\u00ad\u034f\u061c\u115f\u1160\u17b4\u180e\u2028\u2060\u2065\u206a\u3164\ufeff\uffa0\U000e0041\U000e0101" {
		require.Equal(t, fmt.Sprintf(`a\u%04xb`, r), visible.Text("a"+string(r)+"b"))
	}
	for _, seen := range []string{"naïve 👩‍👧", "✈️", "\u0646\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "\u0600١"} {
		require.Equal(t, seen, visible.Text(seen))
	}
}

// Characters that reorder text, and the control characters C0 and C1.
const dangerous = "\u0000\u0007\u0008\r\u001b\u007f\u0080\u0085\u009b\u009f\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"

func TestNothingDangerousIsLeft(t *testing.T) {
	require.False(t, strings.ContainsAny(visible.Text(dangerous), dangerous))
	require.False(t, strings.ContainsAny(visible.JSON(dangerous), dangerous))
	require.Equal(t, "a\ufffdb", visible.Text("a\x9bb"))
	require.Equal(t, `a\x9b\u202e\u200fb`, visible.Text("a\u009b\u202e\u200fb"))
}

func FuzzJSONKeepsItsMeaning(f *testing.F) {
	for _, s := range []string{"", "a\tb", dangerous, "\U000e0041 👩‍👧", "\xff\x1b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		text, err := json.Marshal(s)
		require.NoError(t, err)
		shown := visible.JSON(string(text))
		require.False(t, strings.ContainsAny(shown, dangerous))
		var want, got string
		require.NoError(t, json.Unmarshal(text, &want))
		require.NoError(t, json.Unmarshal([]byte(shown), &got))
		require.Equal(t, want, got)
		require.False(t, strings.ContainsAny(visible.Text(s), dangerous))
	})
}

package terminal

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func typedKeys(s string) []key {
	var out []key
	for _, r := range s {
		out = append(out, key{code: keyChar, char: r})
	}
	return out
}

func TestParseKeys(t *testing.T) {
	one := func(c keyCode) []key { return []key{{code: c}} }
	for name, c := range map[string]struct {
		in   string
		want []key
		rest string
	}{
		"letters":                {"yN", typedKeys("yN"), ""},
		"another script":         {"é日", typedKeys("é日"), ""},
		"half a character":       {"a\xe6\x97", typedKeys("a"), "\xe6\x97"},
		"enter":                  {"\r", one(keyEnter), ""},
		"a line":                 {"y\n", append(typedKeys("y"), key{code: keyEnter}), ""},
		"backspace":              {"\x7f", one(keyErase), ""},
		"interrupt":              {"\x03", one(keyInterrupt), ""},
		"end":                    {"\x04", one(keyEnd), ""},
		"an arrow is no key":     {"\x1b[Ay", typedKeys("y"), ""},
		"a function key":         {"\x1bOPy", typedKeys("y"), ""},
		"escape, maybe":          {"\x1b", nil, "\x1b"},
		"an arrow, not complete": {"\x1b[1;", nil, "\x1b[1;"},
		"an arrow with a shift":  {"\x1b[1;2Ay", typedKeys("y"), ""},
		"an answer of the mouse": {"\x1b[<0;12;3My", typedKeys("y"), ""},
		"with an intermediate":   {"\x1b[2 qy", typedKeys("y"), ""},
		"one that is cut short":  {"\x1b[1;\x03", one(keyInterrupt), ""},
		"one cut by an escape":   {"\x1b[1;\x1b[Ay", typedKeys("y"), ""},
		"escape before a key":    {"\x1by", append(one(keyEscape), typedKeys("y")...), ""},
		"other controls":         {"\x00\x01a", typedKeys("a"), ""},
	} {
		t.Run(name, func(t *testing.T) {
			keys, rest := parseKeys([]byte(c.in), false)
			require.Equal(t, c.want, keys)
			require.Equal(t, c.rest, string(rest))
		})
	}
	keys, rest := parseKeys([]byte("\x1b"), true)
	require.Equal(t, one(keyEscape), keys)
	require.Empty(t, rest)
}

func FuzzParseKeys(f *testing.F) {
	f.Add([]byte("\x1b[A\x1bOP\x1by\xff"))
	f.Fuzz(func(t *testing.T, b []byte) {
		_, rest := parseKeys(b, false)
		require.LessOrEqual(t, len(rest), len(b))
		_, rest = parseKeys(b, true)
		require.Empty(t, rest)
	})
}

func TestReadKeysEndsWithItsContextOrItsInput(t *testing.T) {
	r, w, err := os.Pipe()
	require.NoError(t, err)
	defer r.Close()
	defer w.Close()
	keys := make(chan key)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- readKeys(ctx, r, keys) }()
	_, err = w.WriteString("a\x1b")
	require.NoError(t, err)
	require.Equal(t, 'a', (<-keys).char)
	before := time.Now()
	escape := <-keys
	require.Equal(t, keyEscape, escape.code, "an escape that nothing follows is the Escape key")
	require.False(t, escape.at.IsZero())
	require.WithinDuration(t, before, escape.at, time.Minute)
	cancel()
	require.ErrorIs(t, <-done, context.Canceled)

	go func() { done <- readKeys(t.Context(), r, keys) }()
	require.NoError(t, w.Close())
	require.Equal(t, keyEnd, (<-keys).code)
	require.NoError(t, <-done)
}

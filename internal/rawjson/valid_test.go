package rawjson_test

import (
	"bytes"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/rawjson"
)

func TestBytesThatAreNotUTF8BecomeReplacementCharacters(t *testing.T) {
	for in, want := range map[string]string{
		"":                   "",
		"plain":              "plain",
		"a\xffb":             "a\ufffdb",
		"\xe2\x82":           "\ufffd",
		"ä€🙂\xc0\x80 behind": "ä€🙂\ufffd behind",
	} {
		require.Equal(t, want, string(rawjson.Valid([]byte(in))), "%q", in)
	}
}

func FuzzValid(f *testing.F) {
	f.Add([]byte("\xf0\x9f\x99"))
	f.Add([]byte("\xe2\x82\xac\xff"))
	f.Fuzz(func(t *testing.T, b []byte) {
		got := rawjson.Valid(b)
		require.True(t, utf8.Valid(got))
		if len(b) > 0 && utf8.Valid(b) {
			require.True(t, bytes.Equal(b, got))
			require.Same(t, &b[0], &got[0], "it is copied for nothing")
		}
	})
}

package rawjson_test

import (
	"bytes"
	"strings"
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

func TestBytesThatAreNotUTF8AreFoundInEveryPlaceOfALongLine(t *testing.T) {
	for _, around := range []string{"a", "ä", "€", "🙂"} {
		for _, odd := range []string{"", "\x80", "\xc2", "\xe2\x82", "\xf0\x9f\x99", "\xed\xa0\x80", "\xf5\x80\x80\x80", "\x80\x80\x80\x80\x80", "ß"} {
			for before := range 90 {
				line := []byte(strings.Repeat(around, before) + odd + strings.Repeat(around, 90))
				require.Equal(t, string(bytes.ToValidUTF8(line, []byte("\ufffd"))), string(rawjson.Valid(line)))
			}
		}
	}
}

func FuzzValid(f *testing.F) {
	f.Add([]byte("\xf0\x9f\x99"))
	f.Add([]byte("\xe2\x82\xac\xff"))
	f.Fuzz(func(t *testing.T, b []byte) {
		got := rawjson.Valid(b)
		require.Equal(t, string(bytes.ToValidUTF8(b, []byte("\ufffd"))), string(got))
		if len(b) > 0 && utf8.Valid(b) {
			require.True(t, bytes.Equal(b, got))
			require.Same(t, &b[0], &got[0], "it is copied for nothing")
		}
	})
}

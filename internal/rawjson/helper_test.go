package rawjson_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/rawjson"
)

// tricky holds strings that have broken JSON readers.
var tricky = []string{
	"",
	"plain",
	`"quoted" and \escaped\`,
	"line\nfeed\r\n\ttab",
	"\x00\x01\x1f\x7f",
	"\u2028\u2029\ufeff",
	"ä€𝄞🙂",
	"</script>&amp;",
	"broken \xff\xc3 bytes \xed\xa0\x80",
	strings.Repeat("x", 1000) + "\"",
}

// bodies holds the bodies of tokens with every kind of escape.
var bodies = []string{
	``, `a`, `\"`, `\\`, `\/`, `\b\f\n\r\t`, `\u0041\u00e4\u20AC`, `\ud83d\ude42`, `\uD83D\uDE42`,
	`\ud83d`, `\ude42`, `a\ud83d`, `\ude42b`, `\ud83d\ud83d\ude42`, `\ude42\ud83d`, `\ud83dx\ude42`,
	`\\ud83d`, `\\\ud83d`, `\\\\ud83d`, `\ud83d\\ude42`, `\ud83d\n`, `\ufffd`, `\ud7ff\ue000`,
	`ä€🙂`, "\u2028", `\u2028`, `\u0000`,
}

// parse returns the body of a valid token.
func parse(t *testing.T, token []byte) rawjson.String {
	t.Helper()
	s, err := rawjson.Parse(token)
	require.NoError(t, err)
	return s
}

// token puts a body between quotation marks.
func token(body []byte) []byte { return append(append([]byte{'"'}, body...), '"') }

// decoded returns what encoding/json reads from a token.
func decoded(t *testing.T, token []byte) string {
	t.Helper()
	var s string
	require.NoError(t, json.Unmarshal(token, &s), "%q", token)
	return s
}

// requireClean checks a body against the package's contract: it is valid between
// quotation marks, and a strict reader accepts it.
func requireClean(t *testing.T, body []byte) {
	t.Helper()
	require.True(t, json.Valid(token(body)), "%q", body)
	require.True(t, utf8.Valid(body), "%q", body)
	require.False(t, hasLone(body), "a lone surrogate in %q", body)
}

// hasLone looks for lone surrogates in JSON text in the simplest way: every escape that
// decodes to U+FFFD must be written as such.
func hasLone(text []byte) bool {
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 >= len(text) {
			continue
		}
		if text[i+1] != 'u' {
			i++
			continue
		}
		switch first := strings.ToLower(string(text[i+2 : i+4])); {
		case first >= "d8" && first <= "db":
			rest := strings.ToLower(string(text[i+6:]))
			if len(rest) < 6 || rest[:2] != `\u` || rest[2:4] < "dc" || rest[2:4] > "df" {
				return true
			}
			i += 11
		case first >= "dc" && first <= "df":
			return true
		default:
			i += 5
		}
	}
	return false
}

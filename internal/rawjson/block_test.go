package rawjson_test

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/rawjson"
)

// requireScanned compares the scan of one token with encoding/json, both alone and as a
// value in an object with more text after it.
func requireScanned(t *testing.T, whole []byte) {
	t.Helper()
	s, err := rawjson.Parse(whole)
	valid := json.Valid(whole)
	require.Equal(t, valid, err == nil, "%q", whole)
	line := []byte(`{"a":` + string(whole) + `,"b":"` + strings.Repeat("after ", 20) + `"}`)
	o := rawjson.Walk(line)
	_, value, ok := o.Next()
	if valid {
		require.True(t, ok, "%q", line)
		require.Equal(t, decoded(t, whole), s.String())
		require.Equal(t, string(whole), string(value))
		require.Equal(t, hasLone(whole), o.Lone(), "%q", whole)
	}
	for ok {
		_, _, ok = o.Next()
	}
	require.Equal(t, json.Valid(line), o.Err() == nil, "%q", line)
}

func TestSpecialCharactersAreFoundInEveryPlaceOfALongString(t *testing.T) {
	// Long strings are scanned in blocks, and escapes may cross block boundaries.
	specials := []string{
		`\"`, `\\`, `\\\"`, `\n\n\n`, `\u00e4`, `\ud83d\ude42`, `\ud83d`, `\ude42`, `\ud83d\n`, `\u12`, `\x`, `\ud83d\u`,
		"\x00", "\x1f", "\n", "\x7f", "\u0080", "🙂", " ", "!",
	}
	for before := range 180 {
		for _, special := range specials {
			for _, after := range []int{0, 1, 7, 63, 64, 65, 200} {
				requireScanned(t, token([]byte(strings.Repeat("a", before)+special+strings.Repeat("z", after))))
			}
		}
	}
}

func TestLongStringsOfManyEscapes(t *testing.T) {
	pieces := []string{
		`\"`, `\\`, `\n`, `\t`, `\/`, `\u0041`, `\ud83d\ude42`, `\ud83d`, `\ude42`, `a`, `word `, `ä`, `€`, `🙂`,
		strings.Repeat("y", 30), strings.Repeat("z", 64), `\\\\\\\\`,
	}
	wrong := []string{`\x`, "\x01", `"`, `\u12x4`, `\`}
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 5000 {
		var b strings.Builder
		for range rnd.IntN(60) {
			b.WriteString(pieces[rnd.IntN(len(pieces))])
		}
		whole := token([]byte(b.String()))
		requireScanned(t, whole)
		cut := rnd.IntN(len(whole)) + 1
		requireScanned(t, token(rawjson.Valid([]byte(b.String()[:min(cut, b.Len())]))))
		requireScanned(t, token([]byte(b.String()+wrong[rnd.IntN(len(wrong))]+b.String())))
	}
}

func TestAStringWithoutEndIsInvalid(t *testing.T) {
	for n := range 300 {
		for _, end := range []string{``, `\`, `\u`, `\ud83d`, `\"`} {
			_, err := rawjson.Parse([]byte(`"` + strings.Repeat("a", n) + end))
			require.ErrorIs(t, err, rawjson.ErrNotString, "%d bytes and %s", n, end)
		}
	}
}

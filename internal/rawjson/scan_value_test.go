package rawjson_test

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/rawjson"
)

// requireValue compares the walk over an object that has the member v with encoding/json.
func requireValue(t *testing.T, v string) {
	t.Helper()
	line := []byte(`{"a":` + v + `,"b":0}`)
	o := rawjson.Walk(line)
	for ok := true; ok; {
		_, _, ok = o.Next()
	}
	if json.Valid(line) != (o.Err() == nil) {
		require.Equal(t, json.Valid(line), o.Err() == nil, "%q", line)
	}
}

func TestNumbersAndWordsAreCheckedLikeInEncodingJSON(t *testing.T) {
	// Every text of up to five of the characters that occur in numbers.
	parts := "-+01.eEx "
	var grow func(v string)
	grow = func(v string) {
		requireValue(t, v)
		if len(v) < 5 {
			for _, c := range parts {
				grow(v + string(c))
			}
		}
	}
	grow("")
	for _, word := range []string{"true", "false", "null", "tru", "truee", "True", "nul", "nulll", "f", "falsetrue", "null null", "NaN", "Infinity"} {
		requireValue(t, word)
	}
}

func TestNestedValuesAreCheckedLikeInEncodingJSON(t *testing.T) {
	rnd := rand.New(rand.NewPCG(21, 22))
	parts := []string{"{", "}", "[", "]", ",", ":", " ", `"k"`, `"k":`, "1", "null", "\n", `""`, "[]", "{}", `{"a":1}`, "[1,2]", `"\ud800"`, "\x00"}
	for range 400_000 {
		var v strings.Builder
		for range rnd.IntN(9) {
			v.WriteString(parts[rnd.IntN(len(parts))])
		}
		requireValue(t, v.String())
	}
	for range 100_000 {
		v := []byte(` { "a" : [ 1 , -2.5e+3 , { } , [ ] , { "b" : null , "c" : true } ] , "d" : "e" } `)
		for range 1 + rnd.IntN(2) {
			v[rnd.IntN(len(v))] = "{}[],:\"0-. \\tn"[rnd.IntN(14)]
		}
		requireValue(t, string(v))
	}
}

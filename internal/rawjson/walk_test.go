package rawjson_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/rawjson"
)

// lines are objects, and texts that resemble objects.
var lines = []string{
	`{}`, ` { } `, `{"a":1}`, "\t{\"a\" : 1 ,\r\n\"b\" : [ 1 , { \"c\" : \"]}\" } ] }\n", `{"a":"\"}","b":null}`,
	`{"a":-0.5e+10,"b":true,"c":false,"d":{},"e":[]}`, `{"a":1,"a":2}`, `{"\u0061":1}`, `{"":""}`,
	`{"n":123456789012345678901234567890}`, `{"a":"\ud83d","b":["\ude42"]}`, `{"a":"\ud83d\ude42"}`,
	``, ` `, `{`, `}`, `[]`, `[1]`, `null`, `"a"`, `1`, `{"a"}`, `{"a":}`, `{"a":1,}`, `{,"a":1}`, `{"a":1 "b":2}`,
	`{"a":1}}`, `{"a":1}{}`, `{"a":1} x`, `{a:1}`, `{'a':1}`, `{"a":[}`, `{"a":{]}`, `{"a":[1,]}`, `{"a":01}`,
	`{"a":tru}`, `{"a":nulll}`, `{"a":1.}`, `{"a":+1}`, `{"a":"` + "\n" + `"}`, `{"a":"\x"}`, `{"a":NaN}`,
	`{"a":[[[[{"b":[[]]}]]]]}`, "\ufeff{}", `{"a":"b`, `{"a`, `{"a":"\`, `{"a":"\ud8`, "{\"a\xff\":\"\xff\"}",
}

func FuzzWalkReadsWhatEncodingJSONReads(f *testing.F) {
	for _, l := range lines {
		f.Add([]byte(l))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		line = rawjson.Valid(line)
		var want map[string]json.RawMessage
		bad := json.Unmarshal(line, &want)
		if bytes.Equal(bytes.TrimSpace(line), []byte("null")) {
			bad = rawjson.ErrSyntax // encoding/json decodes null into a map, but null is not an object
		}

		got := make(map[string]json.RawMessage)
		o := rawjson.Walk(line)
		for {
			key, value, ok := o.Next()
			if !ok {
				break
			}
			require.True(t, json.Valid(value), "%q", value)
			require.True(t, json.Valid(token(key)), "%q", key)
			require.Equal(t, hasLone(value), o.Lone(), "%s", value)
			got[rawjson.String(key).String()] = value
		}
		if bad != nil {
			require.ErrorIs(t, o.Err(), rawjson.ErrSyntax, "%q", line)
			return
		}
		require.NoError(t, o.Err(), "%q", line)
		require.Len(t, got, len(want))
		for k, v := range want {
			require.Equal(t, string(v), string(got[k]), "%q", k)
		}
		_, _, ok := o.Next()
		require.False(t, ok, "the end stays the end")
	})
}

func TestWalkGivesMembersInOrderAndRepeats(t *testing.T) {
	o := rawjson.Walk([]byte(` {"b" : 1, "a":[ 2 ],"b":"x"} `))
	var got []string
	for {
		key, value, ok := o.Next()
		if !ok {
			break
		}
		got = append(got, string(key)+"="+string(value))
	}
	require.NoError(t, o.Err())
	require.Equal(t, []string{`b=1`, `a=[ 2 ]`, `b="x"`}, got)
}

func TestWalkGivesSlicesOfTheLine(t *testing.T) {
	line := []byte(`{"key":"value"}`)
	o := rawjson.Walk(line)
	key, value, ok := o.Next()
	require.True(t, ok)
	require.Same(t, &line[2], &key[0])
	require.Same(t, &line[7], &value[0])
}

func TestWalkStopsAtTheFirstFault(t *testing.T) {
	o := rawjson.Walk([]byte(`{"a":1,"b":?,"c":3}`))
	_, _, ok := o.Next()
	require.True(t, ok)
	for range 3 {
		_, _, ok = o.Next()
		require.False(t, ok)
		require.ErrorIs(t, o.Err(), rawjson.ErrSyntax)
	}
}

func TestWalkNestsAsDeepAsEncodingJSON(t *testing.T) {
	for _, depth := range []int{100, 9998, 9999, 10000, 10001, 20000} {
		line := []byte(`{"a":` + strings.Repeat("[", depth) + strings.Repeat("]", depth) + `}`)
		o := rawjson.Walk(line)
		for ok := true; ok; {
			_, _, ok = o.Next()
		}
		require.Equal(t, json.Valid(line), o.Err() == nil, "%d arrays", depth)
	}
}

func FuzzCleanValueSuitsStrictReaders(f *testing.F) {
	for _, l := range lines {
		f.Add([]byte(l))
	}
	for _, b := range bodies {
		f.Add([]byte(`{"` + b + `":["` + b + `",{"x":"` + b + `"}]}`))
	}
	f.Add([]byte(`1E9012`))
	f.Fuzz(func(t *testing.T, v []byte) {
		v = rawjson.Valid(v)
		if !json.Valid(v) {
			rawjson.CleanValue(v) // must not panic
			return
		}
		clean := rawjson.CleanValue(v)
		require.True(t, json.Valid(clean))
		require.False(t, hasLone(clean), "%s", clean)
		require.Equal(t, asWritten(t, v), asWritten(t, clean))
		if !hasLone(v) {
			require.Equal(t, string(v), string(clean))
		}
	})
}

// asWritten decodes v, with numbers as they are written, however large.
func asWritten(t *testing.T, v []byte) (out any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(v))
	d.UseNumber()
	require.NoError(t, d.Decode(&out))
	return out
}

func FuzzValidMakesUTF8(f *testing.F) {
	for _, s := range tricky {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		got := rawjson.Valid(line)
		require.True(t, utf8.Valid(got))
		if utf8.Valid(line) {
			require.Equal(t, line, got)
		}
		require.Equal(t, bytes.Count(line, []byte("\n")), bytes.Count(got, []byte("\n")), "lines stay lines")
	})
}

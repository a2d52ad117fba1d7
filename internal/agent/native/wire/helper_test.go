package wire_test

import (
	"encoding/json"
	"reflect"
	"strconv"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/native/wire"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// decode decodes one line, which yields one event or an error.
func decode(t *testing.T, line string) (agent.Event, error) {
	t.Helper()
	return decodeWith(t, wire.Dialect.NewDecoder(), line)
}

func decodeWith(t *testing.T, d dialect.Decoder, line string) (agent.Event, error) {
	t.Helper()
	var got agent.Event
	err := d.Decode([]byte(line), func(e agent.Event) bool {
		require.Nil(t, got, "one line, one event")
		got = e
		return true
	})
	require.Equal(t, err == nil, got != nil, "an event or an error: %s", line)
	return got, err
}

// mustDecode decodes a line with an event.
func mustDecode(t *testing.T, line string) agent.Event {
	t.Helper()
	e, err := decode(t, line)
	require.NoError(t, err, "%s", line)
	return e
}

// requireStrict checks that a decoded event encodes as one line that strict
// readers accept.
func requireStrict(t *testing.T, e agent.Event) []byte {
	t.Helper()
	line := agent.AppendJSON(nil, e)
	requireStrictJSON(t, line)
	return line
}

func requireStrictJSON(t *testing.T, line []byte) {
	t.Helper()
	require.True(t, json.Valid(line), "%q", line)
	require.True(t, utf8.Valid(line), "%q", line)
	o := rawjson.Walk(line)
	for {
		_, value, ok := o.Next()
		if !ok {
			break
		}
		require.False(t, o.Lone(), "a lone surrogate in %s", value)
	}
	require.NoError(t, o.Err())
}

// fill sets every encoded field of e to a different non-zero value, and adds
// members that the event's type does not define.
func fill(e agent.Event) agent.Event {
	n := 0
	fillValue(reflect.ValueOf(e).Elem(), &n)
	e.Common().Extra = []byte(`"unknownField":{"b":18446744073709551615,"a":[1.50]},"x":"\u00e4"`)
	return e
}

func fillValue(v reflect.Value, n *int) {
	*n++
	switch v.Interface().(type) {
	case agent.Raw:
		v.SetBytes([]byte(`{"z":` + strconv.Itoa(*n) + `,"big":123456789012345678901234567890,"a":[null]}`))
		return
	case agent.Text:
		v.Set(reflect.ValueOf(rawjson.Wrap([]byte(`text ` + strconv.Itoa(*n) + ` \n\ud83d\ude42ä<`))))
		return
	}
	if value, ok := reflect.TypeAssert[*agent.Value](v.Addr()); ok {
		*value = agent.Chosen("choice " + strconv.Itoa(*n))
		if *n%2 == 0 {
			*value = agent.Switched(true)
		}
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString("value " + strconv.Itoa(*n) + " \"<ä\n")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(*n))
	case reflect.Float64:
		v.SetFloat(float64(*n) + 0.5)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fillValue(v.Elem(), n)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fillValue(v.Index(0), n)
		fillValue(v.Index(1), n)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).Tag.Get("json") != "-" {
				fillValue(v.Field(i), n)
			}
		}
	default:
		panic("no value for a field of type " + v.Type().String())
	}
}

package v1_test

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

func TestInitializeRequestIsReadAsItWasWritten(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		var want, got v1.InitializeRequest
		fillSome(r, reflect.ValueOf(&want).Elem())
		raw, err := json.Marshal(want)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(raw, &got), "%s", raw)
		require.Equal(t, want, got)
	}
}

// fillSome sets about half of v's fields.
func fillSome(r *rand.Rand, v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for _, f := range v.Fields() {
			fillSome(r, f)
		}
	case reflect.Pointer:
		if r.IntN(2) == 0 {
			v.Set(reflect.New(v.Type().Elem()))
			fillSome(r, v.Elem())
		}
	case reflect.Slice:
		if n := r.IntN(3); n > 0 {
			v.Set(reflect.MakeSlice(v.Type(), n, n))
			for i := range n {
				fillSome(r, v.Index(i))
			}
		}
	case reflect.Map:
		if r.IntN(4) == 0 {
			values := []any{true, "a\"\u2028<", 1.5, 7.0, []any{"x"}, map[string]any{"k": nil}}
			v.Set(reflect.ValueOf(v1.Meta{"b": values[r.IntN(len(values))], "a<": values[r.IntN(len(values))]}))
		}
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	case reflect.Uint16:
		v.SetUint(uint64(r.IntN(1 << 16)))
	case reflect.String:
		v.SetString([]string{"", "x", "a & \"b\"\n", "é\U0001F642"}[r.IntN(4)])
	default:
		panic("fillSome: " + v.Kind().String())
	}
}

func TestInitializeErrorsNameTheMember(t *testing.T) {
	for params, want := range map[string]string{
		`{}`:                                             "protocolVersion is missing",
		`{"protocolVersion":null}`:                       "protocolVersion is missing",
		`{"protocolVersion":"1"}`:                        "protocolVersion must be a whole number from 0 to 65535, not ",
		`{"protocolVersion":1.5}`:                        "protocolVersion must be a whole number from 0 to 65535, not ",
		`{"protocolVersion":-1}`:                         "protocolVersion must be a whole number from 0 to 65535, not ",
		`{"protocolVersion":65536}`:                      "protocolVersion must be a whole number from 0 to 65535, not ",
		`{"protocolVersion":1,"clientCapabilities":7}`:   "must be an object, not a number",
		`{"protocolVersion":1,"clientCapabilities":[7]}`: "must be an object, not an array",
		`{"protocolVersion":1,"clientCapabilities":{"fs":{"readTextFile":"true"}}}`:                 "readTextFile must be a boolean, not a string",
		`{"protocolVersion":1,"clientCapabilities":{"terminal":1}}`:                                 "terminal must be a boolean, not a number",
		`{"protocolVersion":1,"clientCapabilities":{"session":{"configOptions":{"boolean":true}}}}`: "must be an object, not a boolean",
		`{"protocolVersion":1,"clientCapabilities":{"elicitation":{"form":"x"}}}`:                   "must be an object, not a string",
		`{"protocolVersion":1,"clientInfo":{"name":7}}`:                                             "name must be a string, not a number",
		`{"protocolVersion":1,"clientInfo":"zed"}`:                                                  "clientInfo",
	} {
		var r v1.InitializeRequest
		require.ErrorContains(t, json.Unmarshal([]byte(params), &r), want, params)
	}
	var r v1.InitializeRequest
	require.ErrorContains(t, json.Unmarshal([]byte(`{"protocolVersion":1,"_meta":7}`), &r), "must be an object, not a number")
}

func TestNamesOfCapabilitiesAreExact(t *testing.T) {
	var r v1.InitializeRequest
	require.NoError(t, json.Unmarshal([]byte(`{"protocolVersion":1,"clientCapabilities":{"FS":{"readTextFile":true},"fs":{"f\u0073":7,"write\u0054extFile":true,"readtextfile":true}}}`), &r))
	require.Equal(t, v1.FileSystemCapabilities{WriteTextFile: true}, r.ClientCapabilities.FS)
}

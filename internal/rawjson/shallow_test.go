package rawjson_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/rawjson"
)

func TestPartsThatAreTooDeepBecomeText(t *testing.T) {
	for v, want := range map[string]string{
		`{"a":[1,2],"b":"[[[["}`:               `{"a":[1,2],"b":"[[[["}`,
		`{"a":[[1,"]\"["]],"b":{"c":{}}}`:      `{"a":["[1,\"]\\\"[\"]"],"b":{"c":"{}"}}`,
		`{"a":[[1],[2]],"id":"x"}`:             `{"a":["[1]","[2]"],"id":"x"}`,
		`[[[[[]]]]]`:                           `[["[[[]]]"]]`,
		`{"a":[[[`:                             `{"a":[[[`,
		`{"a":[["`:                             `{"a":[["`,
		`7`:                                    `7`,
		`{"a":[[1]],"b":[["` + "\xff" + `"]]}`: `{"a":["[1]"],"b":["[\"` + "\ufffd" + `\"]"]}`,
	} {
		require.Equal(t, want, string(rawjson.Shallow([]byte(v), 2)), v)
	}
	deep := `{"args":` + strings.Repeat(`{"a":[`, 10_000) + strings.Repeat(`]}`, 10_000) + `,"id":"x"}`
	require.False(t, json.Valid([]byte(deep)), "nobody reads it as it is")
	got := rawjson.Shallow([]byte(deep), 1000)
	require.True(t, json.Valid(got))
	require.Equal(t, 1000, rawjson.Depth(got))
	require.True(t, strings.HasSuffix(string(got), `,"id":"x"}`))
}

package protocol_test

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// For any input, every written line is a response, and the last request is answered.
func FuzzReadObject(f *testing.F) {
	for _, c := range refused {
		f.Add([]byte(c.line))
	}
	for _, text := range tolerated {
		f.Add([]byte(text))
	}
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"error":null}` + "\n" + `{"jsonrpc":"2.0","id":1,"result":0,"Method":"x"}`))
	f.Add([]byte(`{"jsonrpc":"2.0","\u0069d":-1,"method":"m"}` + "\n" + `{"jsonrpc":"2.0","id":1,"ID":2,"method":"m"}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		const last = "\n" + `{"jsonrpc":"2.0","id":"the last","method":"end"}` + "\n"
		lines := converse(io.MultiReader(bytes.NewReader(in), strings.NewReader(last)))
		require.NotEmpty(t, lines)
		require.Equal(t, answer(`"the last"`, "end"), lines[len(lines)-1])
		for _, text := range lines {
			var response struct {
				Version string          `json:"jsonrpc"`
				ID      json.RawMessage `json:"id"`
				Result  *string         `json:"result"`
				Error   *struct {
					Code    int64  `json:"code"`
					Message string `json:"message"`
				} `json:"error"`
			}
			require.NoError(t, json.Unmarshal([]byte(text), &response), "%q", text)
			require.Equal(t, "2.0", response.Version)
			require.NotEmpty(t, response.ID)
			require.NotEqual(t, response.Result == nil, response.Error == nil, "%s", text)
		}
	})
}

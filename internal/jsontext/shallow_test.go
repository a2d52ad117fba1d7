package jsontext

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func nested(n int) string { return strings.Repeat(`{"a":[`, n) + `"]}"` + strings.Repeat("]}", n) }

func TestWhatNestsTooDeepBecomesText(t *testing.T) {
	v := `{"type":"x","args":` + nested(20_000) + `,"last":[1]}`
	require.False(t, json.Valid([]byte(v)), "encoding/json gives up")
	got, ok := Shallow([]byte(v))
	require.True(t, ok)
	require.True(t, json.Valid(got))
	require.LessOrEqual(t, Depth(got), maxNested)
	var back struct {
		Type string
		Args json.RawMessage
		Last []int
	}
	require.NoError(t, json.Unmarshal(got, &back))
	require.Equal(t, "x", back.Type)
	require.Equal(t, []int{1}, back.Last)
	// Put in the place of the string, its text gives the value back.
	var text string
	at := strings.Index(string(back.Args), `"[{`)
	require.NoError(t, json.NewDecoder(strings.NewReader(string(back.Args[at:]))).Decode(&text))
	quoted, err := json.Marshal(text)
	require.NoError(t, err)
	require.Contains(t, v, text)
	require.Equal(t, nested(20_000), strings.Replace(string(back.Args), string(quoted), text, 1))
}

func TestWhatIsReadAsItIsStaysAsItIs(t *testing.T) {
	for _, v := range []string{``, `{}`, `[`, nested(100), nested(4000), strings.Repeat("[", 20_000), strings.Repeat("]", 20_000), nested(20_000) + "]", `{"a` + nested(20_000)} {
		got, ok := Shallow([]byte(v))
		require.False(t, ok, "%.40s", v)
		require.Equal(t, v, string(got))
	}
}

func FuzzShallowIsReadable(f *testing.F) {
	f.Add([]byte(`{"a":[1,{"b":"c"}]}`), 6000)
	f.Add([]byte(`["]","\"["]`), 10001)
	f.Fuzz(func(t *testing.T, v []byte, n int) {
		if !json.Valid(v) || n < 0 || n > 20_000 {
			return
		}
		deep := append(append([]byte(strings.Repeat("[", n)), v...), strings.Repeat("]", n)...)
		got, ok := Shallow(deep)
		if !ok {
			require.Equal(t, string(deep), string(got))
			return
		}
		require.True(t, json.Valid(got), "%.200s", got)
		require.LessOrEqual(t, Depth(got), maxNested)
	})
}

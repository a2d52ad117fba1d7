package relay

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/bridge/consent"
)

// described returns the known details of a call after these updates.
func described(updates ...string) consent.Call {
	var f callDetails
	for _, u := range updates {
		scanned := scan([]byte(u), nil)
		for _, m := range scanned.members {
			f.record(m.key, m.value)
		}
	}
	c := consent.Call{Dir: "/w"}
	f.describe(&c)
	return c
}

func TestRulesApplyToTheMergedCall(t *testing.T) {
	call := `{"kind":"execute","rawInput":{"command":"rm -r x"},"locations":[{"path":"/w/a"}],"_meta":{"claudeCode":{"toolName":"Bash"}}}`
	want := described(call)
	require.Equal(t, "execute", want.Kind)
	require.Equal(t, "Bash", want.Tool)
	require.Equal(t, "rm -r x", want.Command)
	require.Contains(t, want.Paths, "/w/a")
	for _, nothing := range []string{
		`{"kind":null,"rawInput":null,"locations":null,"content":null,"_meta":null}`,
		`{"kind":"","name":"","locations":7,"_meta":"x"}`,
		`{"_meta":{"turnwire.dev/percent":3}}`,
	} {
		require.Equal(t, want, described(call, nothing), nothing)
	}
	require.Equal(t, "named", described(call, `{"name":"named"}`).Tool)
	require.Empty(t, described(call, `{"_meta":{"claudeCode":null}}`).Tool)
	require.Equal(t, "Write", described(call, `{"\u005fmeta":{"\u0063laudeCode":{"toolName":"Write"}}}`).Tool)
	require.Empty(t, described(call, `{"locations":[],"rawInput":{}}`).Paths)
}

func TestLongInputIsNotRemembered(t *testing.T) {
	require.Empty(t, described(`{"rawInput":{"command":"a"}}`, `{"rawInput":{"command":"`+strings.Repeat("b", maxInput)+`"}}`).Command)
}

package terminal

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAnAgentThatNeedsALoginSaysHow(t *testing.T) {
	needed := &AgentError{Code: -32000, Message: "Authentication required"}
	for name, c := range map[string]struct{ hello, want string }{
		"in its own ways": {
			`{"authMethods":[{"id":"key","name":"API Key","description":"Use \u001b[31ma key"},{"id":"sub","type":"terminal","args":["--cli","login"]}]}`,
			"Authentication required; log in first:\n  API Key: Use a key\n  sub (run the agent's command in a terminal with --cli login)",
		},
		"not at all": {`{"authMethods":[]}`, "Authentication required; the agent does not say how to log in: see its documentation"},
	} {
		t.Run(name, func(t *testing.T) {
			var g initializeResult
			require.NoError(t, json.Unmarshal([]byte(c.hello), &g))
			require.EqualError(t, g.withLogin(needed), c.want)
		})
	}
	other := errors.New("lost")
	require.Equal(t, other, new(initializeResult).withLogin(other))
}

package agents_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/app/agents"
)

func TestUsersSeeTheNameInAKey(t *testing.T) {
	require.Equal(t, "kettle", agents.NameOfKey(agents.Key("kettle", "", nil)))
	require.Equal(t, "python3", agents.NameOfKey(agents.Key("process", "", []string{"/usr/bin/python3", "agent.py"})))
	require.Equal(t, "a:b", agents.NameOfKey("a:b"), "a configured name can contain a colon")
}

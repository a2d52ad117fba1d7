package cli

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/protocol/ahp"
)

func TestEveryAgentHasAProvider(t *testing.T) {
	for name, want := range map[string]string{
		"": "turnwire", "ethos": "turnwire-ethos", "My Agent": "turnwire-myxagent", "9.x-y": "turnwire-x.x-y", "äö": "turnwire-xx", "../x": "turnwire-x.xx",
	} {
		require.Equal(t, want, providerOf(name), name)
		require.True(t, ahp.IsProvider(providerOf(name)), name)
	}
}

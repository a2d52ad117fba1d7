package relay

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestForksAfterMessagesAreKnownOrAnnounced(t *testing.T) {
	for initialized, want := range map[string]bool{
		`{"agentInfo":{"name":"@agentclientprotocol/claude-agent-acp","version":"0.101.0"}}`:                           true,
		`{"agentInfo":{"name":"@agentclientprotocol/claude-agent-acp","version":"1.0.0-beta"}}`:                        true,
		`{"agentInfo":{"name":"@agentclientprotocol/claude-agent-acp","version":"0.100.9"}}`:                           false,
		`{"agentInfo":{"name":"@agentclientprotocol/claude-agent-acp","version":"new"}}`:                               false,
		`{"agentInfo":{"name":"@agentclientprotocol/claude-agent-acp"}}`:                                               false,
		`{"agentInfo":{"name":"@agentclientprotocol/codex-acp","version":"2.6.0"}}`:                                    true,
		`{"agentInfo":{"name":"@agentclientprotocol/codex-acp","version":"2.5.9"}}`:                                    false,
		`{"agentInfo":{"name":"other","version":"9.0.0"}}`:                                                             false,
		`{"agentCapabilities":{"_meta":{"jetbrains":{"air":{"fork":{"version":1,"inclusive":true}}}}},"agentInfo":[]}`: true,
		`{"agentCapabilities":{"_meta":{"jetbrains":{"air":{"fork":{"version":2,"inclusive":true}}}}}}`:                false,
		`{"agentCapabilities":{"_meta":{"jetbrains":{"air":{"fork":{"version":1}}}}}}`:                                 false,
		`{"agentCapabilities":{"_meta":{"jetbrains":[]}}}`:                                                             false,
		`{"agentCapabilities":7}`: false,
	} {
		require.Equal(t, want, forksAfterMessages([]byte(initialized)), initialized)
	}
}

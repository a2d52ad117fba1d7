package v1_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

func TestAnEmptyArrayMeansAnEmptyObject(t *testing.T) {
	var r v1.InitializeRequest
	require.NoError(t, json.Unmarshal([]byte(`{"protocolVersion":1,"clientCapabilities":[],"_meta":[]}`), &r))
	require.Equal(t, v1.ClientCapabilities{}, r.ClientCapabilities)

	require.NoError(t, json.Unmarshal([]byte(`{"protocolVersion":1,"clientCapabilities":
		{"fs":[],"auth":[],"_meta":[],"session":{"notices":[],"compaction":[]},"elicitation":{"form":[],"url":[]}}}`), &r))
	require.NotNil(t, r.ClientCapabilities.Session.Notices)
	require.NotNil(t, r.ClientCapabilities.Session.Compaction)
	require.NotNil(t, r.ClientCapabilities.Elicitation.Form)
}

func TestNullMeansMissing(t *testing.T) {
	var r v1.InitializeRequest
	require.NoError(t, json.Unmarshal([]byte(`{"protocolVersion":1,"clientInfo":null,"_meta":null,"clientCapabilities":
		{"fs":null,"terminal":null,"auth":null,"_meta":null,"session":{"notices":null},"elicitation":null}}`), &r))
	require.Nil(t, r.ClientInfo)
	require.Nil(t, r.ClientCapabilities.Session.Notices)
	require.Nil(t, r.ClientCapabilities.Elicitation)
	require.NoError(t, json.Unmarshal([]byte(`{"protocolVersion":1,"clientCapabilities":null}`), &r))
}

func TestServersMayBeLeftOut(t *testing.T) {
	for _, servers := range []string{`[]`, `{}`, `null`} {
		var r v1.NewSessionRequest
		require.NoError(t, json.Unmarshal([]byte(`{"cwd":"/","mcpServers":`+servers+`,"additionalDirectories":null}`), &r), servers)
		require.Empty(t, r.MCPServers)
	}
	for _, servers := range []string{`7`, `"x"`, `true`, `{"a":1}`, `[7]`, `[null]`, `[{}]`, `[{"name":null}]`, `[{"name":7}]`} {
		var r v1.NewSessionRequest
		require.Error(t, json.Unmarshal([]byte(`{"cwd":"/","mcpServers":`+servers+`}`), &r), servers)
	}
}

func TestUnknownMembersAreIgnored(t *testing.T) {
	var r v1.PromptRequest
	require.NoError(t, json.Unmarshal([]byte(`{"sessionId":"s","x":{"y":1},"prompt":[{"type":"text","text":"a","annotations":null,"z":[]}]}`), &r))
	require.Len(t, r.Prompt, 1)
}

func TestOnlyASelectedOutcomeHasAnOption(t *testing.T) {
	require.Equal(t, "a", v1.PermissionOutcome{Outcome: "selected", OptionID: "a"}.Selected())
	require.Empty(t, v1.PermissionOutcome{Outcome: "cancelled", OptionID: "a"}.Selected())
	require.Empty(t, v1.PermissionOutcome{OptionID: "a"}.Selected())
}

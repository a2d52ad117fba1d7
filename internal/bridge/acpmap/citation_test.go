package acpmap_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/normalize"
	"github.com/turnwire/turnwire/internal/bridge/acpmap"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// cited returns the text that the client shows for a source.
func cited(t *testing.T, e agent.Citation) string {
	t.Helper()
	updates := acpmap.Map(normalize.Step{Event: &e}, acpmap.Client{})
	require.Len(t, updates, 1)
	chunk, ok := updates[0].(*v1.MessageChunk)
	require.True(t, ok)
	require.Equal(t, v1.AgentMessage, chunk.Kind)
	text, ok := chunk.Content.(*v1.TextBlock)
	require.True(t, ok)
	return text.Text.String()
}

func TestCitationsBecomeLinksInTheAnswer(t *testing.T) {
	for want, e := range map[string]agent.Citation{
		" [The Go spec](https://go.dev/ref/spec#Types)": {Title: "The Go spec", URI: "https://go.dev/ref/spec#Types"},
		" [https://go.dev/](https://go.dev/)":           {URI: "https://go.dev/"},
		" [a b](file:///w/a%20b.md)":                    {Title: "a\n b", URI: "file:///w/a b.md"},
		" [\\[x\\](https://evil](https://good/%28x%29)": {Title: "[x](https://evil", URI: "https://good/(x)"},
		" (Click javascript:alert(1))":                  {Title: "Click", URI: "javascript:alert(1)"},
		" (no link)":                                    {Title: "no link"},
		" (RFC 8259 urn:ietf:rfc:8259)":                 {Title: "RFC 8259", URI: "urn:ietf:rfc:8259"},
	} {
		require.Equal(t, want, cited(t, e))
	}
}

func TestALinkWithoutATitleHidesNothing(t *testing.T) {
	require.Equal(t, ` [https://x/\\u202eb](https://x/%E2%80%AEb)`, cited(t, agent.Citation{URI: "https://x/\u202eb"}))
}

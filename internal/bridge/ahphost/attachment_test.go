package ahphost

import (
	"encoding/base64"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/protocol/ahp"
)

// VS Code's attachments of a host's files have URIs that only VS Code understands.
func TestAttachmentURIsAreTranslated(t *testing.T) {
	about := func(s string) string { return "_ah%3D" + base64.RawURLEncoding.EncodeToString([]byte(s)) }
	for uri, want := range map[string]string{
		"file:///w/a": "file:///w/a",
		"vscode-agent-host://local/w/a%20b?" + about(`{"scheme":"file"}`):                                   "file:///w/a%20b",
		"vscode-agent-host://local/id/notes.md?" + about(`{"scheme":"turnwire-content","contentRef":true}`): "turnwire-content:/id/notes.md",
		"vscode-agent-host://local/w/a?_ah=%%":                                                              "vscode-agent-host://local/w/a?_ah=%%",
		"vscode-agent-host://local/w/a?" + about(`{}`):                                                      "vscode-agent-host://local/w/a?" + about(`{}`),
		"vscode-agent-host://local/w/a?" + about(`nope`):                                                    "vscode-agent-host://local/w/a?" + about(`nope`),
		"": "",
	} {
		require.Equal(t, want, hostURI(uri))
	}
	c := new(contents)
	uri := c.keep("/w/notes.md", "a side")
	m := c.unwrapped(ahp.Message{Attachments: []ahp.Attachment{{Type: ahp.AttachResource, Label: "notes.md", URI: uri}}})
	require.Equal(t, "notes.md:\n\na side", m.Attachments[0].ModelRepresentation)
}

package ahphost

import (
	"encoding/base64"
	"net/url"
	"strings"

	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/protocol/ahp"
)

// editorScheme is the scheme of VS Code's URIs for the files of hosts.
const editorScheme = "vscode-agent-host"

// hostURI returns the host's URI for a resource that VS Code knows under its own URI.
// In that URI, the path is the host's, and the query contains the scheme. Other URIs
// are returned unchanged.
func hostURI(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != editorScheme {
		return uri
	}
	query, err := url.QueryUnescape(u.RawQuery)
	if err != nil {
		return uri
	}
	_, encoded, _ := strings.Cut(query, "_ah=")
	raw, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(encoded, "="))
	var about struct {
		Scheme string `json:"scheme"`
	}
	if err != nil || exactjson.Unmarshal(raw, &about) != nil || about.Scheme == "" {
		return uri
	}
	if about.Scheme == "file" {
		return (&url.URL{Scheme: "file", Path: u.Path}).String()
	}
	return about.Scheme + ":" + u.EscapedPath()
}

// unwrapped returns the message with attachments that the agent can find: files have
// their own URIs, and texts that are not in a file are included.
func (c *contents) unwrapped(m ahp.Message) ahp.Message {
	attachments := make([]ahp.Attachment, 0, len(m.Attachments))
	for _, a := range m.Attachments {
		a.URI = hostURI(a.URI)
		if text, found := c.text(a.URI); found {
			a = ahp.Attachment{Type: ahp.AttachSimple, Label: a.Label, ModelRepresentation: a.Label + ":\n\n" + text}
		}
		attachments = append(attachments, a)
	}
	m.Attachments = attachments
	return m
}

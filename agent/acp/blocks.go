package acp

import (
	"fmt"

	"github.com/turnwire/turnwire/agent"
)

// blocks is what is prompted: the editor's blocks, as far as the agent takes
// them. A picture that cannot be sent is no part that could be left out; an
// embedded text can be sent as text.
func (l *conn) blocks(p agent.Prompt) ([]agent.Content, error) {
	if len(p.Blocks) == 0 {
		return []agent.Content{{Type: "text", Text: p.Text}}, nil
	}
	out := make([]agent.Content, 0, len(p.Blocks))
	for _, c := range p.Blocks {
		switch {
		case c.Type == "image" && !l.able.Prompt.Image, c.Type == "audio" && !l.able.Prompt.Audio:
			return nil, &userError{codeContent, fmt.Sprintf("%s takes no %s in prompts; send the prompt without it", l.config.Name, c.Type), nil}
		case c.Type == "resource" && !l.able.Prompt.Embed && c.Resource != nil:
			out = append(out, unembedded(*c.Resource)...)
		default:
			out = append(out, c)
		}
	}
	return out, nil
}

// unembedded is a resource for agents that take none: a link to it, and its
// text.
func unembedded(r agent.Resource) []agent.Content {
	out := []agent.Content{{Type: "resource_link", URI: r.URI, Name: r.URI, MIMEType: r.MIMEType}}
	if r.Text != nil {
		out = append(out, agent.Content{Type: "text", Text: r.URI + ":\n" + *r.Text})
	}
	return out
}

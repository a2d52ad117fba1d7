package events

import (
	"net/url"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/bridge/core"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/protocol"
)

// prompt handles session/prompt. It queues the prompt before the editor's next message
// is read.
func (c *source) prompt(call *core.Call) error {
	var req v1.PromptRequest
	if err := call.Decode(&req); err != nil {
		return err
	}
	s, err := c.sessions.get(req.SessionID)
	if err != nil {
		return err
	}
	if req.Prompt == nil {
		return missing("prompt")
	}
	takes := s.setup.taking()
	if err := taken(req.Prompt, takes.PromptTakes, "prompt"); err != nil {
		return err
	}
	blocks := contents(req.Prompt)
	return s.queue.submit(&prompt{request: call, blocks: blocks, trace: traceOf(req.Meta), messageID: req.MessageID(), steer: adviceIn(blocks, takes)})
}

// taken returns an error if a prompt has a block of a type that the agent does not
// accept. declared is the member of agent_info that lists the types.
func taken(blocks v1.Blocks, takes agent.PromptTakes, declared string) error {
	for i, b := range blocks {
		var what, member string
		switch b.(type) {
		case *v1.ImageBlock:
			if !takes.Image {
				what, member = "images", "image"
			}
		case *v1.AudioBlock:
			if !takes.Audio {
				what, member = "audio", "audio"
			}
		}
		if what != "" {
			return protocol.Errorf(protocol.CodeInvalidParams,
				`prompt[%d] has the type %s, but the agent does not accept %s; an agent that does declares it with {"type":"agent_info",%q:{%q:true}}`,
				i, b.BlockType(), what, declared, member).With("type", b.BlockType())
		}
	}
	return nil
}

// contents converts blocks to the form that agents receive.
func contents(blocks v1.Blocks) []agent.Content {
	out := make([]agent.Content, 0, len(blocks))
	for _, b := range blocks {
		c := agent.Content{Type: b.BlockType()}
		switch b := b.(type) {
		case *v1.TextBlock:
			c.Text = b.Text.String()
		case *v1.ImageBlock:
			c.Data, c.MIMEType, c.URI = b.Data, b.MIMEType, b.URI
		case *v1.AudioBlock:
			c.Data, c.MIMEType = b.Data, b.MIMEType
		case *v1.ResourceLink:
			c.Name, c.URI, c.Title, c.MIMEType, c.Size = b.Name, b.URI, b.Title, b.MIMEType, b.Size
		case *v1.EmbeddedResource:
			r := b.Resource
			c.Resource = &agent.Resource{URI: r.URI, MIMEType: r.MIMEType, Text: r.Text, Blob: r.Blob}
		}
		out = append(out, c)
	}
	return out
}

// flatten returns a prompt as plain text: its text with links, followed by the attached
// resources. Editors split a text with mentions into adjacent blocks, so only two
// consecutive text blocks are separate paragraphs.
func flatten(blocks []agent.Content) string {
	var text, attached strings.Builder
	last := ""
	for _, b := range blocks {
		switch b.Type {
		case "text":
			if last == "text" {
				text.WriteString("\n")
			}
			text.WriteString(b.Text)
		case "resource_link":
			text.WriteString(pathOf(b.URI))
		case "resource":
			if b.Resource.Text == nil {
				break
			}
			attached.WriteString("\n\n[" + pathOf(b.Resource.URI) + "]\n" + *b.Resource.Text)
		}
		last = b.Type
	}
	return text.String() + attached.String()
}

// textOf returns a message from the user as plain text.
func textOf(e *agent.UserMessage) string { return e.Text + flatten(e.Content) }

// pathOf returns the path of a file URI, or any other URI unchanged.
func pathOf(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" {
		return uri
	}
	return u.Path
}

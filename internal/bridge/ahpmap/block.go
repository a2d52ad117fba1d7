package ahpmap

import (
	"net/url"
	"path"
	"strings"

	"github.com/turnwire/turnwire/internal/protocol/ahp"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// blockText returns a block as Markdown.
func blockText(b v1.Block) v1.Text {
	if text, is := b.(*v1.TextBlock); is {
		return text.Text
	}
	return v1.NewText(otherText(b))
}

// otherText is like blockText, for blocks that are not text.
func otherText(b v1.Block) string {
	switch b := b.(type) {
	case *v1.ResourceLink:
		return "[" + b.Name + "](" + b.URI + ")"
	case *v1.EmbeddedResource:
		if b.Resource.Text != nil {
			return *b.Resource.Text
		}
		return "[" + path.Base(b.Resource.URI) + "](" + b.Resource.URI + ")"
	case *v1.ImageBlock:
		if b.URI != "" {
			return "![image](" + b.URI + ")"
		}
		return "![image](data:" + b.MIMEType + ";base64," + b.Data + ")"
	case *v1.AudioBlock:
		return "*audio, " + b.MIMEType + "*"
	}
	return ""
}

// blockContent returns a block as tool content.
func blockContent(b v1.Block) ahp.ToolContent {
	switch b := b.(type) {
	case *v1.ImageBlock:
		return ahp.ToolContent{Type: ahp.ContentEmbedded, Data: b.Data, ContentType: b.MIMEType}
	case *v1.AudioBlock:
		return ahp.ToolContent{Type: ahp.ContentEmbedded, Data: b.Data, ContentType: b.MIMEType}
	case *v1.ResourceLink:
		return ahp.ToolContent{Type: ahp.ContentResource, URI: b.URI, ContentType: b.MIMEType}
	}
	return textContent(blockText(b))
}

func textContent(text v1.Text) ahp.ToolContent {
	return ahp.ToolContent{Type: ahp.ContentText, Text: &text}
}

// UserText adds a block to a user's message.
func UserText(m *ahp.Message, b v1.Block) {
	switch b := b.(type) {
	case *v1.ImageBlock:
		m.Attachments = append(m.Attachments, ahp.Attachment{
			Type: ahp.AttachEmbedded, Label: "image", DisplayKind: "image", Data: b.Data, ContentType: b.MIMEType,
		})
	case *v1.ResourceLink:
		m.Attachments = append(m.Attachments, ahp.Attachment{Type: ahp.AttachResource, Label: b.Name, URI: b.URI})
	case *v1.EmbeddedResource:
		a := ahp.Attachment{Type: ahp.AttachResource, Label: path.Base(b.Resource.URI), URI: b.Resource.URI}
		if b.Resource.Text != nil {
			a.Type, a.ModelRepresentation, a.URI = ahp.AttachSimple, *b.Resource.Text, ""
		}
		m.Attachments = append(m.Attachments, a)
	default:
		m.Text += blockText(b).String()
	}
}

// Prompt converts a user's message to a prompt. images is set if the agent accepts
// images.
func Prompt(m *ahp.Message, images bool) v1.Blocks {
	var blocks v1.Blocks
	if m.Text != "" || len(m.Attachments) == 0 {
		blocks = append(blocks, &v1.TextBlock{Text: v1.NewText(m.Text)})
	}
	for _, a := range m.Attachments {
		switch {
		case a.Type == ahp.AttachEmbedded && images && strings.HasPrefix(a.ContentType, "image/"):
			blocks = append(blocks, &v1.ImageBlock{Data: a.Data, MIMEType: a.ContentType})
		case a.Type == ahp.AttachResource && a.URI != "":
			blocks = append(blocks, &v1.ResourceLink{Name: a.Label, URI: a.URI, MIMEType: a.ContentType})
		case a.ModelRepresentation != "":
			blocks = append(blocks, &v1.TextBlock{Text: v1.NewText(a.ModelRepresentation)})
		case a.Label != "" && a.Type != ahp.AttachSimple: // if the content can't be sent, at least name it
			blocks = append(blocks, &v1.TextBlock{Text: v1.NewText("(attached, but not readable here: " + a.Label + ")")})
		}
	}
	return blocks
}

// FileURI returns the URI of a file. Windows paths start with a drive letter.
func FileURI(file string) string {
	file = strings.ReplaceAll(file, `\`, "/")
	if !strings.HasPrefix(file, "/") {
		file = "/" + file
	}
	return (&url.URL{Scheme: "file", Path: file}).String()
}

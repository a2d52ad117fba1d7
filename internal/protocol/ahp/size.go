package ahp

// Size returns the approximate memory size of the turn's texts, in bytes.
func (t *Turn) Size() int {
	size := len(t.Message.Text) + len(t.Message.Meta)
	for i := range t.Message.Attachments {
		size += len(t.Message.Attachments[i].Data) + len(t.Message.Attachments[i].Meta)
	}
	for i := range t.ResponseParts {
		size += t.ResponseParts[i].size()
	}
	return size
}

func (p *Part) size() int {
	size := len(p.Response)
	if p.Content != nil {
		size += len(p.Content.body)
	}
	if c := p.ToolCall; c != nil {
		size += len(c.PartialInput) + len(c.ToolInput) + len(c.InvocationMessage.Text) + len(c.PastTenseMessage)
		for i := range c.Content {
			size += len(c.Content[i].Data)
			if text := c.Content[i].Text; text != nil {
				size += text.Len()
			}
		}
	}
	if p.Request != nil {
		size += len(p.Request.Message)
	}
	return size
}

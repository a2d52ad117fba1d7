package wire

import (
	"slices"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// message is a message of a thread.
type message struct {
	ID       string  `json:"id"`
	Role     string  `json:"role"`
	Content  content `json:"content"`
	Metadata struct {
		InProgress bool   `json:"inProgress"`
		ToolCalls  []Call `json:"tool_calls"`
		ToolCallID string `json:"tool_call_id"`
		Name       string `json:"name"`
	} `json:"metadata"`
}

// content is a text, or a list of texts and images.
type content struct {
	text   string
	images []agent.Content
}

// UnmarshalJSON implements [json.Unmarshaler]. It ignores parts of unknown
// types.
func (c *content) UnmarshalJSON(b []byte) error {
	*c = content{}
	if len(b) == 0 || b[0] != '[' {
		return exactjson.Unmarshal(b, &c.text)
	}
	var parts []struct {
		Type     string `json:"type"`
		Text     string `json:"text"`
		ImageURL struct {
			URL string `json:"url"`
		} `json:"image_url"`
	}
	if err := exactjson.Unmarshal(b, &parts); err != nil {
		return err
	}
	var texts []string
	for _, p := range parts {
		switch {
		case p.Type == "text" && p.Text != "":
			texts = append(texts, p.Text)
		case p.Type == "image_url" && p.ImageURL.URL != "":
			c.images = append(c.images, image(p.ImageURL.URL))
		}
	}
	c.text = strings.Join(texts, "\n") // joined as the framework does for a planner
	return nil
}

// image returns the image at a URL, which may be a data URL.
func image(url string) agent.Content {
	if rest, ok := strings.CutPrefix(url, "data:"); ok {
		if mime, data, ok := strings.Cut(rest, ";base64,"); ok && strings.HasPrefix(mime, "image/") {
			return agent.Content{Type: "image", MIMEType: mime, Data: data}
		}
		return agent.Content{Type: "text", Text: "[unsupported image]"}
	}
	return agent.Content{Type: "resource_link", URI: url, Name: "image"}
}

// maxMessages limits the messages that are remembered. Messages follow one
// another, so the last few are enough.
const maxMessages = 64

// messages records which parts of which messages were shown.
type messages struct {
	current string   // the message that the agent started last
	text    []string // ids of messages whose text was shown
	whole   []string // ids of messages whose images were shown
}

// streams records that text of a message was emitted, and returns the message's
// id. A piece without an id belongs to the message that started last.
func (m *messages) streams(id string) string {
	if id == "" {
		id = m.current
	}
	remember(&m.text, id)
	return id
}

func remember(list *[]string, id string) {
	if slices.Contains(*list, id) {
		return
	}
	if len(*list) >= maxMessages {
		*list = slices.Delete(*list, 0, 1)
	}
	*list = append(*list, id)
}

type messageData struct {
	Message message `json:"message"`
}

// messageBegins decodes thread.message.created. User messages, and results of
// tools that were shown, are repetitions.
func (s *State) messageBegins(l *dialect.Line) {
	var data messageData
	if !l.Read(&data) {
		return
	}
	m := data.Message
	switch m.Role {
	case "user":
		return
	case "tool":
		s.toolMessage(m, l)
		return
	case "assistant":
		s.calls.forgetEnded()
		s.messages.current = m.ID
		if l.Emit(&agent.MessageStart{MessageID: m.ID, Role: m.Role}) && !m.Metadata.InProgress {
			s.show(m, l)
		}
		return
	}
	l.Emit(&agent.Telemetry{Name: messageCreated, Data: dataOf(l)})
}

// messageEnds decodes thread.message.completed.
func (s *State) messageEnds(l *dialect.Line) {
	var data messageData
	if !l.Read(&data) {
		return
	}
	m := data.Message
	switch m.Role {
	case "assistant", "":
	case "tool":
		s.toolMessage(m, l)
		return
	default:
		return // messageBegins has handled it
	}
	if !s.show(m, l) {
		return
	}
	for _, c := range m.Metadata.ToolCalls {
		if !s.announce(c, l) {
			return
		}
	}
	l.Emit(&agent.MessageEnd{MessageID: m.ID})
}

// show emits the parts of a complete message that the user has not seen.
func (s *State) show(m message, l *dialect.Line) bool {
	if m.Content.text != "" && !slices.Contains(s.messages.text, m.ID) {
		id := s.messages.streams(m.ID)
		if !l.Emit(&agent.TextDelta{MessageID: id, Text: agent.NewText(m.Content.text)}) {
			return false
		}
	}
	return s.showImages(m, l)
}

func (s *State) showImages(m message, l *dialect.Line) bool {
	if len(m.Content.images) == 0 || slices.Contains(s.messages.whole, m.ID) {
		return true
	}
	remember(&s.messages.whole, m.ID)
	for _, c := range m.Content.images {
		if !l.Emit(&agent.ContentBlock{Content: c, MessageID: m.ID}) {
			return false
		}
	}
	return true
}

package wire

import (
	"slices"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// message is what a thread keeps of something that was said.
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

// UnmarshalJSON implements [json.Unmarshaler]. Parts of a type that nobody
// knows are left out.
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
	c.text = strings.Join(texts, "\n") // as the framework joins them for a planner
	return nil
}

// image is the picture at a URL, which may hold the picture itself.
func image(url string) agent.Content {
	if rest, ok := strings.CutPrefix(url, "data:"); ok {
		if mime, data, ok := strings.Cut(rest, ";base64,"); ok && strings.HasPrefix(mime, "image/") {
			return agent.Content{Type: "image", MIMEType: mime, Data: data}
		}
		return agent.Content{Type: "text", Text: "[an image that cannot be shown]"}
	}
	return agent.Content{Type: "resource_link", URI: url, Name: "image"}
}

// maxMessages bounds the messages that are remembered. They come one after
// another, so the last few are enough.
const maxMessages = 64

// messages remembers of which messages the user has seen something.
type messages struct {
	current string   // the last that the agent began
	text    []string // those whose text was shown
	whole   []string // those that were shown with all that is in them
}

// streams notes that text of a message comes, and returns the message's id. A
// piece without one belongs to the message that began last.
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

// messageBegins decodes thread.message.created. It repeats the user's own
// words, and the results of tools that have been shown.
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
		return // it was told of when it was created
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

// show yields what of a whole message the user has not seen.
func (s *State) show(m message, l *dialect.Line) bool {
	if m.Content.text != "" && !slices.Contains(s.messages.text, m.ID) {
		id := s.messages.streams(m.ID)
		if !l.Emit(&agent.TextDelta{MessageID: id, Text: rawjson.Quote(m.Content.text)}) {
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

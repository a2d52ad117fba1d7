package chat

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/conversation"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// maxMessage limits the agent's message, in bytes of its stream.
const maxMessage = 32 << 20

var errTooLong = errors.New("the agent's message is too long to continue the conversation with it")

// copy sets a member, unless the element of the stream lacks it.
func (p part) copy(name string, l *dialect.Line, from string) {
	if value := l.Raw(from); value != nil {
		p[name] = slices.Clone(value)
	}
}

// Add adds an element of the stream. Members of the wrong kind count as missing: it is the
// decoder that reports them.
func (m *Message) Add(l *dialect.Line) error {
	if m.size += len(l.Bytes); m.size > maxMessage {
		return errTooLong
	}
	switch kind, rest, _ := strings.Cut(l.Name, "-"); {
	case l.Name == "start", l.Name == "finish", l.Name == "message-metadata":
		m.ID = cmp.Or(l.OptionalKey("messageId"), m.ID)
		if metadata := l.Raw("messageMetadata"); metadata != nil {
			m.Metadata = slices.Clone(metadata)
		}
	case l.Name == "start-step":
		m.Parts = append(m.Parts, part{"type": "step-start"})
	case l.Name == "finish-step":
		clear(m.open)
	case l.Name == "reset-step":
		at := len(m.Parts)
		for at > 0 && m.Parts[at-1]["type"] != "step-start" {
			at--
		}
		m.Parts = m.Parts[:at]
	case kind == "text", kind == "reasoning" && rest != "file":
		m.addText(kind, rest, l)
	case kind == "tool":
		m.addTool(rest, l)
	case kind == "source", kind == "data" && !is(l, "transient"), l.Name == "file", l.Name == "reasoning-file":
		m.addWhole(l)
	}
	return nil
}

// is reports whether a member is true.
func is(l *dialect.Line, name string) bool { return string(l.Raw(name)) == "true" }

// addText adds a piece of an answer or of a thought.
func (m *Message) addText(kind, what string, l *dialect.Line) {
	key := kind + l.OptionalKey("id")
	if what == "start" {
		m.open[key] = part{"type": kind, "text": rawjson.String(nil), "state": "done"}
		m.Parts = append(m.Parts, m.open[key])
	}
	p := m.open[key]
	if p == nil {
		return
	}
	text, _ := p["text"].(rawjson.String)
	p["text"] = append(text, conversation.Piece(l, "delta")...)
	p.copy("providerMetadata", l, "providerMetadata") // at the end, it may have the signature of a thought
	if what == "end" {
		delete(m.open, key)
	}
}

// addWhole adds a part that is like its element. Data with an id replaces earlier data.
func (m *Message) addWhole(l *dialect.Line) {
	p, id := part{}, l.OptionalKey("id")
	for name, value := range l.All() {
		p[name.String()] = slices.Clone(value)
	}
	p["type"] = l.Name
	at := -1
	if p["id"] = id; id == "" {
		delete(p, "id")
	} else {
		at = slices.IndexFunc(m.Parts, func(o part) bool { return o["type"] == l.Name && o["id"] == id })
	}
	if at < 0 {
		at, m.Parts = len(m.Parts), append(m.Parts, nil)
	}
	m.Parts[at] = p
}

package wire

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// updates lists the kinds of updates with their decoders.
var updates = []struct {
	kind   string
	decode func(d *decoder, raw []byte) error
}{
	{"agent_message_chunk", (*decoder).messageChunk},
	{"agent_thought_chunk", (*decoder).thoughtChunk},
	{"user_message_chunk", (*decoder).userChunk},
	{"tool_call", (*decoder).toolCall},
	{"tool_call_update", (*decoder).toolCallUpdate},
	{"plan", (*decoder).plan},
	{"available_commands_update", (*decoder).commands},
	{"current_mode_update", (*decoder).currentMode},
	{"config_option_update", (*decoder).configOptions},
	{"session_info_update", (*decoder).sessionInfo},
	{"usage_update", (*decoder).usage},
	{"notice", (*decoder).notice},
	{"compaction_update", (*decoder).compaction},
}

// updateDecoder returns the decoder for a kind, or nil if it is unknown.
func updateDecoder(kind string) func(d *decoder, raw []byte) error {
	for i := range updates {
		if updates[i].kind == kind {
			return updates[i].decode
		}
	}
	return nil
}

// wireChunk is a chunk that [decoder.hot] can't decode.
type wireChunk struct {
	MessageID string `json:"messageId"`
	Content   *block `json:"content"`
}

// unmarshalChunk decodes a chunk. It requires content, because otherwise
// there is nothing to show.
func unmarshalChunk(raw []byte) (c wireChunk, err error) {
	if err = exactjson.Unmarshal(raw, &c); err == nil && c.Content == nil {
		err = errors.New("content is missing")
	}
	return c, err
}

func (d *decoder) messageChunk(raw []byte) error {
	c, err := unmarshalChunk(raw)
	if err != nil {
		return err
	}
	if c.Content.Type == "text" {
		text := rawjson.Quote(c.Content.Text)
		d.echo.add(text)
		d.say(&agent.TextDelta{Text: rawjson.Wrap(text), MessageID: c.MessageID})
		return nil
	}
	d.echo.reset()
	d.say(&agent.ContentBlock{Content: c.Content.Content, MessageID: c.MessageID})
	return nil
}

// thoughtChunk shows content other than text, which a thought can't contain,
// as part of the message.
func (d *decoder) thoughtChunk(raw []byte) error {
	c, err := unmarshalChunk(raw)
	if err != nil {
		return err
	}
	d.echo.reset()
	if c.Content.Type == "text" {
		d.say(&agent.ThinkingDelta{Thinking: agent.NewText(c.Content.Text), MessageID: c.MessageID})
		return nil
	}
	d.say(&agent.ContentBlock{Content: c.Content.Content, MessageID: c.MessageID})
	return nil
}

// userChunk emits telemetry, because the user already sees the prompt.
func (d *decoder) userChunk(raw []byte) error {
	d.say(&agent.Telemetry{Name: "user_message_chunk", Data: bytes.Clone(raw)})
	return nil
}

func (d *decoder) plan(raw []byte) error {
	e := new(agent.Plan)
	if err := exactjson.Unmarshal(raw, e); err != nil {
		return err
	}
	d.say(&agent.Plan{Entries: e.Entries})
	return nil
}

func (d *decoder) commands(raw []byte) error {
	var u struct {
		Commands []struct {
			Name        string `json:"name"`
			Description string `json:"description"`
			Input       struct {
				Hint string `json:"hint"`
			} `json:"input"`
		} `json:"availableCommands"`
	}
	if err := exactjson.Unmarshal(raw, &u); err != nil {
		return err
	}
	e := &agent.AvailableCommands{Commands: make([]agent.Command, 0, len(u.Commands))}
	for _, c := range u.Commands {
		e.Commands = append(e.Commands, agent.Command{Name: c.Name, Description: c.Description, Hint: c.Input.Hint})
	}
	d.say(e)
	return nil
}

// sessionInfo emits the title. Other changes become telemetry: nothing can
// replace a removed title, and nobody needs the modification time.
func (d *decoder) sessionInfo(raw []byte) error {
	var u struct {
		Title string `json:"title"`
	}
	if err := exactjson.Unmarshal(raw, &u); err != nil {
		return err
	}
	if u.Title == "" {
		d.say(&agent.Telemetry{Name: "session_info_update", Data: bytes.Clone(raw)})
		return nil
	}
	d.say(&agent.SessionTitle{Title: u.Title})
	return nil
}

func (d *decoder) notice(raw []byte) error {
	var u struct {
		Severity    string `json:"severity"`
		Title       string `json:"title"`
		Description string `json:"description"`
	}
	if err := exactjson.Unmarshal(raw, &u); err != nil {
		return err
	}
	d.say(&agent.Notice{Severity: u.Severity, Message: u.Title, Description: u.Description})
	return nil
}

func (d *decoder) compaction(raw []byte) error {
	var u struct {
		CompactionID string            `json:"compactionId"`
		Status       string            `json:"status"`
		Summary      []json.RawMessage `json:"summary"`
		Error        string            `json:"error"`
	}
	if err := exactjson.Unmarshal(raw, &u); err != nil {
		return err
	}
	e := &agent.ContextCompacted{CompactionID: u.CompactionID, Status: u.Status, Error: u.Error}
	for _, block := range u.Summary {
		var c agent.Content
		if exactjson.Unmarshal(block, &c) == nil {
			e.Summary += c.Text
		}
	}
	d.say(e)
	return nil
}

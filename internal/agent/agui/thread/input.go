package thread

import (
	"encoding/json"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// Version is the version of AG-UI that inputs declare.
const Version = "1.0"

// An Input starts a run. It has all members, because strict servers require them.
type Input struct {
	ThreadID        string              `json:"threadId"`
	RunID           string              `json:"runId"`
	ProtocolVersion string              `json:"protocolVersion,omitempty"` // older servers may reject it
	State           json.RawMessage     `json:"state"`
	Messages        []json.RawMessage   `json:"messages"`
	Tools           []agent.OfferedTool `json:"tools"`
	Context         []Context           `json:"context"`
	ForwardedProps  json.RawMessage     `json:"forwardedProps"`
	Resume          []Resume            `json:"resume,omitempty"`
}

// A Context is a piece of information for the agent's model.
type Context struct {
	Description string `json:"description"`
	Value       string `json:"value"`
}

// A Resume answers an interrupt of the last run, or cancels it.
type Resume struct {
	InterruptID string    `json:"interruptId"`
	Status      string    `json:"status"`
	Payload     agent.Raw `json:"payload,omitempty"`

	Legacy bool `json:"-"` // the interrupt came as an event of LangGraph's own
}

// The values of a Resume's Status.
const (
	Resolved  = "resolved"
	Cancelled = "cancelled"
)

// Input returns the input of a run that carries answers to the last one. It has the members
// of common, and empty values for missing ones.
func (t *Thread) Input(common Input, run string, resume []Resume) *Input {
	in := &common
	in.RunID, in.State, in.Messages, in.Resume = run, t.State(), t.Encode(), resume
	if in.Tools == nil {
		in.Tools = []agent.OfferedTool{}
	}
	if in.Context == nil {
		in.Context = []Context{}
	}
	if in.ForwardedProps == nil {
		in.ForwardedProps = json.RawMessage("{}")
	}
	if command := command(resume); command != nil {
		in.Resume, in.ForwardedProps = nil, withCommand(in.ForwardedProps, command)
	}
	return in
}

// command returns LangGraph's value for resuming a run whose interrupts came as its own
// events, or nil if resume entries must say it: an interrupt can't be cancelled this way.
func command(resume []Resume) json.RawMessage {
	byID := make(map[string]agent.Raw)
	for _, r := range resume {
		if !r.Legacy || r.Status != Resolved {
			return nil
		}
		byID[r.InterruptID] = r.Payload
	}
	switch len(resume) {
	case 0:
		return nil
	case 1:
		return resume[0].Payload
	}
	return encode(byID)
}

func withCommand(props, command json.RawMessage) json.RawMessage {
	members := make(map[string]json.RawMessage)
	_ = exactjson.Unmarshal(props, &members) // other values can't hold it
	if members == nil {
		members = make(map[string]json.RawMessage)
	}
	members["command"] = encode(map[string]json.RawMessage{"resume": command})
	return encode(members)
}

// encode encodes strings, and values that were decoded from JSON. This never fails.
func encode(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return raw
}

// A part is a piece of a user's message that is more than text.
type part struct {
	Type   string  `json:"type"`
	Text   string  `json:"text,omitempty"`
	Source *source `json:"source,omitempty"`
}

type source struct {
	Type     string `json:"type"`
	Value    string `json:"value"`
	MIMEType string `json:"mimeType,omitempty"`
}

// Content returns the content of the user's message: a string, or a list of parts if it
// has images or audio.
func Content(p agent.Prompt) json.RawMessage {
	parts := []part{{Type: "text", Text: p.Text}}
	for _, block := range p.Blocks {
		if (block.Type == "image" || block.Type == "audio") && block.Data != "" {
			parts = append(parts, part{Type: block.Type, Source: &source{"data", block.Data, block.MIMEType}})
		}
	}
	if len(parts) == 1 {
		return encode(p.Text)
	}
	return encode(parts)
}

package ahp

import (
	"encoding/json"
	"maps"
	"slices"
)

// Status is a set of bits.
type Status int

// The activities and flags of a session or chat.
const (
	Idle        Status = 1
	Failed      Status = 1 << 1
	InProgress  Status = 1 << 3
	InputNeeded Status = 1<<3 | 1<<4
	IsRead      Status = 1 << 5
	IsArchived  Status = 1 << 6

	activity Status = 1<<5 - 1
)

// With sets or clears a flag.
func (s Status) With(flag Status, on bool) Status {
	if on {
		return s | flag
	}
	return s &^ flag
}

// Doing sets the activity and keeps the flags.
func (s Status) Doing(what Status) Status { return s&^activity | what }

// LifecycleReady is the lifecycle of a usable session.
const LifecycleReady = "ready"

// Session is the state of a session.
type Session struct {
	Provider           string          `json:"provider"`
	Title              string          `json:"title"`
	Status             Status          `json:"status"`
	WorkingDirectories []string        `json:"workingDirectories,omitempty"`
	Lifecycle          string          `json:"lifecycle"`
	ActiveClients      []ActiveClient  `json:"activeClients"`
	Chats              []ChatSummary   `json:"chats"`
	DefaultChat        string          `json:"defaultChat,omitempty"`
	Config             *SessionConfig  `json:"config,omitempty"`
	InputNeeded        []NeededInput   `json:"inputNeeded,omitempty"`
	Meta               json.RawMessage `json:"_meta,omitempty"`
}

// ChatSummary is a chat's entry in a session.
type ChatSummary struct {
	Resource   string `json:"resource"`
	Title      string `json:"title"`
	Status     Status `json:"status"`
	ModifiedAt string `json:"modifiedAt"`
}

// An ActiveClient is a client that takes part in a session. Its JSON is stored
// unchanged.
type ActiveClient = json.RawMessage

// NeededInput is an input that a session waits for.
type NeededInput struct {
	ID       string        `json:"id"`
	Chat     string        `json:"chat"`
	Kind     string        `json:"kind"`
	TurnID   string        `json:"turnId,omitempty"`
	ToolCall *ToolCall     `json:"toolCall,omitempty"`
	Request  *InputRequest `json:"request,omitempty"`
}

// Kinds of [NeededInput].
const (
	NeedsAnswer       = "chatInput"
	NeedsConfirmation = "toolConfirmation"
)

// SessionConfig contains a session's options and their values.
type SessionConfig struct {
	Schema ConfigSchema   `json:"schema"`
	Values map[string]any `json:"values"`
}

// A ConfigSchema is a JSON Schema of type "object".
type ConfigSchema struct {
	Type       string                    `json:"type"`
	Properties map[string]ConfigProperty `json:"properties"`
}

// A ConfigProperty is one option.
type ConfigProperty struct {
	Type             string   `json:"type"`
	Title            string   `json:"title"`
	Description      string   `json:"description,omitempty"`
	Default          any      `json:"default,omitempty"`
	Enum             []string `json:"enum,omitempty"`
	EnumLabels       []string `json:"enumLabels,omitempty"`
	EnumDescriptions []string `json:"enumDescriptions,omitempty"`
	SessionMutable   bool     `json:"sessionMutable,omitempty"`
}

// Apply applies an action to the state. An action of another channel changes nothing.
func (s *Session) Apply(a Action) {
	switch a := a.(type) {
	case *TitleChanged:
		s.Title = a.Title
	case *SessionIsReadChanged:
		s.Status = s.Status.With(IsRead, a.IsRead)
	case *SessionIsArchivedChanged:
		s.Status = s.Status.With(IsArchived, a.IsArchived)
	case *ChatUpdated:
		for i := range s.Chats {
			if c := &s.Chats[i]; c.Resource == a.Chat {
				a.Changes.apply(c)
			}
		}
	case *ConfigChanged:
		if s.Config == nil {
			return
		}
		if a.Replace || s.Config.Values == nil {
			s.Config.Values = map[string]any{}
		}
		maps.Copy(s.Config.Values, a.Config)
	case *InputNeededSet:
		if i := slices.IndexFunc(s.InputNeeded, func(n NeededInput) bool { return n.ID == a.Request.ID }); i >= 0 {
			s.InputNeeded[i] = a.Request
		} else {
			s.InputNeeded = append(s.InputNeeded, a.Request)
		}
		s.Status = s.Status.Doing(InputNeeded)
	case *InputNeededRemoved:
		before := len(s.InputNeeded)
		s.InputNeeded = slices.DeleteFunc(s.InputNeeded, func(n NeededInput) bool { return n.ID == a.ID })
		if len(s.InputNeeded) == 0 && before > 0 {
			s.Status &^= InputNeeded &^ InProgress // the work that waited continues
		}
	case *ActiveClientSet:
		id := clientID(a.ActiveClient)
		if i := slices.IndexFunc(s.ActiveClients, func(c ActiveClient) bool { return clientID(c) == id }); i >= 0 {
			s.ActiveClients[i] = a.ActiveClient
		} else {
			s.ActiveClients = append(s.ActiveClients, a.ActiveClient)
		}
	case *ActiveClientRemoved:
		s.ActiveClients = slices.DeleteFunc(s.ActiveClients, func(c ActiveClient) bool { return clientID(c) == a.ClientID })
	}
}

func (p *ChatChanges) apply(c *ChatSummary) {
	if p.Title != nil {
		c.Title = *p.Title
	}
	if p.Status != nil {
		c.Status = *p.Status
	}
	if p.ModifiedAt != nil {
		c.ModifiedAt = *p.ModifiedAt
	}
}

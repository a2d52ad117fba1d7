package ahp

import (
	"encoding/json"

	"github.com/turnwire/turnwire/internal/exactjson"
)

// AgentsChanged replaces the host's agents.
type AgentsChanged struct {
	Agents []Agent `json:"agents"`
}

// TitleChanged sets a session's title.
type TitleChanged struct {
	Title string `json:"title"`
}

// SessionIsReadChanged sets whether the user has seen a session.
type SessionIsReadChanged struct {
	IsRead bool `json:"isRead"`
}

// SessionIsArchivedChanged sets whether a session is archived.
type SessionIsArchivedChanged struct {
	IsArchived bool `json:"isArchived"`
}

// ChatUpdated changes a chat's entry in a session.
type ChatUpdated struct {
	Chat    string      `json:"chat"`
	Changes ChatChanges `json:"changes"`
}

// ChatChanges are the members to change.
type ChatChanges struct {
	Title      *string `json:"title,omitempty"`
	Status     *Status `json:"status,omitempty"`
	ModifiedAt *string `json:"modifiedAt,omitempty"`
}

// ConfigChanged changes values in a session's config.
type ConfigChanged struct {
	Config  map[string]any `json:"config"`
	Replace bool           `json:"replace,omitempty"`
}

// InputNeededSet says that a session waits for input.
type InputNeededSet struct {
	Request NeededInput `json:"request"`
}

// InputNeededRemoved says that a session no longer waits for an input.
type InputNeededRemoved struct {
	ID string `json:"id"`
}

// ActiveClientSet says that a client takes part in a session.
type ActiveClientSet struct {
	ActiveClient ActiveClient `json:"activeClient"`
}

// ActiveClientRemoved says that a client no longer takes part in a session.
type ActiveClientRemoved struct {
	ClientID string `json:"clientId"`
}

// ClientID returns the id of the client that takes part.
func (a *ActiveClientSet) ClientID() string { return clientID(a.ActiveClient) }

func clientID(c json.RawMessage) string {
	var id struct {
		ClientID string `json:"clientId"`
	}
	if exactjson.Unmarshal(c, &id) != nil {
		return ""
	}
	return id.ClientID
}

// ActionType implements [Action].
func (*AgentsChanged) ActionType() string { return "root/agentsChanged" }

// ActionType implements [Action].
func (*TitleChanged) ActionType() string { return "session/titleChanged" }

// ActionType implements [Action].
func (*SessionIsReadChanged) ActionType() string { return "session/isReadChanged" }

// ActionType implements [Action].
func (*SessionIsArchivedChanged) ActionType() string { return "session/isArchivedChanged" }

// ActionType implements [Action].
func (*ChatUpdated) ActionType() string { return "session/chatUpdated" }

// ActionType implements [Action].
func (*ConfigChanged) ActionType() string { return "session/configChanged" }

// ActionType implements [Action].
func (*InputNeededSet) ActionType() string { return "session/inputNeededSet" }

// ActionType implements [Action].
func (*InputNeededRemoved) ActionType() string { return "session/inputNeededRemoved" }

// ActionType implements [Action].
func (*ActiveClientSet) ActionType() string { return "session/activeClientSet" }

// ActionType implements [Action].
func (*ActiveClientRemoved) ActionType() string { return "session/activeClientRemoved" }

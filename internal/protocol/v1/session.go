package v1

import (
	"encoding/json"
	"fmt"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/turnwire/turnwire/internal/exactjson"
)

// NewSessionRequest is `NewSessionRequest`. The schema requires mcpServers, but a
// request without it is accepted, because some clients omit it.
type NewSessionRequest struct {
	Cwd                   string        `json:"cwd"`
	AdditionalDirectories []string      `json:"additionalDirectories,omitempty"`
	MCPServers            MCPServers    `json:"mcpServers"`
	SystemPrompt          *SystemPrompt `json:"systemPrompt,omitempty" jsonschema:"nullable"` // unstable
	Meta                  Meta          `json:"_meta,omitempty" jsonschema:"nullable"`
}

// MCPServers is a list of `McpServer`, whose elements are kept unchanged.
type MCPServers []json.RawMessage

// UnmarshalJSON accepts an empty object as an empty list. Each server must be an object
// with a name.
func (m *MCPServers) UnmarshalJSON(b []byte) error {
	if string(b) == "{}" || string(b) == "null" {
		return nil
	}
	var list []json.RawMessage
	if err := exactjson.Unmarshal(b, &list); err != nil {
		return fmt.Errorf("mcpServers: %w", err)
	}
	for i, raw := range list {
		var server struct {
			Name *string `json:"name"`
		}
		if err := exactjson.Unmarshal(raw, &server); err != nil {
			return fmt.Errorf("mcpServers[%d]: %w", i, err)
		}
		if server.Name == nil {
			return fmt.Errorf("mcpServers[%d]: name is missing", i)
		}
	}
	*m = list
	return nil
}

// NewSessionResponse is `NewSessionResponse`.
type NewSessionResponse struct {
	SessionID     string            `json:"sessionId"`
	Modes         *SessionModeState `json:"modes,omitempty" jsonschema:"nullable"`
	ConfigOptions []ConfigOption    `json:"configOptions,omitempty" jsonschema:"nullable"`
	Meta          Meta              `json:"_meta,omitempty" jsonschema:"nullable"`
}

// PromptRequest is `PromptRequest`.
type PromptRequest struct {
	SessionID string `json:"sessionId"`
	Prompt    Blocks `json:"prompt"`
	Meta      Meta   `json:"_meta,omitempty" jsonschema:"nullable"`
}

// PromptResponse is `PromptResponse`.
type PromptResponse struct {
	StopReason StopReason `json:"stopReason"`
	Meta       Meta       `json:"_meta,omitempty" jsonschema:"nullable"`
}

// StopReason is `StopReason`.
type StopReason string

// The values of `StopReason`.
const (
	StopEndTurn         StopReason = "end_turn"
	StopMaxTokens       StopReason = "max_tokens"
	StopMaxTurnRequests StopReason = "max_turn_requests"
	StopRefusal         StopReason = "refusal"
	StopCancelled       StopReason = "cancelled"
)

// CancelNotification is `CancelNotification`.
type CancelNotification struct {
	SessionID string `json:"sessionId"`
	Meta      Meta   `json:"_meta,omitempty" jsonschema:"nullable"`
}

// CloseSessionRequest is `CloseSessionRequest`.
type CloseSessionRequest struct {
	SessionID string `json:"sessionId"`
	Meta      Meta   `json:"_meta,omitempty" jsonschema:"nullable"`
}

// CloseSessionResponse is `CloseSessionResponse`.
type CloseSessionResponse struct {
	Meta Meta `json:"_meta,omitempty" jsonschema:"nullable"`
}

// SessionNotification is `SessionNotification`.
type SessionNotification struct {
	SessionID string `json:"sessionId"`
	Update    Update `json:"update"`
	Meta      Meta   `json:"_meta,omitempty" jsonschema:"nullable"`
}

// ReadTextFileRequest is `ReadTextFileRequest`.
type ReadTextFileRequest struct {
	SessionID string `json:"sessionId"`
	Path      string `json:"path"`
	Line      *int   `json:"line,omitempty" jsonschema:"nullable"`
	Limit     *int   `json:"limit,omitempty" jsonschema:"nullable"`
	Meta      Meta   `json:"_meta,omitempty" jsonschema:"nullable"`
}

// ReadTextFileResponse is `ReadTextFileResponse`.
type ReadTextFileResponse struct {
	Content string `json:"content"`
	Meta    Meta   `json:"_meta,omitempty" jsonschema:"nullable"`
}

// WriteTextFileRequest is `WriteTextFileRequest`.
type WriteTextFileRequest struct {
	SessionID string `json:"sessionId"`
	Path      string `json:"path"`
	Content   string `json:"content"`
	Meta      Meta   `json:"_meta,omitempty" jsonschema:"nullable"`
}

// WriteTextFileResponse is `WriteTextFileResponse`.
type WriteTextFileResponse struct {
	Meta Meta `json:"_meta,omitempty" jsonschema:"nullable"`
}

// CancelRequestNotification is `CancelRequestNotification`. Both sides send it.
type CancelRequestNotification struct {
	RequestID jsonrpc2.ID `json:"requestId"`
	Meta      Meta        `json:"_meta,omitempty" jsonschema:"nullable"`
}

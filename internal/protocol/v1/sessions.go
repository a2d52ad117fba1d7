package v1

// LoadSessionRequest is `LoadSessionRequest`.
type LoadSessionRequest struct {
	SessionID             string        `json:"sessionId"`
	Cwd                   string        `json:"cwd"`
	AdditionalDirectories []string      `json:"additionalDirectories,omitempty"`
	MCPServers            MCPServers    `json:"mcpServers"`
	SystemPrompt          *SystemPrompt `json:"systemPrompt,omitempty" jsonschema:"nullable"` // unstable
	Meta                  Meta          `json:"_meta,omitempty" jsonschema:"nullable"`
}

// LoadSessionResponse is `LoadSessionResponse`.
type LoadSessionResponse struct {
	Modes         *SessionModeState `json:"modes,omitempty" jsonschema:"nullable"`
	ConfigOptions []ConfigOption    `json:"configOptions,omitempty" jsonschema:"nullable"`
	Meta          Meta              `json:"_meta,omitempty" jsonschema:"nullable"`
}

// ListSessionsRequest is `ListSessionsRequest`.
type ListSessionsRequest struct {
	Cwd    string `json:"cwd,omitempty" jsonschema:"nullable"`
	Cursor string `json:"cursor,omitempty" jsonschema:"nullable"`
	Meta   Meta   `json:"_meta,omitempty" jsonschema:"nullable"`
}

// ListSessionsResponse is `ListSessionsResponse`.
type ListSessionsResponse struct {
	Sessions   []SessionInfo `json:"sessions"`
	NextCursor string        `json:"nextCursor,omitempty" jsonschema:"nullable"`
	Meta       Meta          `json:"_meta,omitempty" jsonschema:"nullable"`
}

// SessionInfo is `SessionInfo`.
type SessionInfo struct {
	SessionID             string   `json:"sessionId"`
	Cwd                   string   `json:"cwd"`
	AdditionalDirectories []string `json:"additionalDirectories,omitempty"`
	Title                 string   `json:"title,omitempty" jsonschema:"nullable"`
	UpdatedAt             string   `json:"updatedAt,omitempty" jsonschema:"nullable"`
	Meta                  Meta     `json:"_meta,omitempty" jsonschema:"nullable"`
}

// SetSessionTitleRequest is `SetSessionTitleRequest`, which is unstable.
type SetSessionTitleRequest struct {
	SessionID string `json:"sessionId"`
	Title     string `json:"title"`
	Meta      Meta   `json:"_meta,omitempty" jsonschema:"nullable"`
}

// SetSessionTitleResponse is `SetSessionTitleResponse`, which is unstable.
type SetSessionTitleResponse struct {
	Title string `json:"title"`
	Meta  Meta   `json:"_meta,omitempty" jsonschema:"nullable"`
}

// DeleteSessionRequest is `DeleteSessionRequest`.
type DeleteSessionRequest struct {
	SessionID string `json:"sessionId"`
	Meta      Meta   `json:"_meta,omitempty" jsonschema:"nullable"`
}

// DeleteSessionResponse is `DeleteSessionResponse`.
type DeleteSessionResponse struct {
	Meta Meta `json:"_meta,omitempty" jsonschema:"nullable"`
}

// ResumeSessionRequest is `ResumeSessionRequest`.
type ResumeSessionRequest struct {
	SessionID             string        `json:"sessionId"`
	Cwd                   string        `json:"cwd"`
	AdditionalDirectories []string      `json:"additionalDirectories,omitempty"`
	MCPServers            MCPServers    `json:"mcpServers,omitempty"`
	SystemPrompt          *SystemPrompt `json:"systemPrompt,omitempty" jsonschema:"nullable"` // unstable
	Meta                  Meta          `json:"_meta,omitempty" jsonschema:"nullable"`
}

// ResumeSessionResponse is `ResumeSessionResponse`.
type ResumeSessionResponse struct {
	Modes         *SessionModeState `json:"modes,omitempty" jsonschema:"nullable"`
	ConfigOptions []ConfigOption    `json:"configOptions,omitempty" jsonschema:"nullable"`
	Meta          Meta              `json:"_meta,omitempty" jsonschema:"nullable"`
}

// ForkSessionRequest is `ForkSessionRequest`, which is unstable.
type ForkSessionRequest struct {
	SessionID             string        `json:"sessionId"`
	CursorID              *string       `json:"cursorId,omitempty" jsonschema:"nullable"` // where the copy ends; nil for the whole session
	Cwd                   string        `json:"cwd"`
	AdditionalDirectories []string      `json:"additionalDirectories,omitempty"`
	MCPServers            MCPServers    `json:"mcpServers,omitempty"`
	SystemPrompt          *SystemPrompt `json:"systemPrompt,omitempty" jsonschema:"nullable"` // unstable
	Meta                  Meta          `json:"_meta,omitempty" jsonschema:"nullable"`
}

// ForkSessionResponse is `ForkSessionResponse`, which is unstable.
type ForkSessionResponse struct {
	SessionID     string            `json:"sessionId"`
	Modes         *SessionModeState `json:"modes,omitempty" jsonschema:"nullable"`
	ConfigOptions []ConfigOption    `json:"configOptions,omitempty" jsonschema:"nullable"`
	Meta          Meta              `json:"_meta,omitempty" jsonschema:"nullable"`
}

package v1

// Meta is the `_meta` member of every type. It contains extensions by name.
type Meta map[string]any

// InitializeRequest is `InitializeRequest`.
type InitializeRequest struct {
	ProtocolVersion    uint16             `json:"protocolVersion"`
	ClientCapabilities ClientCapabilities `json:"clientCapabilities,omitzero"`
	ClientInfo         *Implementation    `json:"clientInfo,omitempty" jsonschema:"nullable"`
	Meta               Meta               `json:"_meta,omitempty" jsonschema:"nullable"`
}

// InitializeResponse is `InitializeResponse`.
type InitializeResponse struct {
	ProtocolVersion   uint16            `json:"protocolVersion"`
	AgentCapabilities AgentCapabilities `json:"agentCapabilities,omitzero"`
	AgentInfo         *Implementation   `json:"agentInfo,omitempty" jsonschema:"nullable"`
	AuthMethods       []AuthMethod      `json:"authMethods"`
	Meta              Meta              `json:"_meta,omitempty" jsonschema:"nullable"`
}

// AuthMethod is `AuthMethodAgent`: a login that the agent runs itself.
type AuthMethod struct {
	ID          string  `json:"id"`
	Name        string  `json:"name"`
	Description *string `json:"description,omitempty" jsonschema:"nullable"`
	Meta        Meta    `json:"_meta,omitempty" jsonschema:"nullable"`
}

// AuthenticateRequest is `AuthenticateRequest`.
type AuthenticateRequest struct {
	MethodID string `json:"methodId"`
	Meta     Meta   `json:"_meta,omitempty" jsonschema:"nullable"`
}

// AuthenticateResponse is `AuthenticateResponse`.
type AuthenticateResponse struct {
	Meta Meta `json:"_meta,omitempty" jsonschema:"nullable"`
}

// Implementation is `Implementation`: a client or an agent.
type Implementation struct {
	Name    string `json:"name"`
	Title   string `json:"title,omitempty" jsonschema:"nullable"`
	Version string `json:"version"`
	Meta    Meta   `json:"_meta,omitempty" jsonschema:"nullable"`
}

// ClientCapabilities is `ClientCapabilities`.
type ClientCapabilities struct {
	FS          FileSystemCapabilities     `json:"fs,omitzero"`
	Terminal    bool                       `json:"terminal,omitempty"`
	Session     *ClientSessionCapabilities `json:"session,omitempty" jsonschema:"nullable"`
	Auth        AuthCapabilities           `json:"auth,omitzero"`
	Elicitation *ElicitationCapabilities   `json:"elicitation,omitempty" jsonschema:"nullable"`
	Subagents   *Marker                    `json:"subagents,omitempty" jsonschema:"nullable"` // unstable
	Plan        *Marker                    `json:"plan,omitempty" jsonschema:"nullable"`      // unstable
	Meta        Meta                       `json:"_meta,omitempty" jsonschema:"nullable"`
}

// FileSystemCapabilities is `FileSystemCapabilities`.
type FileSystemCapabilities struct {
	ReadTextFile  bool `json:"readTextFile,omitempty"`
	WriteTextFile bool `json:"writeTextFile,omitempty"`
	Meta          Meta `json:"_meta,omitempty" jsonschema:"nullable"`
}

// ClientSessionCapabilities is `ClientSessionCapabilities`.
type ClientSessionCapabilities struct {
	Compaction    *Marker                    `json:"compaction,omitempty" jsonschema:"nullable"`
	ConfigOptions *ConfigOptionsCapabilities `json:"configOptions,omitempty" jsonschema:"nullable"`
	Cursors       *Marker                    `json:"cursors,omitempty" jsonschema:"nullable"` // unstable
	Notices       *Marker                    `json:"notices,omitempty" jsonschema:"nullable"`
	Meta          Meta                       `json:"_meta,omitempty" jsonschema:"nullable"`
}

// ConfigOptionsCapabilities is `SessionConfigOptionsCapabilities`.
type ConfigOptionsCapabilities struct {
	Boolean *Marker `json:"boolean,omitempty" jsonschema:"nullable"`
	Meta    Meta    `json:"_meta,omitempty" jsonschema:"nullable"`
}

// AuthCapabilities is `AuthCapabilities`.
type AuthCapabilities struct {
	Terminal bool `json:"terminal,omitempty"`
	Meta     Meta `json:"_meta,omitempty" jsonschema:"nullable"`
}

// ElicitationCapabilities is `ElicitationCapabilities`.
type ElicitationCapabilities struct {
	Form *Marker `json:"form,omitempty" jsonschema:"nullable"`
	URL  *Marker `json:"url,omitempty" jsonschema:"nullable"`
	Meta Meta    `json:"_meta,omitempty" jsonschema:"nullable"`
}

// A Marker is a capability without members. An empty object means that it is supported.
type Marker struct {
	Meta Meta `json:"_meta,omitempty" jsonschema:"nullable"`
}

// AgentCapabilities is `AgentCapabilities`.
type AgentCapabilities struct {
	LoadSession         bool                `json:"loadSession,omitempty"`
	PromptCapabilities  PromptCapabilities  `json:"promptCapabilities,omitzero"`
	MCPCapabilities     MCPCapabilities     `json:"mcpCapabilities,omitzero"`
	SessionCapabilities SessionCapabilities `json:"sessionCapabilities,omitzero"`
	Meta                Meta                `json:"_meta,omitempty" jsonschema:"nullable"`
}

// PromptCapabilities is `PromptCapabilities`.
type PromptCapabilities struct {
	Image           bool `json:"image,omitempty"`
	Audio           bool `json:"audio,omitempty"`
	EmbeddedContext bool `json:"embeddedContext,omitempty"`
	Meta            Meta `json:"_meta,omitempty" jsonschema:"nullable"`
}

// MCPCapabilities is `McpCapabilities`.
type MCPCapabilities struct {
	HTTP bool `json:"http,omitempty"`
	SSE  bool `json:"sse,omitempty"`
	Meta Meta `json:"_meta,omitempty" jsonschema:"nullable"`
}

// SessionCapabilities is `SessionCapabilities`.
type SessionCapabilities struct {
	List                  *Marker                   `json:"list,omitempty" jsonschema:"nullable"`
	Delete                *Marker                   `json:"delete,omitempty" jsonschema:"nullable"`
	Resume                *Marker                   `json:"resume,omitempty" jsonschema:"nullable"`
	Fork                  *Marker                   `json:"fork,omitempty" jsonschema:"nullable"`         // unstable
	Title                 *Marker                   `json:"title,omitempty" jsonschema:"nullable"`        // unstable
	SystemPrompt          *SystemPromptCapabilities `json:"systemPrompt,omitempty" jsonschema:"nullable"` // unstable
	Close                 *Marker                   `json:"close,omitempty" jsonschema:"nullable"`
	AdditionalDirectories *Marker                   `json:"additionalDirectories,omitempty" jsonschema:"nullable"`
	Meta                  Meta                      `json:"_meta,omitempty" jsonschema:"nullable"`
}

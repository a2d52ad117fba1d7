package v1

// SystemPromptCapabilities is `SessionSystemPromptCapabilities`. All types about system
// prompts are unstable.
type SystemPromptCapabilities struct {
	Mode *SystemPromptModes `json:"mode,omitempty" jsonschema:"nullable"`
	Meta Meta               `json:"_meta,omitempty" jsonschema:"nullable"`
}

// SystemPromptModes is `SessionSystemPromptModeCapabilities`.
type SystemPromptModes struct {
	Override *Marker `json:"override,omitempty" jsonschema:"nullable"`
	Meta     Meta    `json:"_meta,omitempty" jsonschema:"nullable"`
}

// SystemPrompt is `SystemPrompt`: the client's instructions for a session.
type SystemPrompt struct {
	Mode    SystemPromptMode `json:"mode"`
	Content Blocks           `json:"content"`
	Meta    Meta             `json:"_meta,omitempty" jsonschema:"nullable"`
}

// SystemPromptMode is `SystemPromptMode`.
type SystemPromptMode string

// The modes of a [SystemPrompt].
const (
	SystemPromptAppend   SystemPromptMode = "append"
	SystemPromptOverride SystemPromptMode = "override"
)

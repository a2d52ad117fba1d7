package v1

// CreateTerminalRequest is `CreateTerminalRequest`.
type CreateTerminalRequest struct {
	SessionID       string        `json:"sessionId"`
	Command         string        `json:"command"`
	Args            []string      `json:"args,omitempty"`
	Env             []EnvVariable `json:"env,omitempty"`
	Cwd             string        `json:"cwd,omitempty" jsonschema:"nullable"`
	OutputByteLimit *int64        `json:"outputByteLimit,omitempty" jsonschema:"nullable"`
	Meta            Meta          `json:"_meta,omitempty" jsonschema:"nullable"`
}

// EnvVariable is `EnvVariable`.
type EnvVariable struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	Meta  Meta   `json:"_meta,omitempty" jsonschema:"nullable"`
}

// CreateTerminalResponse is `CreateTerminalResponse`.
type CreateTerminalResponse struct {
	TerminalID string `json:"terminalId"`
	Meta       Meta   `json:"_meta,omitempty" jsonschema:"nullable"`
}

// TerminalOutputRequest is `TerminalOutputRequest`.
type TerminalOutputRequest struct {
	SessionID  string `json:"sessionId"`
	TerminalID string `json:"terminalId"`
	Meta       Meta   `json:"_meta,omitempty" jsonschema:"nullable"`
}

// TerminalOutputResponse is `TerminalOutputResponse`.
type TerminalOutputResponse struct {
	Output     string              `json:"output"`
	Truncated  bool                `json:"truncated"`
	ExitStatus *TerminalExitStatus `json:"exitStatus,omitempty" jsonschema:"nullable"`
	Meta       Meta                `json:"_meta,omitempty" jsonschema:"nullable"`
}

// TerminalExitStatus is `TerminalExitStatus`.
type TerminalExitStatus struct {
	ExitCode *int   `json:"exitCode,omitempty" jsonschema:"nullable"`
	Signal   string `json:"signal,omitempty" jsonschema:"nullable"`
	Meta     Meta   `json:"_meta,omitempty" jsonschema:"nullable"`
}

// WaitForTerminalExitRequest is `WaitForTerminalExitRequest`.
type WaitForTerminalExitRequest struct {
	SessionID  string `json:"sessionId"`
	TerminalID string `json:"terminalId"`
	Meta       Meta   `json:"_meta,omitempty" jsonschema:"nullable"`
}

// WaitForTerminalExitResponse is `WaitForTerminalExitResponse`.
type WaitForTerminalExitResponse struct {
	ExitCode *int   `json:"exitCode,omitempty" jsonschema:"nullable"`
	Signal   string `json:"signal,omitempty" jsonschema:"nullable"`
	Meta     Meta   `json:"_meta,omitempty" jsonschema:"nullable"`
}

// KillTerminalRequest is `KillTerminalRequest`.
type KillTerminalRequest struct {
	SessionID  string `json:"sessionId"`
	TerminalID string `json:"terminalId"`
	Meta       Meta   `json:"_meta,omitempty" jsonschema:"nullable"`
}

// KillTerminalResponse is `KillTerminalResponse`.
type KillTerminalResponse struct {
	Meta Meta `json:"_meta,omitempty" jsonschema:"nullable"`
}

// ReleaseTerminalRequest is `ReleaseTerminalRequest`.
type ReleaseTerminalRequest struct {
	SessionID  string `json:"sessionId"`
	TerminalID string `json:"terminalId"`
	Meta       Meta   `json:"_meta,omitempty" jsonschema:"nullable"`
}

// ReleaseTerminalResponse is `ReleaseTerminalResponse`.
type ReleaseTerminalResponse struct {
	Meta Meta `json:"_meta,omitempty" jsonschema:"nullable"`
}

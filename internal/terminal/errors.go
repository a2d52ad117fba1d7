package terminal

import "encoding/json"

// An AgentError is an error answer of the agent, fit to be printed.
type AgentError struct {
	Code    int64
	Message string
	Details string
}

// Error implements [error].
func (e *AgentError) Error() string {
	if e.Details == "" {
		return e.Message
	}
	return e.Message + ": " + e.Details
}

// details finds what data says beyond the message.
func details(data *json.RawMessage) string {
	if data == nil {
		return ""
	}
	var d struct {
		Details string `json:"details"`
	}
	if json.Unmarshal(*data, &d) != nil {
		return ""
	}
	return clean(d.Details)
}

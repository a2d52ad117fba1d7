package terminal

import v1 "github.com/turnwire/turnwire/internal/protocol/v1"

// A report is the result of a turn: the last line that --json writes.
type report struct {
	SessionID  string        `json:"sessionId,omitempty"`
	StopReason v1.StopReason `json:"stopReason,omitempty"` // "" if the turn failed
	Error      string        `json:"error,omitempty"`
	Text       string        `json:"text,omitempty"` // the final answer
	Denials    []denial      `json:"denials"`
	Usage      *usage        `json:"usage,omitempty"`
}

// A denial is a call that was refused.
type denial struct {
	ToolCallID string      `json:"toolCallId"`
	Title      string      `json:"title,omitempty"`
	Kind       v1.ToolKind `json:"kind,omitempty"`
	Reason     string      `json:"reason,omitempty"`
}

// usage is the session's usage, as last reported by the agent.
type usage struct {
	Used uint64   `json:"used"`
	Size uint64   `json:"size"`
	Cost *v1.Cost `json:"cost,omitempty"`
}

func (r *report) update(u v1.Update) {
	if u, ok := u.(*v1.UsageUpdate); ok {
		r.Usage = &usage{u.Used, u.Size, u.Cost}
	}
}

func (r *report) deny(call *v1.ToolCallFields, why string) {
	r.Denials = append(r.Denials, denial{call.ToolCallID, call.Title, call.Kind, why})
}

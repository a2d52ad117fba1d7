//go:build unix

package soak

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A view is what a client shows of a session.
type view struct {
	text    strings.Builder
	prompts map[string]int    // by text: how often it is shown
	calls   map[string]string // by id: the status
	ready   bool              // the client is attached
	answers bool              // the client leaves no request without an answer
}

func newView() *view { return &view{prompts: make(map[string]int), calls: make(map[string]string)} }

// An update is the update in a session/update notification.
type update struct {
	Kind       string          `json:"sessionUpdate"`
	Content    json.RawMessage `json:"content"`
	ToolCallID string          `json:"toolCallId"`
	Status     string          `json:"status"`
}

// add adds an update.
func (v *view) add(u *update) {
	switch u.Kind {
	case "agent_message_chunk":
		v.text.WriteString(u.text())
	case "user_message_chunk":
		v.prompts[u.text()]++
	case "tool_call", "tool_call_update":
		if u.Status != "" {
			v.calls[u.ToolCallID] = u.Status
		}
	}
}

func (u *update) text() string {
	var content struct {
		Text string `json:"text"`
	}
	_ = json.Unmarshal(u.Content, &content) // other content is not shown
	return content.Text
}

// transcript returns what is shown, without anything that depends on when the client
// attached. Clients of the Agent Host Protocol have other states of calls.
func (v *view) transcript(withCalls bool) string {
	var b strings.Builder
	b.WriteString(v.text.String())
	for _, p := range slices.Sorted(maps.Keys(v.prompts)) {
		fmt.Fprintf(&b, "\nprompt %s: %d", p, v.prompts[p])
	}
	if withCalls {
		for _, id := range slices.Sorted(maps.Keys(v.calls)) {
			fmt.Fprintf(&b, "\ncall %s: %s", id, v.calls[id])
		}
	}
	return b.String()
}

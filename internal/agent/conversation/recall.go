package conversation

import (
	"encoding/json"
	"strconv"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// Recall returns the conversation of a session that continues. read reads a saved message,
// unless it is malformed. If none is saved, the session's texts are left. said returns a
// message with a text.
func Recall[M Message](m agent.Memory, read func(saved json.RawMessage) (M, bool), said func(id, role, text string) M) (l Log[M]) {
	var s Saved
	if exactjson.Unmarshal(m.State, &s) == nil {
		for _, raw := range s.Messages {
			if message, ok := read(raw); ok {
				l.All = append(l.All, message)
			}
		}
	}
	if l.Cut = s.Cut; len(l.All) > 0 {
		return l
	}
	for i, message := range m.History {
		role := "user"
		if message.Role == agent.RoleAgent {
			role = "assistant"
		}
		l.All = append(l.All, said("history-"+strconv.Itoa(i), role, message.Text))
	}
	return l
}

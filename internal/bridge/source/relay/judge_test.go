package relay_test

import (
	"strings"
	"sync"

	"github.com/turnwire/turnwire/internal/bridge/consent"
)

// rules allow calls that only concern /w/src, and commands that start with go. They
// deny calls that concern .env, and the tool nuke.
type rules struct {
	mu    sync.Mutex
	lines []string
}

// Judge implements [consent.Judge].
func (*rules) Judge(c consent.Call) consent.Ruling {
	allowed := len(c.Paths) > 0
	for _, p := range c.Paths {
		if strings.HasSuffix(p, ".env") {
			return consent.Ruling{Verdict: consent.Deny, Rule: "deny .env", At: "f:1"}
		}
		allowed = allowed && c.Kind == "edit" && strings.HasPrefix(p, "/w/src/")
	}
	switch {
	case c.Tool == "nuke":
		return consent.Ruling{Verdict: consent.Deny, Rule: "deny nuke", At: "f:2"}
	case allowed:
		return consent.Ruling{Verdict: consent.Allow, Rule: "allow src", At: "f:3"}
	case strings.HasPrefix(c.Command, "go "):
		return consent.Ruling{Verdict: consent.Allow, Rule: "allow go", At: "f:4"}
	}
	return consent.Ruling{}
}

func (r *rules) note(d consent.Decision) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lines = append(r.lines, same(string(d.Line())))
}

package process

import "github.com/turnwire/turnwire/agent"

// Rested reports whether the end of an abandoned turn was seen.
func Rested(s agent.Session) bool {
	r, _ := s.(*session).current()
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.phase == rested
}

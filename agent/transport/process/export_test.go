package process

import "github.com/turnwire/turnwire/agent"

// Rested reports whether the end of an abandoned turn was seen.
func Rested(s agent.Session) bool {
	r, _ := s.(*session).current()
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.phase == rested
}

// Hang gives a session a child that is not gone before release is called.
func Hang(s agent.Session) (release func()) {
	r := newRun(s.(*session), "t0")
	s.(*session).setRun(r)
	return func() { close(r.started) }
}

//go:build unix

package soak

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
)

// A session is the life of one session: clients join it and prompt, and then all of them
// must show the same.
type session struct {
	run    *run
	name   string // begins the ids of its prompts
	id     string
	random *rand.Rand
	opener *client
	joined []*client // including the opener
	mirror *mirror   // nil if no AHP client joins

	mu        sync.Mutex
	prompts   []string
	cancelled map[string]bool // prompts that a client may have cancelled
}

// live opens a session and runs it to its end.
func (r *run) live(number int, random *rand.Rand) {
	s := &session{run: r, name: fmt.Sprintf("s%d", number), random: random, cancelled: make(map[string]bool)}
	s.opener = r.pick(random, resuming...)
	one, ok := s.opener.call("session/new", map[string]any{"cwd": r.folder, "mcpServers": []any{}}, "")
	if !ok {
		return
	}
	s.id = one.result.SessionID
	defer func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.over[s.id] = true
	}()
	s.opener.mu.Lock()
	s.opener.views[s.id].answers = true
	s.opener.mu.Unlock()
	s.joined = []*client{s.opener}
	others := []*client{r.pick(random, resuming...), r.pick(random, plain, observer)}
	random.Shuffle(len(others), func(i, j int) { others[i], others[j] = others[j], others[i] })
	for round := range *rounds {
		s.reopen()
		others = s.join(others)
		if !s.turns(round) {
			return
		}
	}
	s.converge()
	s.leave()
	s.checkRecord()
}

// join lets the first of the clients load the session.
func (s *session) join(others []*client) []*client {
	if len(others) == 0 {
		return nil
	}
	next := others[0]
	if !slices.Contains(s.joined, next) {
		next.mu.Lock()
		load := next.load(s.id)
		next.mu.Unlock()
		load()
		s.joined = append(s.joined, next)
	}
	return others[1:]
}

// reopen sometimes lets a client close the session and load it again.
func (s *session) reopen() {
	c := s.joined[s.random.IntN(len(s.joined))]
	if c == s.opener || c.kind == plain || c.kind == observer {
		return
	}
	if !c.until(func() bool { return c.views[s.id].ready }) {
		s.run.violate("%s can't join %s", c.name, s.name)
		return
	}
	c.call("session/close", map[string]any{"sessionId": s.id}, "")
	c.mu.Lock()
	load := c.load(s.id)
	c.mu.Unlock()
	load()
	s.run.reopened.Add(1)
}

// reflect sometimes lets an AHP client subscribe to the session, once it is saved. Before
// that, the host doesn't know it.
func (s *session) reflect() {
	if s.mirror != nil || s.random.IntN(2) == 0 {
		return
	}
	if !s.opener.until(func() bool { return strings.Contains(s.opener.views[s.id].text.String(), s.name) }) {
		s.run.violate("%s shows nothing of %s", s.opener.name, s.name)
		return
	}
	s.mirror = s.run.mirrors[s.random.IntN(len(s.run.mirrors))]
	s.mirror.subscribe(s.id)
}

// turns runs one or two turns at once, whose prompts may be from different clients.
func (s *session) turns(round int) (ok bool) {
	var work sync.WaitGroup
	results := make([]bool, 1+s.random.IntN(2))
	cancel := s.random.IntN(5) == 0
	for i := range results {
		c := s.opener
		for _, other := range s.joined {
			if other.kind != plain && other.kind != observer && s.random.IntN(2) == 0 {
				c = other
			}
		}
		id := fmt.Sprintf("%s-%d%c", s.name, round, 'a'+i)
		size := s.random.IntN(2) * s.random.IntN(256)
		if s.random.IntN(10) == 0 {
			size = 10 << 10
		}
		text := fmt.Sprintf("%s %d %d %d", id, 5+s.random.IntN(40), 5+s.random.IntN(20), size)
		s.mu.Lock()
		s.prompts = append(s.prompts, text)
		s.cancelled[id] = cancel
		s.mu.Unlock()
		work.Go(func() { results[i] = s.prompt(c, id, text, cancel && i == 0) })
	}
	s.reflect()
	s.defy()
	work.Wait()
	return !slices.Contains(results, false)
}

// prompt sends a prompt, perhaps cancels it, and waits until it is answered.
func (s *session) prompt(c *client, id, text string, cancel bool) bool {
	if !c.until(func() bool { return c.views[s.id].ready }) {
		s.run.violate("%s can't join %s", c.name, s.id)
		return false
	}
	c.mu.Lock()
	v := c.views[s.id]
	v.prompts[text]++
	c.mu.Unlock()
	s.run.prompts.Add(1)
	one := c.begin("session/prompt", map[string]any{"sessionId": s.id, "prompt": []any{map[string]string{"type": "text", "text": text}}}, s.id)
	if cancel {
		s.run.cancels.Add(1)
		if !c.until(func() bool { return one.done || strings.Contains(v.text.String(), id+".3") }) {
			s.run.violate("%s doesn't see the beginning of %s", c.name, id)
		}
		c.notify("session/cancel", map[string]any{"sessionId": s.id})
	}
	if !s.answers(c, one) {
		s.run.violate("%s: the prompt %s is not answered", c.name, id)
		return false
	}
	s.mu.Lock()
	cancelled := s.cancelled[id]
	s.mu.Unlock()
	if r := one.result.StopReason; one.failure != "" || r != "end_turn" && (r != "cancelled" || !cancelled) {
		s.run.violate("%s: the prompt %s ended with %q %s", c.name, id, r, one.failure)
	}
	if cancel { // it has certainly arrived once a later request is answered
		flush := c.begin("_soak/flush", map[string]any{}, "")
		return c.until(func() bool { return flush.done })
	}
	return true
}

// answers waits until a prompt is answered. It returns false if nothing happens in the session
// for too long: on a busy machine, people's answers to many requests take long too.
func (s *session) answers(c *client, one *call) bool {
	for seen := -1; !c.until(func() bool { return one.done }); {
		c.mu.Lock()
		v := c.views[s.id]
		now := v.text.Len() + len(v.calls)
		c.mu.Unlock()
		if now == seen {
			return false
		}
		seen = now
	}
	return true
}

// defy lets observers prompt, which the server must refuse.
func (s *session) defy() {
	for _, c := range s.joined {
		if c.kind != observer {
			continue
		}
		one := c.begin("session/prompt", map[string]any{"sessionId": s.id, "prompt": []any{map[string]string{"type": "text", "text": "0 0 1 0"}}}, s.id)
		if !c.until(func() bool { return one.done }) || one.failure == "" {
			s.run.violate("the observer %s prompts", c.name)
		}
		s.run.defied.Add(1)
	}
}

// leave lets all clients close the session, which ends its agent.
func (s *session) leave() {
	for _, c := range s.joined {
		c.mu.Lock()
		delete(c.views, s.id)
		c.mu.Unlock()
		one := c.begin("session/close", map[string]any{"sessionId": s.id}, "")
		if c.kind != plain && !c.until(func() bool { return one.done }) {
			s.run.violate("%s: session/close is not answered", c.name)
		}
	}
	if s.mirror != nil {
		s.mirror.unsubscribe(s.id)
	}
}

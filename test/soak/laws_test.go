//go:build unix

package soak

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/turnwire/turnwire/internal/app/serve/control"
	"github.com/turnwire/turnwire/internal/test/limits"
)

// choose records that a person answers a request. It is called before the answer is sent.
func (r *run) choose(call, option string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.chosen[call+" "+option] = true
}

func (r *run) wasChosen(call, option string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.chosen[call+" "+option]
}

// converge checks that all clients come to show what session/load shows.
func (s *session) converge() {
	s.rest()
	judge := s.run.judge
	judge.mu.Lock()
	load := judge.load(s.id)
	v := judge.views[s.id]
	judge.mu.Unlock()
	load()
	if !judge.until(func() bool { return v.ready }) {
		s.run.violate("the session %s can't be loaded", s.name)
		return
	}
	judge.mu.Lock()
	want, wantText := v.transcript(true), v.transcript(false)
	s.checkText(v)
	judge.mu.Unlock()
	for _, c := range s.joined {
		if !c.until(func() bool { return c.views[s.id].ready && c.views[s.id].transcript(true) == want }) {
			c.mu.Lock()
			s.run.violate("%s shows of %s\n%s\ninstead of\n%s", c.name, s.name, c.views[s.id].transcript(true), want)
			c.mu.Unlock()
		}
	}
	if m := s.mirror; m != nil && !m.until(func() bool { return m.transcript(s.id) == wantText }) {
		m.mu.Lock()
		s.run.violate("%s shows of %s\n%s\ninstead of\n%s", m.name, s.name, m.transcript(s.id), wantText)
		m.mu.Unlock()
	}
	if _, ok := judge.call("session/close", map[string]any{"sessionId": s.id}, s.id); ok {
		judge.mu.Lock()
		delete(judge.views, s.id)
		judge.mu.Unlock()
	}
}

// rest waits until no turn of the session runs. An editor that can't reach the server ends a
// cancelled turn itself, before the cancel reaches the server.
func (s *session) rest() {
	if !slices.Contains(slices.Collect(maps.Values(s.cancelled)), true) {
		return
	}
	server := control.Client{Socket: s.run.server.socket}
	limits.Eventually(s.run.t, func() bool {
		live, err := server.Sessions(s.run.t.Context())
		return err == nil && !slices.ContainsFunc(live, func(one control.Session) bool { return one.ID == s.id && one.Running })
	}, "the cancelled turn of %s goes on", s.name)
}

// checkText checks that a transcript has each prompt once, and each turn's text without a
// gap. A turn that was cancelled may be shorter, or missing.
func (s *session) checkText(v *view) {
	next := make(map[string]int)
	text := strings.ReplaceAll(v.text.String(), padding, "")
	for word := range strings.FieldsSeq(text) {
		id, _, _ := strings.Cut(word, ".")
		if word != fmt.Sprintf("%s.%d", id, next[id]) {
			s.run.violate("%s shows %q instead of the piece %d of %s in\n%s", s.name, word, next[id], id, text)
			return
		}
		next[id]++
	}
	for _, p := range s.prompts {
		var id string
		var pieces, every int
		_, _ = fmt.Sscan(p, &id, &pieces, &every) // it is our own
		if v.prompts[p] != 1 || next[id] != pieces && !s.cancelled[id] {
			s.run.violate("%s shows the prompt %s %d times, and %d of its %d pieces", s.name, id, v.prompts[p], next[id], pieces)
		}
	}
	if len(v.prompts) != len(s.prompts) {
		s.run.violate("%s shows the prompts %v, but these were sent: %v", s.name, v.prompts, s.prompts)
	}
}

// checkRecord checks what the agent received.
func (s *session) checkRecord() {
	file := filepath.Join(s.run.server.records, s.name)
	text, err := os.ReadFile(file)
	if err != nil {
		s.run.violate("%s: %v", s.name, err)
		return
	}
	seen := make(map[string]bool)
	for record := range strings.Lines(string(text)) {
		words := append(strings.Fields(record), "")
		kind, about, decision := words[0], words[1], words[2]
		if seen[kind+about] {
			s.run.violate("the agent received %s %s twice", kind, about)
		}
		seen[kind+about] = true
		if kind == "decision" {
			s.checkDecision(about, decision)
		}
	}
	for id, cancelled := range s.cancelled {
		if !seen["prompt"+id] && !cancelled {
			s.run.violate("the agent never received the prompt %s", id)
		}
	}
	_ = os.Remove(file)
}

// checkDecision checks that a person made a decision.
func (s *session) checkDecision(about, decision string) {
	turn, _, _ := strings.Cut(about, "/")
	counter := map[string]*atomic.Int64{"allow_once": &s.run.allowed, "reject_once": &s.run.rejected, "cancelled": &s.run.withdrawn}[decision]
	if counter == nil {
		s.run.violate("the agent got the decision %s about %s", decision, about)
		return
	}
	counter.Add(1)
	switch {
	case decision == "cancelled" && !s.cancelled[turn]:
		s.run.violate("the request %s was cancelled by nobody", about)
	case decision != "cancelled" && !s.run.wasChosen(about, decision):
		s.run.violate("the agent got %s about %s from nobody", decision, about)
	}
}

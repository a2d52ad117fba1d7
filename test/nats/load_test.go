//go:build soak && unix

package nats

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A crowd is many sessions with many clients at three servers.
type crowd struct {
	t        *testing.T
	cwd      string
	servers  []*machine
	at       [][]*client // by server
	sessions []*crowded
	began    time.Time
	refused  atomic.Int64 // loads that a busy server refused
}

// A crowded session counts, or asks.
type crowded struct {
	i     int
	id    string
	asks  bool
	taken bool // another server has taken it over
	home  int  // the server that owns it
	one   *client
	two   *client // at the same server
	there *client // at another one; nil for most
	turn  string
}

// clients returns the session's clients.
func (s *crowded) clients() []*client {
	all := []*client{s.one, s.two}
	if s.there != nil {
		all = append(all, s.there)
	}
	return all
}

// each runs a function for the selected sessions, several at once.
func (c *crowd) each(what string, which func(*crowded) bool, do func(*crowded)) {
	c.t.Helper()
	began := time.Now()
	todo := make(chan *crowded, len(c.sessions))
	n := 0
	for _, s := range c.sessions {
		if which(s) {
			n++
			todo <- s
		}
	}
	close(todo)
	var work sync.WaitGroup
	for range 32 {
		work.Go(func() {
			for s := range todo {
				do(s)
			}
		})
	}
	work.Wait()
	require.False(c.t, c.t.Failed(), what)
	c.t.Logf("%6.1f s: %s: %d sessions in %.1f s", time.Since(c.began).Seconds(), what, n, time.Since(began).Seconds())
}

func all(*crowded) bool        { return true }
func counting(s *crowded) bool { return !s.asks }

// open opens all sessions, which start to count or ask.
func (c *crowd) open(sessions, clients int) {
	for i := range clients {
		k := i % len(c.servers)
		c.at[k] = append(c.at[k], attach(c.t, c.servers[k]))
	}
	for i := range sessions {
		home := i % len(c.servers)
		here, j := c.at[home], i/len(c.servers)
		s := &crowded{i: i, home: home, asks: i%5 == 4, one: here[j%len(here)], two: here[(j+1)%len(here)]}
		if i%7 == 0 {
			next := c.at[(home+1)%len(c.servers)]
			s.there = next[j%len(next)]
		}
		c.sessions = append(c.sessions, s)
	}
	c.each("opened", all, func(s *crowded) {
		s.id = s.one.open(c.cwd)
		if !s.asks {
			s.turn = s.one.prompt(s.id, endless)
			s.one.awaitPiece(s.id, "0 ")
		}
		for _, f := range s.clients()[1:] {
			f.load(s.id, c.cwd)
		}
	})
}

// further waits until each client of some sessions has received more.
func (c *crowd) further(what string, which func(*crowded) bool) {
	seen := make(map[*crowded][]int)
	for _, s := range c.sessions {
		for _, f := range s.clients() {
			seen[s] = append(seen[s], len(f.textOf(s.id)))
		}
	}
	c.each(what, func(s *crowded) bool { return counting(s) && which(s) }, func(s *crowded) {
		for i, f := range s.clients() {
			f.until(what, func() bool { return len(f.textLocked(s.id)) > seen[s][i]+60 })
		}
	})
}

// ask makes each asking session ask. Everybody answers at once, or nobody does.
func (c *crowd) request(rounds int, answered bool) {
	c.each("asked", func(s *crowded) bool { return s.asks }, func(s *crowded) {
		for range rounds {
			turn := s.two.prompt(s.id, "ask")
			questions := make([]json.RawMessage, 0, 3)
			for _, f := range s.clients() {
				f.until("a question", func() bool { return len(f.asked[s.id]) > 0 })
				f.mu.Lock()
				questions = append(questions, f.asked[s.id][0])
				f.asked[s.id] = f.asked[s.id][1:]
				f.mu.Unlock()
			}
			if !answered {
				s.turn = turn
				return
			}
			var work sync.WaitGroup
			for i, f := range s.clients() {
				work.Go(func() { f.allow(questions[i]) })
			}
			work.Wait()
			if a := s.two.await(turn); a.Error != nil {
				c.t.Errorf("a turn that asked has failed: %+v", a.Error)
			}
		}
	})
}

// seen returns everything that any client has seen of each session.
func (c *crowd) seen() map[*crowded]string {
	all := make(map[*crowded]string)
	for _, s := range c.sessions {
		for _, f := range s.clients() {
			all[s] = max(all[s], f.textOf(s.id))
		}
	}
	return all
}

// takeOver opens sessions at another server, which must show everything that anybody
// has seen of them. A busy server refuses some at first.
func (c *crowd) takeOver(what string, to int, seenOf map[*crowded]string, which func(*crowded) bool) {
	c.each(what, which, func(s *crowded) {
		seen := seenOf[s]
		next := c.at[to]
		one, two := next[s.i%len(next)], next[(s.i+1)%len(next)]
		for _, f := range []*client{one, two} {
			require.Eventually(c.t, func() bool {
				f.forget(s.id)
				a := f.await(f.beginLoad(s.id, c.cwd))
				if a.Error != nil {
					c.refused.Add(1)
				}
				return a.Error == nil
			}, deadline, time.Second)
		}
		if text := one.textOf(s.id); !strings.HasPrefix(text, seen) || !strings.Contains(text[len(seen):], "This turn was interrupted") {
			c.t.Errorf("session %d: %.300q does not follow %.300q", s.i, text[min(len(text), len(seen)):], seen[max(0, len(seen)-100):])
		}
		if a := one.await(one.prompt(s.id, "count 20")); a.Error != nil {
			c.t.Errorf("session %d does not go on: %+v", s.i, a.Error)
		}
		s.home, s.one, s.two, s.there, s.taken = to, one, two, nil, true
	})
}

// forget drops what a client knows about a session before it loads it again.
func (f *client) forget(session string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.text, session)
	delete(f.asked, session)
}

// Runs many sessions with many clients at three servers: NATS is killed, one server is
// cut off, and one is killed. No piece of text is missing or duplicated at any client,
// each question has one decision, and somebody made it.
// TURNWIRE_SESSIONS and TURNWIRE_CLIENTS set their numbers, and TURNWIRE_PAUSE sets
// how long an agent takes for a piece of text.
func TestManySessionsSurviveFailures(t *testing.T) {
	sessions, clients := number("TURNWIRE_SESSIONS", 18), number("TURNWIRE_CLIENTS", 9)
	n := runNATSWith(t, 15*time.Second)
	p := newProxy(t, n.proxy.address())
	c := &crowd{t: t, cwd: t.TempDir(), at: make([][]*client, 3), began: time.Now()}
	for i, url := range []string{n.url(), n.url(), p.url()} {
		c.servers = append(c.servers, serve(t, string("abc"[i]), url, c.cwd))
	}
	c.open(sessions, max(clients, 6))
	c.further("everybody sees more", all)
	const rounds = 3
	c.request(rounds, true)
	c.request(1, false)

	n.kill()
	c.further("without NATS everybody sees more", func(s *crowded) bool { return s.there == nil })
	n.start()
	c.further("with NATS, too", func(s *crowded) bool { return s.there == nil })

	// Clients at another server have lost it, and reconnect.
	c.each("attached again", func(s *crowded) bool { return s.there != nil }, func(s *crowded) {
		seen := s.there.textOf(s.id)
		again := attach(t, c.servers[(s.home+1)%3])
		require.Eventually(t, func() bool { return again.await(again.beginLoad(s.id, c.cwd)).Error == nil }, deadline, 100*time.Millisecond)
		notice := strings.Index(seen, "\n\n> ")
		if notice >= 0 {
			seen = seen[:notice]
		}
		if text := again.textOf(s.id); !strings.HasPrefix(text, seen) {
			t.Errorf("session %d: something that was seen is missing", s.i)
		}
		s.there = again
	})

	seen := c.seen() // what a server shows while it is cut off isn't part of the session
	p.stall()
	cut := func(s *crowded) bool { return s.home == 2 && s.i%2 == 0 }
	type before struct {
		s    *crowded
		one  *client
		turn string
	}
	var lost []before
	for _, s := range c.sessions {
		if cut(s) {
			lost = append(lost, before{s, s.one, s.turn})
		}
	}
	c.takeOver("taken from a server that is cut off", 1, seen, cut)
	c.further("the others go on", func(s *crowded) bool { return s.home == 0 })
	p.goOn()
	for _, l := range lost {
		l.one.awaitPiece(l.s.id, "This session ended here")
	}
	for _, s := range c.sessions {
		if s.home != 0 {
			s.there = nil // its path led to or from the server that was cut off
		}
	}
	c.further("nobody else has noticed", func(s *crowded) bool { return !s.taken })

	c.servers[0].kill()
	c.each("told of the death", func(s *crowded) bool { return s.home == 0 && s.there != nil }, func(s *crowded) {
		s.there.awaitPiece(s.id, "open it again to continue")
		s.there = nil // it has a notice that the session doesn't have
	})
	c.takeOver("taken from a server that was killed", 1, c.seen(), func(s *crowded) bool { return s.home == 0 })

	fresh := attach(t, c.servers[1])
	pieces := 0
	c.each("compared", all, func(s *crowded) {
		fresh.load(s.id, c.cwd)
	})
	for _, s := range c.sessions {
		text := fresh.textOf(s.id)
		for _, count := range counts(t, text) {
			pieces += count + 1
		}
		if live := s.one.textOf(s.id); !strings.HasPrefix(text, live) && !strings.HasPrefix(live, text) {
			t.Errorf("session %d is another one at another server", s.i)
		}
	}
	shown := 0
	for _, clients := range c.at {
		for _, f := range clients {
			for _, s := range c.sessions {
				for _, count := range counts(t, f.textOf(s.id)) {
					shown += count + 1
				}
			}
		}
	}
	askers, unanswered := 0, 0
	for _, s := range c.sessions {
		if !s.asks {
			continue
		}
		askers++
		made := decisions(t, n, s.id)
		given := slices.DeleteFunc(slices.Clone(made), func(d decision) bool { return d.Verdict != "allow" })
		require.Len(t, given, rounds)
		require.LessOrEqual(t, len(made), rounds+1)
		unanswered += len(made) - len(given)
	}
	informed := 0
	for _, m := range c.servers {
		calls := map[string]bool{}
		for call := range slices.Chunk(m.decided(), 2) {
			require.False(t, calls[call[0]], "%s was decided twice", call[0])
			calls[call[0]] = true
			if strings.HasPrefix(call[1], "allow") {
				informed++
			}
		}
	}
	require.Equal(t, askers*rounds, informed, "consent where somebody gave it, and nowhere else")
	t.Logf("%d sessions, %d clients: %d pieces of text kept, %d shown, none missing, none twice; %d questions answered once, %d recorded as not decided; %d take-overs refused at first",
		sessions, max(clients, 6), pieces, shown, informed, unanswered, c.refused.Load())
}

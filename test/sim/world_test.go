package sim

import (
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/turnwire/turnwire/internal/bridge/consent"
	"github.com/turnwire/turnwire/internal/test/memnats"
)

// A World is a server with its agents and clients, in a synctest bubble.
type World struct {
	t      *testing.T
	plan   *Plan
	log    *slog.Logger
	spool  string // the folder for what exceeds the memory limits
	files  string // the folder of edits
	cache  string // the folder of agents' capabilities
	server *server
	second *server         // another server that shares its sessions, or nil
	old    []*server       // those that were killed or stopped
	nats   *memnats.Server // nil if sessions are saved in a folder
	// started counts the servers.
	started int
	// rejoined is set once a server has reached NATS again.
	rejoined bool
	died     time.Time // when a server that shares its sessions was last killed

	sites   map[string]*site   // by the agent's name
	threads map[string]*thread // by the ids of AG-UI threads
	travels sync.WaitGroup     // the connections of travellers

	mu        sync.Mutex // guards the following fields
	random    *rand.Rand
	story     story
	laws      []law
	failure   *BrokenLawError
	clients   []*client
	mirrors   []*mirror
	creations []*creation
	sessions  []*session              // in the order in which they were opened
	actors    []*actor                // in the order in which they started
	prompted  map[string]string       // by turn: the session
	shared    map[string]bool         // the turns that ran beside others in a relayed session
	paused    map[string]bool         // the turns that asked what the next prompt answers; true until then
	continued map[string]string       // by turn: the one that continues it after a question
	lost      map[string]bool         // by turn: its agent has claimed not to know the session
	kept      map[string]*keptSession // by the agent's id: the sessions that agents save themselves
	starts    map[string]int          // by agent: how often it was started
	rambled   bool                    // an agent has said very much
	accepted  map[string]bool         // by question: a client has accepted it
	edits     map[string]*edit        // by request
	parents   map[string]string       // by the call of a sub-agent: the sub-agent
	failing   map[string]string       // by turn: why its agent ended it
	rules     []rule                  // of the operator
	ruled     map[string]bool         // by request: a rule has permitted it
	pieces    int
	ids       int
	step      int
	full      bool               // the disk is full
	emptied   int                // how often it got room again
	sluggish  bool               // the disk is slow
	fast      time.Time          // when it was last made fast
	stopping  bool               // the server stops
	stops     int                // how often it did
	counts    map[string]int     // how often each kind of step occurred
	finals    map[string][]final // by session
	// inspectors are AHP clients that look at all sessions at the end. inspected has the chats
	// that they are shown then, by session, and lists has the lists of sessions.
	inspectors []*mirror
	inspected  map[string]string
	lists      []*listing
	leftovers  []string
	olds       []string          // the sessions that were saved before the world began
	planted    map[string]string // by path: the text of files that don't belong to Turnwire
	audited    []consent.Decision
	decisions  map[string][]consent.Decision // by session: those that are saved in it
}

// A BrokenLawError names the law that a world broke.
type BrokenLawError struct {
	Law   string
	Err   error
	Seed  uint64
	Steps int // the number of steps that were taken
	Story string
}

// Error implements error.
func (f *BrokenLawError) Error() string {
	return fmt.Sprintf("seed %d breaks the law %q: %v\n\nThe last steps:\n%s", f.Seed, f.Law, f.Err, f.Story)
}

// A session is known to the world since the response that opened it.
type session struct {
	id       string
	agent    *agentSpec
	parent   string // the session that it was forked from, or ""
	before   string // the turn before which it was forked, or ""
	deleted  bool
	unclear  bool      // nobody knows whether it was deleted
	unsaved  bool      // something happened while the disk was full
	answered time.Time // when a client last answered a request in it, or its agent a prompt
	mirrored bool      // an AHP client has prompted it
	running  string    // the token of the turn that its agent works on, or ""
	actor    *actor    // that works on it
	resumed  string    // the turn that got the answer to its question, until the next turn begins
}

// storySteps is the number of steps in a failure's story.
const storySteps = 50

// fail records the first failure.
func (w *World) fail(law string, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.failLocked(law, err)
}

func (w *World) failLocked(law string, err error) {
	if w.failure == nil {
		w.story.add("!", law+": "+err.Error())
		w.failure = &BrokenLawError{Law: law, Err: err, Seed: w.plan.Seed, Steps: w.step, Story: w.story.last(storySteps)}
	}
}

// hasFailed reports whether a law was broken.
func (w *World) hasFailed() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.failure != nil
}

// see shows an event to all laws.
func (w *World) see(e *event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if e.kind == said {
		w.pieces++
		e.subject = fmt.Sprintf("<%s:%d>", e.turn, w.pieces)
	}
	if e.kind == announced {
		e.actor.events++
		e.subject = fmt.Sprintf("%d.%d", e.actor.number, e.actor.events)
	}
	if e.actor != nil && e.actor.server.killed || e.client != nil && e.client.server.killed && e.kind != ended {
		return
	}
	switch {
	case e.client != nil:
		e.client.observe(e)
		if e.kind == sent && e.turn != "" {
			w.prompted[e.turn] = e.session
			w.share(e)
		}
		if a := e.client.agent; e.call != nil && e.call.steers != "" && (a.Skills&listens != 0 || a.Kind == acpAgent) && w.session(e.session) != nil {
			w.shareUnknown(e.call.steers, e.session) // the message may begin a turn, for a relayed agent even if it can't take any
		}
	case e.turn != "" && e.kind != notified && e.mirror == nil:
		w.noteCreated(e)
		w.lose(e.session)              // a message may have begun the turn
		e.session = w.prompted[e.turn] // the agent may have another id for it
	}
	w.lose(e.session)
	if e.client != nil && e.kind == sent {
		w.noteTakeover(e.client.server, e.session)
	}
	w.track(e)
	if party, text := e.describe(); text != "" {
		w.story.add(party, text)
	}
	if w.failure != nil {
		return
	}
	for _, l := range w.laws {
		if err := l.see(w, e); err != nil {
			w.failLocked(l.name(), err)
			return
		}
	}
}

// track records which turn an agent works on.
func (w *World) track(e *event) {
	s := w.session(e.session)
	switch {
	case s == nil:
	case e.kind == fenced:
		e.server.loses(s.id)
	case e.kind == began:
		s.running, s.actor = e.turn, e.actor
		if s.resumed != "" && s.resumed != e.turn {
			w.continued[s.resumed] = e.turn
		}
		s.resumed = ""
	case e.kind == asked && e.actor.agent.Kind == aguiAgent && strings.HasPrefix(e.subject, "question-"):
		w.paused[e.turn] = true
	case e.kind == decided && w.paused[e.turn]:
		w.paused[e.turn], s.resumed = false, e.turn
	case e.kind == finished && s.running == e.turn:
		s.running, s.answered = "", time.Now()
	}
}

// describe describes an event for the story.
func (e *event) describe() (party, text string) {
	if e.client != nil {
		switch e.kind {
		case sent:
			return e.client.name, "> " + e.message.line
		case shown:
			return e.client.name, "< " + e.message.line
		}
		return e.client.name, "is disconnected"
	}
	if e.mirror != nil {
		return "", "" // its lines are in the story
	}
	if e.kind == ruled || e.kind == pruned || e.kind == slain {
		return "", ""
	}
	if e.kind == fenced {
		return e.server.name, "loses " + e.session
	}
	if e.actor == nil {
		return "", "everything rests"
	}
	party = e.actor.agent.Name
	switch e.kind {
	case began:
		text = "begins " + e.turn + " in " + e.session
	case greeted:
		text = "greets in " + e.session
	case said:
		text = "says " + e.subject
	case asked:
		text = "asks " + e.subject
	case decided:
		text = fmt.Sprintf("is answered %s: allows=%v", e.subject, e.allows)
	case cancelled:
		text = "hears the cancel of " + e.turn
	case finished:
		text = "finishes " + e.turn + ": " + e.reason
	case died:
		text = "exits"
	case instructed:
		text = "is instructed: " + e.reason
	case resolved:
		text = "no longer waits for " + e.subject
	case remembered:
		text = fmt.Sprint("remembers ", e.texts)
	case steered:
		text = "reads " + e.subject
	case notified:
		text = "is told about " + e.subject
	case announced:
		text = "announces the event " + e.subject
	case polled:
		text = "asks everybody " + e.subject
	case advised:
		text = "is answered " + e.subject + ": " + e.reason
	case desisted:
		text = "withdraws " + e.subject
	}
	return party, text
}

// note adds a line of an AHP client to the story.
func (w *World) note(party, text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.story.add(party, text)
}

// audit records a decision.
func (w *World) audit(s *server, d consent.Decision) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !s.killed {
		w.audited = append(w.audited, d)
	}
}

// newSessionID returns an id for an ACP agent's session.
func (w *World) newSessionID() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ids++
	return fmt.Sprintf("acp-%d", w.ids)
}

// session returns a session, or nil.
func (w *World) session(id string) *session {
	for _, s := range w.sessions {
		if s.id == id {
			return s
		}
	}
	return nil
}

func (w *World) addActor(c *actor) {
	w.mu.Lock()
	defer w.mu.Unlock()
	c.number = len(w.actors)
	w.actors = append(w.actors, c)
}

func (w *World) addSession(id string, e *event, parent string) {
	of := w.session(parent)
	w.sessions = append(w.sessions, &session{
		id: id, agent: e.client.agent, parent: parent,
		unsaved: w.full || w.emptied > e.call.emptied || of != nil && (of.unsaved || !e.client.server.isJoined()), // a copy needs the store
	})
}

// share records which prompts of a relayed session run at the same time, because an update
// may belong to any of them.
func (w *World) share(e *event) {
	if s := w.session(e.session); s != nil && s.mirrored && s.agent.Kind == acpAgent {
		w.shared[e.turn] = true
	}
	for _, c := range w.clients {
		for _, one := range c.calls {
			if one != e.call && one.open && one.turn != "" && one.session == e.session && c.agent.Kind == acpAgent {
				w.shared[one.turn], w.shared[e.turn] = true, true
			}
		}
	}
}

// shareUnknown is like share, for a prompt of an AHP client, or one of which no client waits
// for the end. Its turn's end is not known here, so all later prompts count too.
func (w *World) shareUnknown(token, id string) {
	s := w.session(id)
	if s == nil { // only AHP clients know it
		return
	}
	if s.mirrored = true; s.agent.Kind != acpAgent {
		return
	}
	w.shared[token] = true
	for _, c := range w.clients {
		for _, one := range c.calls {
			if one.open && one.turn != "" && one.session == id {
				w.shared[one.turn] = true
			}
		}
	}
}

// pauses reports whether a turn asked what the next prompt answers. Its calls may end then.
func (w *World) pauses(turn string) bool {
	_, ok := w.paused[turn]
	return ok
}

// waits reports whether a turn, or the one that continues it, asked what the next prompt
// answers.
func (w *World) waits(turn string) bool {
	for turn != "" && !w.paused[turn] {
		turn = w.continued[turn]
	}
	return turn != ""
}

// isPartOf reports whether a session is another one, or was forked from it.
func (w *World) isPartOf(id, ancestor string) bool {
	for id != "" && id != ancestor {
		s := w.session(id)
		if s == nil {
			return false
		}
		id = s.parent
	}
	return id == ancestor
}

// maxLatency bounds the latency of a connection.
const maxLatency = 10 * time.Microsecond

// latency returns the latency of a new connection. Timers of one instant expire in random
// order, so messages of different parties don't arrive at the same instant.
func (w *World) latency() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	return 1 + time.Duration(w.random.Int64N(int64(maxLatency)))
}

// settle waits until all messages have arrived, and all goroutines of the bubble are blocked.
func (w *World) settle() {
	time.Sleep(100*maxLatency + w.latency())
	synctest.Wait()
}

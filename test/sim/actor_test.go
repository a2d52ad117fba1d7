package sim

import (
	"bufio"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// A language is what an agent speaks.
type language interface {
	// text and thought send a piece of text.
	text(t *turn, piece string) string
	thought(t *turn, piece string) string
	// start, output and end show a tool call.
	start(t *turn, call string) string
	output(t *turn, call, text string) string
	end(t *turn, call string, ok bool) string
	// permission asks whether a call may run; question asks anything else.
	permission(t *turn, call string) string
	question(t *turn, id string) string
	// lies returns lines that claim what isn't true. What they show has the text "forged".
	lies(t *turn) []string
	// extras returns lines beside texts, calls and requests.
	extras(t *turn) []string
	// finish ends a turn.
	finish(t *turn, reason string) string
}

// A listener is a language of programs, which read lines.
type listener interface {
	language
	hear(line []byte) error
}

// An actor plays one agent's program, or an AG-UI server for one thread.
type actor struct {
	*program

	world    *World
	agent    *agentSpec
	language language
	server   *server // that started it
	owner    *client // the editor whose own process it is; nil if it is a hub's, or speaks no ACP
	number   int
	events   int // how many notifications without a session it wrote; guarded by the world

	// writing is a lock for writes. It is a channel, because a goroutine that waits for a
	// mutex stops the bubble's clock.
	writing chan struct{}

	mu        sync.Mutex                // guards what follows
	turns     map[string][]*turn        // by session: those that have not ended, in order
	open      map[string]*waiting       // by the id of a request
	runs      map[string]int            // AG-UI: the open streams, by turn
	advice    map[string][]steerMessage // by session: the messages that were not read yet
	terminals map[string]string         // by request: the client's terminal
	inquiries map[string]*inquiry       // by the id of a question
	polls     map[string]*poll          // by id: the requests without a session
	resolved  map[string]bool           // by the id of a request: no answer is needed any more
	forms     map[string]bool           // by session: the client can show forms
	wrote     time.Time                 // when it wrote last, got an answer or began a turn
	last      map[string]string         // by session: the last turn; only for the goroutine that reads
	again     int                       // how many prompts continued a turn; only for the goroutine that reads
}

// A turn is a prompt that an actor works on.
type turn struct {
	actor     *actor
	session   string
	id        string   // of the turn, in the native dialect
	request   string   // the id of the request, in ACP
	run       *aguiRun // the current run, in AG-UI
	refused   bool     // the agent's request was cancelled, in AG-UI
	token     string
	random    *rand.Rand
	skilled   *rand.Rand    // for skills
	offset    time.Duration // of its pauses, so that they don't end with others
	cancelled chan struct{}
	over      bool
	calls     int
	again     int // it continues another one
}

// waiting is a request that the actor waits on.
type waiting struct {
	turn    *turn
	subject string
	answer  chan bool
	passed  bool // another server than the one that was asked gave the answer
	again   bool // the same request is made twice, so there are two answers
}

// startActor starts a program, which takes a moment. It must not be called with a lock held,
// because a goroutine that waits for a mutex stops the bubble's clock.
func (s *server) startActor(a *agentSpec) *actor {
	time.Sleep(s.world.latency())
	return newActor(s, a, nil)
}

func newActor(s *server, a *agentSpec, owner *client) *actor {
	c := &actor{world: s.world, agent: a, server: s, owner: owner, writing: make(chan struct{}, 1), turns: make(map[string][]*turn), open: make(map[string]*waiting), runs: make(map[string]int), last: make(map[string]string), terminals: make(map[string]string), inquiries: make(map[string]*inquiry), resolved: make(map[string]bool), polls: make(map[string]*poll), forms: make(map[string]bool)}
	c.program = newProgram(s.world.latency())
	switch a.Kind {
	case aguiAgent:
		c.language = aguiLanguage{}
	case acpAgent:
		l := &acpLanguage{actor: c, sessions: make(map[string]bool)}
		c.language = l
		c.start(func(*program) { c.listen(l) })
	case agentaoAgent:
		l := &agentaoLanguage{nativeLanguage{actor: c}}
		c.language = l
		c.start(func(*program) { c.listen(l) })
	default:
		l := &nativeLanguage{actor: c}
		c.language = l
		c.start(func(*program) { c.listen(l) })
	}
	s.world.addActor(c)
	return c
}

// isReached reports whether the agent runs, and everything that was written to it or by it
// was read.
func (c *actor) isReached() bool {
	return c.ctx.Err() == nil && !c.server.killed && !c.in.isChoked() && c.in.isEmpty() && c.out.isEmpty()
}

// listen reads commands until EOF.
func (c *actor) listen(to listener) {
	if n, ok := to.(interface{ introduce() }); ok && (c.agent.Greets || c.agent.Skills&(forgets|inquires|learns) != 0) {
		n.introduce()
	}
	for lines := bufio.NewReader(c.in); ; {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			break
		}
		if err := to.hear(line); err != nil {
			c.world.fail("agents get valid messages", err)
		}
	}
	c.world.see(&event{kind: died, actor: c})
}

// write writes lines, unless the program has ended.
func (c *actor) write(lines string) { c.log(nil, func() string { return lines }, c.out) }

// log records an event and writes its lines, so that events are in the order of their
// lines.
func (c *actor) log(e *event, lines func() string, to io.Writer) {
	c.writing <- struct{}{}
	defer func() { <-c.writing }()
	if c.ctx.Err() != nil {
		return
	}
	if e != nil {
		c.world.see(e)
	}
	text := lines()
	_, _ = io.WriteString(to, text) // fails when the program was killed
	c.keepWritten(text)
	c.mu.Lock()
	c.wrote = time.Now()
	c.mu.Unlock()
}

// log records an event of the turn and writes its lines.
func (t *turn) log(e *event, lines func() string) {
	if t.run != nil {
		t.actor.log(e, lines, t.run)
	} else {
		t.actor.log(e, lines, t.actor.out)
	}
}

// last is like log, for the last lines of a run.
func (t *turn) last(e *event, lines func() string) {
	one := t.run // another one may follow as soon as the lines are written
	t.log(e, lines)
	if one != nil {
		one.finish()
	}
}

// write writes lines of the turn.
func (t *turn) write(lines string) { t.log(nil, func() string { return lines }) }

// promptToken matches the text of a prompt, and the texts and names of edits in its attachments.
var promptToken = regexp.MustCompile(`(?m)^([PS]\d+\.\d+)([-/]call)?`)

// tokenIn returns the token of a prompt that may have attachments, or "".
func tokenIn(text string) string {
	for _, found := range promptToken.FindAllStringSubmatch(text, -1) {
		if found[2] == "" {
			return found[1]
		}
	}
	return ""
}

// begin starts a turn.
func (c *actor) begin(t *turn) {
	if token := tokenIn(t.token); token != "" {
		t.token = token
	}
	h := fnv.New64a()
	_, _ = io.WriteString(h, t.token) // never fails
	if t.again > 0 {
		_, _ = fmt.Fprint(h, t.again)
		t.calls = t.again * 1000
	}
	t.actor, t.cancelled = c, make(chan struct{})
	t.random = rand.New(rand.NewPCG(c.world.plan.Seed, h.Sum64()))    //nolint:gosec // it must be repeatable
	t.skilled = rand.New(rand.NewPCG(c.world.plan.Seed+1, h.Sum64())) //nolint:gosec // it must be repeatable
	t.offset = time.Duration(h.Sum64() % uint64(maxLatency))          //nolint:gosec // it is short
	if c.agent.Kind == aguiAgent {
		t.watch()
		t.start() // runs don't wait for each other
		return
	}
	c.mu.Lock()
	c.turns[t.session] = append(c.turns[t.session], t)
	first := len(c.turns[t.session]) == 1
	c.mu.Unlock()
	if first {
		t.start()
	}
}

// start begins a turn when all earlier ones of its session have ended.
func (t *turn) start() {
	t.actor.mu.Lock()
	t.actor.wrote = time.Now()
	t.actor.mu.Unlock()
	t.actor.world.see(&event{kind: began, actor: t.actor, session: t.session, turn: t.token, again: t.again})
	go t.play()
}

// next starts the session's next turn.
func (t *turn) next() {
	c := t.actor
	if c.agent.Kind == aguiAgent {
		return
	}
	c.mu.Lock()
	queue := c.turns[t.session][1:]
	c.turns[t.session] = queue
	c.mu.Unlock()
	if len(queue) > 0 {
		queue[0].start()
	}
}

// cancel cancels a session's turns, because of a message with this method.
func (c *actor) cancel(session, method string) {
	c.mu.Lock()
	queue := slices.Clone(c.turns[session])
	c.mu.Unlock()
	for _, t := range queue {
		t.cancel(method)
	}
}

// cancel cancels a turn, because of a message with this method.
func (t *turn) cancel(method string) {
	t.actor.world.see(&event{kind: cancelled, actor: t.actor, session: t.session, turn: t.token, reason: method})
	select {
	case <-t.cancelled:
	default:
		close(t.cancelled)
	}
}

// answered handles the answer to a request.
func (c *actor) answered(id string, allows bool, option string) error {
	c.mu.Lock()
	w, late := c.open[id], c.resolved[id]
	if w != nil && w.again {
		w.again = false
	} else {
		delete(c.open, id)
	}
	c.wrote = time.Now()
	c.mu.Unlock()
	if w == nil && late {
		return nil
	}
	if w == nil {
		return fmt.Errorf("the request %s was answered twice, or never made", id)
	}
	c.world.see(&event{kind: decided, actor: c, session: w.turn.session, turn: w.turn.token, subject: w.subject, allows: allows, passed: w.passed, reason: option})
	w.answer <- allows
	return nil
}

// play plays a turn.
func (t *turn) play() {
	for range 1 + t.random.IntN(10) {
		if t.isOver() {
			return
		}
		t.act()
		t.practise()
	}
	t.finish("end_turn")
}

// piece says a piece of text that occurs only once in the world.
func (t *turn) piece(more string) {
	if t.isOver() {
		return
	}
	c := t.actor
	e := &event{kind: said, actor: c, session: t.session, turn: t.token}
	t.log(e, func() string { return c.language.text(t, e.subject+more) })
}

// pause waits for a while, or until a cancel arrives.
func (t *turn) pause(d time.Duration) {
	timer := time.NewTimer(d + t.offset)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-t.received():
		t.finish("cancelled")
	case <-t.actor.ctx.Done():
	}
}

// received returns a channel that is closed at a cancel; nil if the agent doesn't listen.
func (t *turn) received() <-chan struct{} {
	if t.actor.agent.Manner == deaf {
		return nil
	}
	return t.cancelled
}

// wait makes a request, waits for the answer, and reports whether it grants permission.
func (t *turn) wait(subject string, ask func(*turn, string) string) bool {
	c := t.actor
	w := &waiting{turn: t, subject: subject, answer: make(chan bool, 2), again: strings.HasSuffix(subject, twice)}
	c.mu.Lock()
	c.open[subject] = w
	c.mu.Unlock()
	e := &event{kind: asked, actor: c, session: t.session, turn: t.token, subject: subject}
	t.last(e, func() string { return ask(t, subject) })
	select {
	case ok := <-w.answer:
		return ok
	case <-t.received():
		t.finish("cancelled")
	case <-c.ctx.Done():
	}
	return false
}

// finish ends the turn, once.
func (t *turn) finish(reason string) {
	c := t.actor
	c.mu.Lock()
	over := t.over
	t.over = true
	delete(c.advice, t.session) // they were for this turn
	c.mu.Unlock()
	if over {
		return
	}
	e := &event{kind: finished, actor: c, session: t.session, turn: t.token, reason: reason}
	t.last(e, func() string { return c.language.finish(t, reason) })
	t.next()
}

// isOver reports whether the turn has ended, or its program. An agent that listens ends
// a cancelled turn.
func (t *turn) isOver() bool {
	select {
	case <-t.received():
		t.finish("cancelled")
	default:
	}
	t.actor.mu.Lock()
	defer t.actor.mu.Unlock()
	return t.over || t.actor.ctx.Err() != nil
}

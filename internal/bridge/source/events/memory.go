package events

import (
	"strings"
	"sync"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/rawjson"
)

const (
	// maxHistory bounds what an agent is told of what was said before, in bytes.
	maxHistory = 64 << 10
	// maxSaid bounds one part of it.
	maxSaid = 16 << 10
)

// A memory is what an agent is told of its session when it has to begin again; see
// [agent.Memory]. It is a fold of what was shown. All methods are safe for concurrent
// use.
type memory struct {
	mu       sync.Mutex
	prompted bool // a turn is over
	forkOf   string
	state    agent.Raw
	history  []agent.Said
	size     int // of history
	listens  bool
	prompt   string         // of the running turn
	answer   rawjson.String // to it; the end if it is long

	reopened  bool // the session is from the journal, and the agent was not prompted since
	resumes   bool // the agent is known to keep its sessions, but not copies of them
	remembers bool // the agent says that it keeps its sessions or takes their history
}

// reopen says that the session goes on from its journal, and whether agents of its kind
// keep their sessions.
func (r *memory) reopen(resumes bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reopened, r.resumes = true, resumes
}

// introduce learns from an agent's introduction what it remembers itself.
func (r *memory) introduce(e *agent.Introduction) {
	r.mu.Lock()
	r.remembers = e.Resume || e.History
	r.mu.Unlock()
	r.listen(e.History)
}

// lost returns the notice, once, that the agent of a reopened session knows nothing of
// what is shown of it, or nil.
func (r *memory) lost() *agent.Notice {
	r.mu.Lock()
	reopened := r.reopened
	r.reopened = false
	known := r.remembers || r.resumes && r.forkOf == "" || !r.prompted
	r.mu.Unlock()
	if !reopened || known {
		return nil
	}
	r.listen(false)
	return &agent.Notice{
		Severity:    "warning",
		Message:     "The agent does not remember what was said before.",
		Description: "It keeps nothing of its sessions, and takes no history of them.",
	}
}

// listen sets whether the agent wants the history. Without that none is kept, because
// thousands of sessions may be open.
func (r *memory) listen(wanted bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.listens = wanted; !wanted {
		r.history, r.size, r.answer = nil, 0, nil
	}
}

// fork says of which session this one is a copy.
func (r *memory) fork(of string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.forkOf = of
}

// begin begins a turn.
func (r *memory) begin(prompt string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.prompt, r.answer = "", nil
	if r.listens {
		r.prompt = strings.ToValidUTF8(prompt[:min(len(prompt), maxSaid)], "")
	}
}

// add adds a piece of the answer.
func (r *memory) add(t agent.Text) {
	text := rawjson.Body(t)
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.listens {
		return
	}
	if len(r.answer)+len(text) > 2*maxSaid {
		r.answer = r.answer.Tail(maxSaid)
	}
	r.answer = append(r.answer, text.Tail(maxSaid)...)
}

// end ends the turn.
func (r *memory) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.prompted = true
	if !r.listens {
		return
	}
	r.say(agent.RoleUser, r.prompt)
	r.say(agent.RoleAgent, r.answer.Tail(maxSaid).String())
	r.prompt, r.answer = "", nil
}

func (r *memory) say(role, text string) {
	if text == "" {
		return
	}
	r.history = append(r.history, agent.Said{Role: role, Text: text})
	r.size += len(text)
	for r.size > maxHistory {
		r.size -= len(r.history[0].Text)
		r.history = r.history[1:]
	}
}

// keep keeps a state of the agent. It reports whether that is not too large.
func (r *memory) keep(state agent.Raw) bool {
	if len(state) > agent.MaxState {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.state = append(agent.Raw(nil), state...)
	return true
}

// recall is [agent.Options].Recall.
func (r *memory) recall() agent.Memory {
	r.mu.Lock()
	defer r.mu.Unlock()
	return agent.Memory{Prompted: r.prompted, ForkOf: r.forkOf, State: r.state, History: append([]agent.Said(nil), r.history...)}
}

package events

import (
	"cmp"
	"strings"
	"sync"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/rawjson"
)

const (
	// maxHistory bounds the conversation history that an agent receives, in bytes.
	maxHistory = 64 << 10
	// maxMessage bounds one message in it, in bytes.
	maxMessage = 16 << 10
)

// A memory is what an agent learns about its session when it must start again; see
// [agent.Memory]. It is a fold of what was shown. All methods are safe for concurrent
// use.
type memory struct {
	mu       sync.Mutex
	prompted bool   // at least one turn has ended
	forkOf   string // the session that this one copies, until the agent knows this one
	rewound  bool   // the copy ends before the end of that session
	state    agent.Raw
	history  []agent.Message
	size     int // of history
	listens  bool
	prompt   string         // of the running turn
	answer   rawjson.String // the answer so far, or its end if it is long

	reopened  bool       // the session was loaded from the journal, and the agent was not prompted since
	kind      agent.Info // what is known about agents of its kind
	remembers bool       // the agent says that it saves its sessions or accepts their history
}

// reopen records that the session continues from its journal, and what is known about
// agents of its kind.
func (r *memory) reopen(kind agent.Info) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reopened, r.kind = true, kind
}

// introduce records from an agent's introduction what the agent remembers itself.
func (r *memory) introduce(e *agent.Introduction) {
	r.mu.Lock()
	r.remembers = e.Resume || e.History
	r.mu.Unlock()
	r.listen(e.History)
}

// lost returns a notice, once, if the agent of a reopened session knows nothing of the
// history shown to the user. Otherwise it returns nil.
func (r *memory) lost() *agent.Notice {
	r.mu.Lock()
	reopened := r.reopened
	r.reopened = false
	known := r.remembers || r.kind.Rewind || r.kind.Resume && (r.forkOf == "" || r.kind.Fork) || !r.prompted
	r.mu.Unlock()
	if !reopened || known {
		return nil
	}
	r.listen(false)
	return &agent.Notice{
		Severity:    "warning",
		Message:     "The agent does not remember the conversation.",
		Description: "It neither saves its sessions nor accepts their history.",
	}
}

// listen sets whether the agent wants the history. If it doesn't, none is stored,
// because thousands of sessions may be open.
func (r *memory) listen(wanted bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.listens = wanted; !wanted {
		r.history, r.size, r.answer = nil, 0, nil
	}
}

// fork records the session that this one copies. If that one is an unused copy too, the
// agent only knows the session that it copies.
func (r *memory) fork(of string, rewound bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.forkOf, r.rewound = cmp.Or(r.forkOf, of), r.rewound || rewound
}

// begin starts a turn.
func (r *memory) begin(prompt string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.prompt, r.answer = "", nil
	if r.listens {
		r.prompt = strings.ToValidUTF8(prompt[:min(len(prompt), maxMessage)], "")
	}
}

// add appends a piece of the answer.
func (r *memory) add(t agent.Text) {
	text := rawjson.Body(t)
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.listens {
		return
	}
	if len(r.answer)+len(text) > 2*maxMessage {
		r.answer = r.answer.Tail(maxMessage)
	}
	r.answer = append(r.answer, text.Tail(maxMessage)...)
}

// user adds a message of the user within the turn.
func (r *memory) user(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.listens {
		return
	}
	r.sayTurn()
	r.prompt = strings.ToValidUTF8(text[:min(len(text), maxMessage)], "")
}

// end ends a turn with its last event.
func (r *memory) end(last agent.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.prompted = true
	if _, failed := last.(*agent.Error); !failed {
		r.own()
	}
	if r.listens {
		r.sayTurn()
	}
}

// own records that the agent knows the session itself, and not only the one that it
// copies. The caller holds mu.
func (r *memory) own() { r.forkOf, r.rewound = "", false }

// sayTurn adds the prompt and the answer to the history.
func (r *memory) sayTurn() {
	r.say(agent.RoleUser, r.prompt)
	r.say(agent.RoleAgent, r.answer.Tail(maxMessage).String())
	r.prompt, r.answer = "", nil
}

func (r *memory) say(role, text string) {
	if text == "" {
		return
	}
	r.history = append(r.history, agent.Message{Role: role, Text: text})
	r.size += len(text)
	for r.size > maxHistory {
		r.size -= len(r.history[0].Text)
		r.history = r.history[1:]
	}
}

// keep stores the agent's state. It returns false if the state is too large.
func (r *memory) keep(state agent.Raw) bool {
	if len(state) > agent.MaxState {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.state = append(agent.Raw(nil), state...)
	r.own()
	return true
}

// recall implements [agent.Options].Recall.
func (r *memory) recall() agent.Memory {
	r.mu.Lock()
	defer r.mu.Unlock()
	return agent.Memory{Prompted: r.prompted, ForkOf: r.forkOf, Rewound: r.rewound, State: r.state, History: append([]agent.Message(nil), r.history...)}
}

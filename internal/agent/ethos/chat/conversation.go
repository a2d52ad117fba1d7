package chat

import (
	"cmp"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/transport/requests"
)

// lastOfAll stands for the last event of a continued conversation. Ethos
// repeats the events after a given one, and those of an earlier session were
// seen. It is the largest number that Ethos can distinguish from its successor.
const lastOfAll = "9007199254740991"

// A Conversation is a conversation with Ethos. Turns run one after another; the other
// methods may be called at any time.
type Conversation struct {
	Requests requests.Book

	lastID   string // the stream continues after this event; used only by turns
	leftover leftover
	unread   atomic.Bool // no tool has ended since the last advice

	mu          sync.Mutex
	id          string // "" before Ethos has chosen one
	configured  string // the personality of new conversations; "" if Ethos chooses
	personality string // the one that answers; "" if Ethos chooses
	say         func(agent.Event) bool
}

// New returns a new conversation with a personality, or the one with this id. Both may be
// empty.
func New(id, personality string) *Conversation {
	if id != "" { // Ethos keeps its first personality, and accepts no other
		return &Conversation{id: id, lastID: lastOfAll, configured: personality}
	}
	return &Conversation{configured: personality, personality: personality}
}

// ID returns the id of the conversation, or "".
func (c *Conversation) ID() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.id
}

// Begin records the id of the conversation.
func (c *Conversation) Begin(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.id = id
}

// Restart begins another conversation, because Ethos has forgotten this one. Only the running
// turn may call it.
func (c *Conversation) Restart() {
	c.lastID, c.leftover = "", leftover{}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.id, c.personality = "", cmp.Or(c.personality, c.configured)
}

var (
	errUnknown = errors.New("unknown option")
	errBound   = errors.New("Ethos cannot change a conversation's personality; choose it before the first prompt of a new session") //nolint:staticcheck // Ethos is a name
)

// Offer reports the personalities as modes. current is the one that answers unless the user
// chooses another.
func (c *Conversation) Offer(say func(agent.Event) bool, modes []agent.Choice, current string) {
	c.mu.Lock()
	c.say = say
	e := &agent.ModeChanged{ModeID: cmp.Or(c.personality, current), Available: modes}
	c.mu.Unlock()
	if len(modes) > 0 && e.ModeID != "" {
		say(e)
	}
}

// Choose sets the personality, which must precede the first prompt.
func (c *Conversation) Choose(o agent.SetOption) error {
	if o.OptionID != agent.OptionMode || o.Value.Choice == "" {
		return errUnknown
	}
	c.mu.Lock()
	if c.id != "" && c.personality != o.Value.Choice {
		c.mu.Unlock()
		return errBound
	}
	c.personality = o.Value.Choice
	say := c.say
	c.mu.Unlock()
	if say != nil {
		say(&agent.ModeChanged{ModeID: o.Value.Choice})
	}
	return nil
}

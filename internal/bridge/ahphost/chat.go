package ahphost

import (
	"slices"
	"strconv"
	"strings"

	"github.com/turnwire/turnwire/internal/protocol/ahp"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
)

// A chat is the state of a session's chat channel, folded from the actions published
// there. It stores the draft in the record. The host's mutex guards it.
type chat struct {
	out         *outlet
	overview    *overview // follows the chat's status
	record      *record
	newID       func() string
	uri         string
	folder      string       // for turns that don't fit into the state; may be ""
	limit       int          // of the turns in the state, in bytes
	unsent      string       // messages that waited when the host ended
	unsure      string       // a message that the agent may have received before that
	interrupted bool         // the last turn of the history was interrupted, and clients don't know
	returned    *ahp.Message // a message for the running turn that became the draft
	state       *ahp.Chat    // nil until it is built, while the session is only listed
	earlier     *earlier     // nil while state is nil
	dropped     bool         // the state was dropped, and not built again
	built       int64        // the number of the last action or mark before state was built
}

// build creates an empty chat. Messages that waited for a turn when the host ended become the
// draft: VS Code removes what it didn't queue itself.
func (c *chat) build() {
	if len(c.record.Queue) > 0 {
		c.unsent = joined(nil, c.record.Queue).Text
		c.record.Draft, c.record.Queue = joined(c.record.Draft, c.record.Queue), nil
	}
	if c.record.ACP == "" && c.record.Sent != nil { // there is no history
		c.redraft()
	}
	c.state = &ahp.Chat{
		Resource: c.uri, Title: c.record.Title, Status: ahp.Idle, ModifiedAt: c.record.Modified, Turns: []ahp.Turn{}, Draft: c.record.Draft,
	}
	if c.built = c.out.feed.last; c.dropped { // clients may know an earlier state
		c.built, c.dropped = c.out.feed.mark(), false
	}
	c.giveUp()
	c.earlier = newEarlier(c.folder, c.limit)
}

// redraft puts the message that the agent may have received before the draft.
func (c *chat) redraft() {
	m := c.record.Sent.Message
	c.record.Sent = nil
	c.unsure = m.Text
	c.record.Draft = joined(c.record.Draft, []ahp.PendingMessage{{Message: m}})
}

// checkSent makes the message whose turn was running when the last host ended the draft, unless
// the history has it. Many histories have other ids, so the latest turn's text counts too.
func (c *chat) checkSent(seen *messages) {
	sent := c.record.Sent
	if sent == nil {
		return
	}
	latest := c.active()
	if latest == nil {
		latest = c.last()
	}
	switch {
	case seen.ids[sent.ID] || seen.last == sent.ID,
		latest != nil && latest.Message.Text == sent.Message.Text:
		c.record.Sent = nil
	default:
		c.redraft()
		c.draft(c.record.Draft)
	}
}

// joined returns one message with everything in a draft and in queued messages.
func joined(draft *ahp.Message, queue []ahp.PendingMessage) *ahp.Message {
	all := queue[0].Message
	for _, m := range queue[1:] {
		all.Text += "\n" + m.Message.Text
		all.Attachments = append(slices.Clip(all.Attachments), m.Message.Attachments...)
	}
	if draft != nil && (draft.Text != "" || len(draft.Attachments) > 0) {
		all.Text += "\n" + draft.Text
		all.Attachments = append(slices.Clip(all.Attachments), draft.Attachments...)
	}
	return &all
}

// beginReplay builds the chat from the session's history. Nothing is published until
// endReplay.
func (c *chat) beginReplay() {
	c.build()
	c.out.replaying = true
}

func (c *chat) endReplay() { c.out.replaying = false }

// drop discards the state until the chat is built again.
func (c *chat) drop() {
	c.giveUp()
	c.state, c.earlier, c.dropped = nil, nil, true
}

// giveUp releases the disk space.
func (c *chat) giveUp() {
	if c.earlier != nil {
		c.earlier.close()
	}
}

// ready reports whether clients can follow the chat. It returns false during a replay.
func (c *chat) ready() bool { return c.state != nil && !c.out.replaying }

// continues reports whether the actions after number seen lead to the chat's state.
func (c *chat) continues(seen int64) bool { return c.ready() && c.built <= seen }

func (c *chat) snapshot() rawJSON { return rawmsg.Encode(c.state) }

// say applies actions, and sends them to the chat's clients. from is the client that
// sent them, or nil if the host did.
func (c *chat) say(from *origin, actions ...ahp.Action) {
	at := now()
	for _, a := range actions {
		before := len(c.state.Turns)
		c.state.Apply(a, at)
		c.out.publish(c.uri, a, from)
		if len(c.state.Turns) > before {
			c.earlier.note(c.state)
		}
	}
	c.overview.showActivity(c.state.Status)
}

// start shows the start of a turn, and its consequences. A turn that a client starts may
// have been its draft. But a returned message stays unless the turn contains it: the client
// may have started the turn before it got the draft.
func (c *chat) start(from *origin, started ahp.TurnStarted) {
	if started.StartedAt == "" && c.ready() {
		started.StartedAt = now()
	}
	c.say(from, &started)
	if d := c.state.Draft; from != nil && d != nil && c.ready() && (d != c.returned || contains(&started.Message, d)) {
		c.draft(nil)
	}
	c.overview.turnBegan(started.Message.Text)
}

// contains reports whether a message has the text of a draft, and as many attachments.
func contains(m, draft *ahp.Message) bool {
	return strings.Contains(m.Text, draft.Text) && len(m.Attachments) >= len(draft.Attachments)
}

// draft changes the draft; nil clears it.
func (c *chat) draft(m *ahp.Message) {
	c.say(nil, &ahp.DraftChanged{Draft: m})
	c.record.Draft = m
}

// giveBack adds a message that the agent never got to the draft.
func (c *chat) giveBack(m ahp.Message) {
	c.draft(joined(c.record.Draft, []ahp.PendingMessage{{Message: m}}))
	c.returned = c.state.Draft
}

// until returns the turns up to one, or none if last is nil. ok is false if that turn is
// not in the state.
func (c *chat) until(last *string) (turns map[string]bool, ok bool) {
	turns = make(map[string]bool)
	if last == nil {
		return turns, true
	}
	for id := range c.earlier.ids {
		turns[id] = true
	}
	for i := range c.state.Turns {
		turns[c.state.Turns[i].ID] = true
		if c.state.Turns[i].ID == *last {
			return turns, true
		}
	}
	return nil, false
}

// truncate shows a truncation.
func (c *chat) truncate(from *origin, a *ahp.Truncated) {
	c.say(from, a)
	if a.TurnID == nil {
		c.giveUp()
		c.earlier = newEarlier(c.folder, c.limit)
		return
	}
	c.earlier.cut(len(c.state.Turns))
}

// active returns the turn that clients see running, or nil.
func (c *chat) active() *ahp.Turn {
	if c.state == nil {
		return nil
	}
	return c.state.ActiveTurn
}

func (c *chat) isActive(turn string) bool { return c.active() != nil && c.active().ID == turn }

// hasEnded reports whether a turn with that id has ended.
func (c *chat) hasEnded(turn string) bool {
	return c.earlier.ids[turn] || slices.ContainsFunc(c.state.Turns, func(t ahp.Turn) bool { return t.ID == turn })
}

// newTurn returns an id for a turn that no client named.
func (c *chat) newTurn() string {
	id := "turn-" + strconv.Itoa(len(c.earlier.ids)+len(c.state.Turns)+1)
	if c.hasEnded(id) {
		return "turn-" + c.newID()
	}
	return id
}

// last returns the turn that ended last, or nil.
func (c *chat) last() *ahp.Turn {
	if len(c.state.Turns) == 0 {
		return nil
	}
	return &c.state.Turns[len(c.state.Turns)-1]
}

// call returns a tool call of the active turn, or nil.
func (c *chat) call(id string) *ahp.ToolCall { return c.state.Call(id) }

// question returns an open question, or nil.
func (c *chat) question(id string) *ahp.InputRequest { return c.state.Asked(id) }

// queued returns the messages queued for later turns.
func (c *chat) queued() []ahp.PendingMessage { return c.state.QueuedMessages }

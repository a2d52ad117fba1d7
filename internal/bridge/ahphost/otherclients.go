package ahphost

import (
	"errors"
	"slices"

	"github.com/turnwire/turnwire/internal/bridge/ahpmap"
	"github.com/turnwire/turnwire/internal/protocol/ahp"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// A prompt is another hub client's prompt.
type prompt struct {
	by      string // the hub's name for the client
	blocks  int    // the number of blocks still to come
	id      string // its id in the queued messages; "" if it isn't queued
	message ahp.Message
	sent    string // the id of the message
}

// others are the prompts of other hub clients. The agent may be working on the first.
// The host's mutex guards them.
type others struct {
	chat    *chat
	turn    *turn
	stamp   func(*ahp.Message) // adds the current model
	prompts []*prompt
	last    string // the id of the latest message
}

// sent records that another client sent a prompt. Its blocks follow.
func (o *others) sent(by string, blocks int) {
	p := &prompt{by: by, blocks: blocks, message: ahp.Message{Origin: ahp.Origin{Kind: ahp.FromUser}}}
	o.stamp(&p.message)
	o.prompts = append(o.prompts, p)
	if blocks == 0 {
		o.show(p)
	}
}

// add adds a block of another client's prompt, or of a prompt in the journal.
func (o *others) add(c *v1.MessageChunk) {
	if i := slices.IndexFunc(o.prompts, func(p *prompt) bool { return p.blocks > 0 }); i >= 0 {
		p := o.prompts[i]
		ahpmap.UserText(&p.message, c.Content)
		p.sent = c.MessageID
		if p.blocks--; p.blocks == 0 {
			o.show(p)
		}
		return
	}
	same := c.MessageID != "" && c.MessageID == o.last // as the last block's message
	o.last = c.MessageID
	if t := o.chat.active(); !o.chat.ready() && t != nil && len(t.ResponseParts) == 0 && (same || c.MessageID == "" && o.turn.isOwn()) {
		ahpmap.UserText(&t.Message, c.Content) // the next block of the same prompt
		return
	}
	if o.chat.ready() {
		if !same { // the number of blocks is not known, so only the first is shown: the text
			m := ahp.Message{Origin: ahp.Origin{Kind: ahp.FromUser}}
			ahpmap.UserText(&m, c.Content)
			o.turn.interrupt(m, "")
		}
		return
	}
	o.turn.close(v1.StopEndTurn) // the journal doesn't say how it ended
	m := ahp.Message{Origin: ahp.Origin{Kind: ahp.FromUser}}
	ahpmap.UserText(&m, c.Content)
	// The journal says which turns were not started by a prompt. The hub's history has the
	// prompt, so this is a message during its turn.
	o.turn.start(running{own: !o.any(), message: c.MessageID}, m, "")
}

// show shows a complete prompt as a turn, or in the queue while a turn is running.
func (o *others) show(p *prompt) {
	if !o.chat.ready() && o.turn.isOwn() { // a turn in the journal ended
		o.turn.close(v1.StopEndTurn)
	}
	o.turn.endUnsolicited()
	if !o.turn.runs() && o.chat.active() == nil {
		o.begin(p)
		return
	}
	p.id = "other-" + o.chat.newID()
	o.chat.say(nil, &ahp.PendingMessageSet{Kind: ahp.PendingQueued, ID: p.id, Message: p.message})
}

// has reports whether a queued message is another client's.
func (o *others) has(id string) bool {
	return slices.ContainsFunc(o.prompts, func(p *prompt) bool { return p.id == id })
}

func (o *others) any() bool { return len(o.prompts) > 0 }

// wait reports whether prompts wait for the agent, in addition to the one on which it works.
func (o *others) wait() bool {
	if o.turn.runs() && !o.turn.isOwn() {
		return len(o.prompts) > 1
	}
	return o.any()
}

// next begins the first prompt if it is complete, and reports whether it did.
func (o *others) next() bool {
	if !o.any() || o.prompts[0].blocks > 0 {
		return false
	}
	o.begin(o.prompts[0])
	return true
}

// begin shows the turn of a prompt. If a client of this host has started a turn
// meanwhile, the prompt's turn is hidden.
func (o *others) begin(p *prompt) {
	if o.chat.active() != nil {
		o.unqueue(p)
		o.turn.startHidden()
		return
	}
	o.turn.start(running{message: p.sent}, p.message, p.id)
}

func (o *others) unqueue(p *prompt) {
	if p.id != "" {
		o.chat.say(nil, &ahp.PendingMessageRemoved{Kind: ahp.PendingQueued, ID: p.id})
	}
}

// ended ends the turn of another client's prompt.
func (o *others) ended(by string, reason v1.StopReason, failure string) {
	i := slices.IndexFunc(o.prompts, func(p *prompt) bool { return p.by == by })
	if i < 0 {
		return
	}
	p := o.prompts[i]
	o.prompts = slices.Delete(o.prompts, i, i+1)
	switch {
	case i > 0 || !o.turn.runs() || o.turn.isOwn(): // it was answered along with another prompt
		o.unqueue(p)
	case failure != "":
		o.turn.end("", errors.New(failure))
	default:
		o.turn.end(reason, nil)
	}
}

// drop forgets all prompts. They must not stay in the queue, or the host would send them to
// the agent again.
func (o *others) drop() {
	for _, p := range o.prompts {
		o.unqueue(p)
	}
	o.prompts = nil
}

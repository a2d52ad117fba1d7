package ahphost

import (
	"encoding/json"

	"github.com/turnwire/turnwire/internal/protocol/ahp"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	"github.com/turnwire/turnwire/protocol"
)

type rawJSON = json.RawMessage

// subscribe answers with the state of a channel. Later changes follow.
func (q *request) subscribe() {
	channel := rawmsg.MemberText(object(q.params), "channel")
	c, h := q.client, q.client.host
	if channel == "" {
		q.fail(protocol.CodeInvalidParams, "channel is missing")
		return
	}
	h.reach(channel, func(err error) {
		if err == nil {
			err = c.room()
		}
		if err != nil {
			q.failWith(err)
			return
		}
		q.answer(map[string]any{"snapshot": h.subscribe(c, channel)})
	})
}

// room returns an error if the client cannot subscribe to more channels.
func (c *client) room() error {
	if len(c.channels) >= maxChannels {
		return protocol.Errorf(protocol.CodeInvalidRequest, "the client is already subscribed to %d channels", maxChannels)
	}
	return nil
}

// reach calls then, with the lock held, once a channel has a state, or with the error
// if it has none. The caller holds the lock.
func (h *Host) reach(channel string, then func(err error)) {
	if channel == ahp.Root {
		then(nil)
		return
	}
	if s, _ := h.sessions.find(channel); s != nil {
		s.open(then)
		return
	}
	h.work.Go(func() { // it may be in the journal, but not listed yet
		found := h.agents.lookUp(h.cfg.Journal, channel)
		h.mu.Lock()
		defer h.mu.Unlock()
		if found != nil {
			h.know(*found)
		}
		s, _ := h.sessions.find(channel)
		if s == nil {
			then(protocol.Errorf(ahp.CodeNoSession, "unknown channel %s", short(channel)))
			return
		}
		s.open(then)
	})
}

// subscribe subscribes a client to a channel that has a state, and returns a snapshot.
func (h *Host) subscribe(c *client, channel string) ahp.Snapshot {
	snapshot := ahp.Snapshot{Resource: channel, FromSeq: h.feed.mark()}
	h.clients.noteState(c.id, channel, snapshot.FromSeq)
	if channel == ahp.Root {
		snapshot.State = rawmsg.Encode(h.agents.root())
		c.enter(channel, channel)
		return snapshot
	}
	s, isChat := h.sessions.find(channel)
	if isChat { // encode it now, because it changes
		snapshot.State = s.chat.snapshot()
	} else {
		snapshot.State = s.overview.snapshot()
	}
	c.enter(s.channel(channel), channel)
	s.attend()
	if c.left { // while it waited
		s.unattend()
	}
	return snapshot
}

// snapshots subscribes a client to channels. It calls then when all existing ones have
// a state. The caller holds the lock.
func (h *Host) snapshots(c *client, channels []string, then func(snapshots []ahp.Snapshot, missing []string)) {
	channels = channels[:min(len(channels), maxChannels)]
	type reached struct {
		channel string
		session *session // nil for the root channel
	}
	var there []reached
	missing := []string{}
	waits := 1
	done := func() {
		if waits--; waits > 0 {
			return
		}
		snapshots := []ahp.Snapshot{}
		for _, r := range there {
			if s := r.session; s != nil {
				s.expected--
				if !h.sessions.has(s) || !s.chat.ready() { // it was disposed of meanwhile
					missing = append(missing, r.channel)
					s.unattend()
					continue
				}
			}
			snapshots = append(snapshots, h.subscribe(c, r.channel))
		}
		then(snapshots, missing)
	}
	for _, channel := range channels {
		waits++
		h.reach(channel, func(err error) {
			if err == nil {
				s, _ := h.sessions.find(channel)
				if s != nil {
					s.expected++
				}
				there = append(there, reached{channel, s})
			} else {
				h.cfg.Log.Info("a channel is missing", "channel", short(channel), "error", err)
				missing = append(missing, channel)
			}
			done()
		})
	}
	done()
}

// enter subscribes the client to a channel. as is the client's name for it.
func (c *client) enter(channel, as string) {
	if !c.left {
		c.channels[channel] = as
	}
}

// unsubscribeAs ends the subscription to the channel that the client calls as.
func (c *client) unsubscribeAs(as string) {
	c.host.clients.forgetState(c.id, as)
	for channel, called := range c.channels {
		if called == as {
			c.unsubscribe(channel)
		}
	}
}

func (c *client) unsubscribe(channel string) {
	delete(c.channels, channel)
	c.host.clients.wake()
	if s, _ := c.host.sessions.find(channel); s != nil {
		s.unattend()
	}
}

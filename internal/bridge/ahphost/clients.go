package ahphost

import (
	"slices"
	"sync"

	"github.com/turnwire/turnwire/internal/protocol/ahp"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
)

// clients are a host's connected clients, and the state of those that may reconnect.
// The host's mutex guards them.
type clients struct {
	connected []*client         // in the order in which they connected; replaced if one leaves
	known     map[string]*known // by client id
	room      sync.Cond         // signals that a client read something or left, or that a wait must end
}

func newClients(mu *sync.Mutex) *clients {
	cs := &clients{known: make(map[string]*known)}
	cs.room.L = mu
	return cs
}

func (cs *clients) all() []*client { return cs.connected }

func (cs *clients) add(c *client) { cs.connected = append(cs.connected, c) }

func (cs *clients) remove(c *client) {
	cs.connected = slices.DeleteFunc(slices.Clone(cs.connected), func(other *client) bool { return other == c })
	cs.room.Broadcast()
}

// forget drops the state of a client. It returns false if the client is connected.
func (cs *clients) forget(id string) bool {
	for _, c := range cs.connected {
		if c.id == id {
			return false
		}
	}
	delete(cs.known, id)
	return true
}

// deliver sends an action to the subscribers of its channel. Clients that call the channel by
// the same name share a line.
func (cs *clients) deliver(e *envelope) {
	var last string // the name in line
	var line []byte
	for _, c := range cs.connected {
		as, subscribed := c.channels[e.channel]
		if !subscribed || !ahp.Knows(c.version, e.kind) {
			continue
		}
		if line == nil || as != last {
			last, line = as, e.line(as)
		}
		c.enqueue(line)
	}
}

// notify sends a notification to the subscribers of the root channel.
func (cs *clients) notify(method string, params any) {
	line := rawmsg.Request(nil, method, rawmsg.Encode(params))
	for _, c := range cs.connected {
		if _, subscribed := c.channels[ahp.Root]; subscribed {
			c.enqueue(line)
		}
	}
}

// follow reports whether a client is subscribed to one of the channels.
func (cs *clients) follow(channels ...string) bool {
	for _, c := range cs.connected {
		for _, channel := range channels {
			if _, is := c.channels[channel]; is {
				return true
			}
		}
	}
	return false
}

// unsubscribe ends all subscriptions to channels that no longer exist.
func (cs *clients) unsubscribe(channels ...string) {
	for _, c := range cs.connected {
		for _, channel := range channels {
			delete(c.channels, channel)
		}
	}
}

// wake makes callers of awaitRoom check again.
func (cs *clients) wake() { cs.room.Broadcast() }

// awaitRoom waits until a client that follows the agent's sessions has read most of its
// queue, until no client follows them, or until over returns true.
func (cs *clients) awaitRoom(a *agent, closed func() bool) {
	for !closed() && !cs.hasRoom(a) {
		cs.room.Wait()
	}
}

func (cs *clients) hasRoom(a *agent) bool {
	followed := false
	for _, c := range cs.connected {
		if !c.follows(a) {
			continue
		}
		if followed = true; c.size < lowQueue {
			return true
		}
	}
	return !followed
}

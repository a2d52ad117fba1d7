package hostahp

import (
	"encoding/json"

	"github.com/turnwire/turnwire/protocol/ahp"
	"github.com/turnwire/turnwire/protocol/rawmsg"
)

// Methods of notifications.
const (
	methodAction         = "action"
	methodSessionAdded   = "root/sessionAdded"
	methodSessionRemoved = "root/sessionRemoved"
	methodSummaryChanged = "root/sessionSummaryChanged"
)

// An origin is the client whose action it was.
type origin struct {
	ClientID  string `json:"clientId"`
	ClientSeq int64  `json:"clientSeq"`
}

// An envelope is an action as clients get it.
type envelope struct {
	Channel         string          `json:"channel"`
	Action          json.RawMessage `json:"action"`
	ServerSeq       int64           `json:"serverSeq"`
	Origin          *origin         `json:"origin,omitempty"`
	RejectionReason string          `json:"rejectionReason,omitempty"`
}

// publish gives an action the next number and sends it to all clients of its
// channel. The lock is held.
func (h *Host) publish(channel string, a ahp.Action, from *origin) {
	h.seq++
	e := envelope{Channel: channel, Action: ahp.Encode(a), ServerSeq: h.seq, Origin: from}
	params := rawmsg.Encode(e)
	h.ring.add(entry{seq: h.seq, channel: channel, kind: a.ActionType(), params: params})
	line := rawmsg.Request(nil, methodAction, params)
	for c := range h.clients {
		as, subscribed := c.channels[channel]
		switch {
		case !subscribed || !ahp.Knows(c.version, a.ActionType()):
		case as != channel:
			c.put(rawmsg.Request(nil, methodAction, rawmsg.Replace(params, "channel", rawmsg.Quote(as))))
		default:
			c.put(line)
		}
	}
}

// notify tells all clients of the root.
func (h *Host) notify(method string, params any) {
	line := rawmsg.Request(nil, method, rawmsg.Encode(params))
	for c := range h.clients {
		if _, subscribed := c.channels[ahp.Root]; subscribed {
			c.put(line)
		}
	}
}

const (
	// ringEntries and ringBytes bound what can be sent again.
	ringEntries = 8 << 10
	ringBytes   = 16 << 20
)

// An entry is an action that can be sent again.
type entry struct {
	seq     int64
	channel string
	kind    string
	params  []byte
}

// A ring is the last actions.
type ring struct {
	entries []entry
	size    int
	lost    int64 // number of the last one that is not there any more
}

func (r *ring) add(e entry) {
	r.entries = append(r.entries, e)
	r.size += len(e.params)
	n := 0
	for r.size > ringBytes || len(r.entries)-n > ringEntries {
		r.size -= len(r.entries[n].params)
		r.lost = r.entries[n].seq
		n++
	}
	if n > 0 {
		clear(r.entries[:n])
		r.entries = r.entries[n:]
	}
}

// after returns the actions after one; ok is false where some are gone.
func (r *ring) after(seq int64) (entries []entry, ok bool) {
	i := len(r.entries)
	for i > 0 && r.entries[i-1].seq > seq {
		i--
	}
	return r.entries[i:], seq >= r.lost
}

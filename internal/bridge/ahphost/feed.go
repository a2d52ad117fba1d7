package ahphost

import (
	"encoding/json"
	"strconv"

	"github.com/turnwire/turnwire/internal/protocol/ahp"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
)

// The methods of notifications.
const (
	methodAction         = "action"
	methodSessionAdded   = "root/sessionAdded"
	methodSessionRemoved = "root/sessionRemoved"
	methodSummaryChanged = "root/sessionSummaryChanged"
)

// An origin identifies the client that sent an action.
type origin struct {
	ClientID  string `json:"clientId"`
	ClientSeq int64  `json:"clientSeq"`
}

// An envelope is an action in the form that clients receive.
type envelope struct {
	channel  string
	action   json.RawMessage
	seq      int64
	origin   *origin // may be nil
	rejected string  // why; "" means it was applied
}

// encode returns the params of a notification. Actions may be long, so encoding/json would
// spend more time on checking them than everything else takes.
func (e *envelope) encode() []byte {
	out := make([]byte, 0, len(e.action)+len(e.channel)+256)
	out = append(append(out, `{"channel":`...), rawmsg.Quote(e.channel)...)
	out = append(append(out, `,"action":`...), e.action...)
	out = strconv.AppendInt(append(out, `,"serverSeq":`...), e.seq, 10)
	if e.origin != nil {
		out = append(append(out, `,"origin":`...), rawmsg.Encode(e.origin)...)
	}
	if e.rejected != "" {
		out = append(append(out, `,"rejectionReason":`...), rawmsg.Quote(e.rejected)...)
	}
	return append(out, '}')
}

// A feed numbers the actions of all channels, sends them to the channels' subscribers,
// and stores the latest for clients that reconnect. The host's mutex guards it.
type feed struct {
	clients *clients
	first   int64 // the number of the first action
	last    int64 // the number of the last action
	ring    ring

	saver    *saver
	reserved int64 // no number from here on was used
}

// publish gives an action the next number and sends it to the subscribers of its
// channel.
func (f *feed) publish(channel string, a ahp.Action, from *origin) {
	f.next()
	kind := a.ActionType()
	params := (&envelope{channel: channel, action: ahp.Encode(a), seq: f.last, origin: from}).encode()
	f.ring.add(entry{seq: f.last, channel: channel, kind: kind, params: params})
	f.clients.deliver(channel, kind, params)
}

// mark numbers a change of a channel's state that no action describes. Clients that have only
// seen earlier numbers need a snapshot.
func (f *feed) mark() int64 {
	f.next()
	return f.last
}

// tell sends an action to only one client.
func (f *feed) tell(c *client, channel string, a ahp.Action) {
	if !ahp.Knows(c.version, a.ActionType()) {
		return
	}
	f.next()
	c.enqueue(rawmsg.Request(nil, methodAction, (&envelope{channel: channel, action: ahp.Encode(a), seq: f.last}).encode()))
}

// sendBack returns an action to the client that sent it. reason says why it was
// rejected; "" means it was applied.
func (f *feed) sendBack(d *dispatched, reason string) {
	f.next()
	e := envelope{channel: d.channel, action: d.raw, seq: f.last, origin: d.origin(), rejected: reason}
	d.client.enqueue(rawmsg.Request(nil, methodAction, e.encode()))
}

// after returns the actions after number seen. ok is false if some of them are no
// longer stored.
func (f *feed) after(seen int64) (entries []entry, ok bool) {
	if seen < f.first || seen > f.last {
		return nil, false
	}
	return f.ring.after(seen)
}

const (
	// ringEntries and ringBytes bound the stored actions.
	ringEntries = 8 << 10
	ringBytes   = 16 << 20
)

// An entry is a stored action.
type entry struct {
	seq     int64
	channel string
	kind    string
	params  []byte
}

// A ring stores the latest actions.
type ring struct {
	entries []entry
	size    int
	lost    int64 // the number of the last dropped action
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

// after returns the actions after number seq. ok is false if some of them were dropped.
func (r *ring) after(seq int64) (entries []entry, ok bool) {
	i := len(r.entries)
	for i > 0 && r.entries[i-1].seq > seq {
		i--
	}
	return r.entries[i:], seq >= r.lost
}

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
	kind     string
	action   json.RawMessage
	seq      int64
	origin   *origin // may be nil
	rejected string  // why; "" means it was applied
}

// envelopeRoom is more than what an envelope adds to an action and to the name of a channel
// usually takes, in bytes.
const envelopeRoom = 256

// params returns the params of the notification for clients that call the channel as. Actions
// may be long, so encoding/json would spend more time on checking them than everything else
// takes.
func (e *envelope) params(as string) []byte {
	return e.appendParams(make([]byte, 0, len(e.action)+len(as)+envelopeRoom), as)
}

func (e *envelope) appendParams(dst []byte, as string) []byte {
	dst = append(append(dst, `{"channel":`...), rawmsg.Quote(as)...)
	dst = append(append(dst, `,"action":`...), e.action...)
	dst = strconv.AppendInt(append(dst, `,"serverSeq":`...), e.seq, 10)
	if e.origin != nil {
		dst = append(append(dst, `,"origin":`...), rawmsg.Encode(e.origin)...)
	}
	if e.rejected != "" {
		dst = append(append(dst, `,"rejectionReason":`...), rawmsg.Quote(e.rejected)...)
	}
	return append(dst, '}')
}

// line returns the notification for clients that call the channel as.
func (e *envelope) line(as string) []byte {
	line := make([]byte, 0, len(e.action)+len(as)+envelopeRoom)
	line = append(line, `{"jsonrpc":"2.0","method":"`+methodAction+`","params":`...)
	return append(e.appendParams(line, as), '}')
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
	e := envelope{channel: channel, kind: a.ActionType(), action: ahp.Encode(a), seq: f.last, origin: from}
	f.ring.add(e)
	f.clients.deliver(&e)
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
	c.enqueue((&envelope{action: ahp.Encode(a), seq: f.last}).line(channel))
}

// sendBack returns an action to the client that sent it. reason says why it was
// rejected; "" means it was applied.
func (f *feed) sendBack(d *dispatched, reason string) {
	f.next()
	e := envelope{action: d.raw, seq: f.last, origin: d.origin(), rejected: reason}
	d.client.enqueue(e.line(d.channel))
}

// after returns the actions after number seen. ok is false if some of them are no
// longer stored.
func (f *feed) after(seen int64) (actions []envelope, ok bool) {
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

// A ring stores the latest actions.
type ring struct {
	actions []envelope
	size    int
	lost    int64 // the number of the last dropped action
}

func (r *ring) add(e envelope) {
	r.actions = append(r.actions, e)
	r.size += e.size()
	n := 0
	for r.size > ringBytes || len(r.actions)-n > ringEntries {
		r.size -= r.actions[n].size()
		r.lost = r.actions[n].seq
		n++
	}
	if n > 0 {
		clear(r.actions[:n])
		r.actions = r.actions[n:]
	}
}

// size returns roughly what the action takes in memory, in bytes.
func (e *envelope) size() int { return len(e.action) + envelopeRoom }

// after returns the actions after number seq. ok is false if some of them were dropped.
func (r *ring) after(seq int64) (actions []envelope, ok bool) {
	i := len(r.actions)
	for i > 0 && r.actions[i-1].seq > seq {
		i--
	}
	return r.actions[i:], seq >= r.lost
}

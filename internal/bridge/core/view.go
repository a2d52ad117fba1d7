package core

import (
	"sync/atomic"

	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/protocol"
)

// A View shows a source's sessions to clients.
type View interface {
	// Chunks shows pieces of a text. ends holds the end offset of each piece; nil means
	// one piece. It waits while the client does not read.
	Chunks(f *Frame, text []byte, ends []int) error
	// Update shows an update of a session. at is the update's time, if the client
	// should see it. It waits while the client does not read.
	Update(session string, u v1.Update, at v1.Times) error
	// Relay shows a notification that is already encoded. It waits while the client
	// does not read.
	Relay(n Notification) error
	// Send is like Relay, for the few notifications that never wait.
	Send(n Notification)
	// Request sends a request to the client. It fails if the client cannot be asked.
	Request(a *Request) error
	// Withdraw tells the client that its answer is no longer needed. If an answer still
	// comes, it is passed on.
	Withdraw(a *Request)
	// Forget drops the answer to a request if it has not arrived yet.
	Forget(a *Request)
	// AwaitRoom blocks until there is room for updates.
	AwaitRoom()
	// Flush sends everything shown so far to the client. It does not wait for that.
	Flush()
}

// A Frame is the fixed part around the text in the chunks of one message. Chunks of the
// same Frame may be joined.
type Frame struct {
	protocol.Chunk

	Session string
	Kind    v1.ChunkKind
	Message string // the message's id, or ""
	Update  int    // the offset of the update in Prefix
}

// A Notification is one encoded notification for the client, without its newline.
type Notification struct {
	// Line is not modified by a view. It is valid until the view returns; a hub's Line
	// stays valid.
	Line []byte
	// Session is the client's id for the session that Line belongs to; "" if no session
	// is known.
	Session string
	// From and To are the offsets of the update in Line. They are 0 if the notification
	// is not a session update.
	From, To int
	// At is the update's time, if the client should see it.
	At v1.Times
	// Event is what Line tells the session's clients about each other; nil for other
	// notifications.
	Event *ClientEvent
	// Echo is the prompt that the update repeats; nil for other updates. Only the prompt's
	// client is shown it: the others are shown the prompt itself.
	Echo *Call
	// Gate, if not nil and set by the time there is room, drops the notification.
	Gate *atomic.Bool
}

package core

import (
	"sync/atomic"

	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/protocol"
)

// A View shows the sessions of a source to clients.
type View interface {
	// Chunks shows the pieces of a text whose ends are in ends; nil is for one piece.
	// It waits while the client does not read.
	Chunks(f *Frame, text []byte, ends []int) error
	// Update shows an update of a session. at is when it came if that is to be said.
	// It waits while the client does not read.
	Update(session string, u v1.Update, at v1.Times) error
	// Relay shows a notification that is written already. It waits while the client
	// does not read.
	Relay(n Notification) error
	// Send is Relay for the few notifications that never wait.
	Send(n Notification)
	// Ask asks the client. It fails if the client cannot be asked.
	Ask(a *Ask) error
	// Withdraw tells the client that its answer is not needed any more. An answer that
	// comes all the same is passed on.
	Withdraw(a *Ask)
	// Forget drops the answer to an ask that is still to come.
	Forget(a *Ask)
	// AwaitRoom waits until there is room for updates.
	AwaitRoom()
	// Flush has the client get everything that was shown. It does not wait for that.
	Flush()
}

// A Frame is what is around the text in the chunks of one message. Chunks of the same
// Frame may be joined.
type Frame struct {
	protocol.Chunk

	Session string
	Kind    v1.ChunkKind
	Message string // the message's id, or ""
	Update  int    // where the update begins in Prefix
}

// A Notification is one for the client, as a line without its end.
type Notification struct {
	// Line is not changed by a view, and is valid until the view returns. That of a hub
	// stays valid.
	Line []byte
	// Session is the one that Line belongs to, as the client knows it; "" is for none
	// that is known.
	Session string
	// From and To say where the update is in Line. They are 0 for a notification that
	// is no update of a session.
	From, To int
	// At is when the update came if that is to be said.
	At v1.Times
	// News is what Line says of the session's front ends; nil is for other notifications.
	News *News
	// Gate, if it is set when there is room for the notification, drops it. It may be
	// nil.
	Gate *atomic.Bool
}

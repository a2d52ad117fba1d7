package terminal

import (
	"encoding/json"

	"github.com/sourcegraph/jsonrpc2"

	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// A message goes from the client to the loop, in the order of the wire:
// [*opened], [*joined], [*updated], [*permissionAsked], [*questionAsked], [*withdrawn] and
// finally [*ended].
type message interface{ isMessage() }

// opened says which session the turn is in.
type opened struct{ session string }

// joined says what the others call this client.
type joined struct{ clientID string }

// updated is one session/update. update is nil if its kind is unknown.
type updated struct {
	raw    json.RawMessage
	update v1.Update
}

// permissionAsked is a request for permission, which waits for client.answer.
type permissionAsked struct {
	id      jsonrpc2.ID
	request v1.RequestPermissionRequest
}

// questionAsked is an elicitation, which waits for client.answer.
type questionAsked struct {
	id      jsonrpc2.ID
	request v1.ElicitationRequest
}

// withdrawn says that the agent no longer waits for the answer to a request.
type withdrawn struct{ id jsonrpc2.ID }

// ended is the last message: the turn is over, or could not start.
type ended struct {
	stop v1.StopReason
	err  error
}

func (*opened) isMessage()          {}
func (*joined) isMessage()          {}
func (*updated) isMessage()         {}
func (*permissionAsked) isMessage() {}
func (*questionAsked) isMessage()   {}
func (*withdrawn) isMessage()       {}
func (*ended) isMessage()           {}

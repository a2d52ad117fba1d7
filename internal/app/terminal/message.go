package terminal

import (
	"encoding/json"

	"github.com/sourcegraph/jsonrpc2"

	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// A message goes from the client to the loop, in wire order: [*opened], [*joined],
// [*updated], [*permissionAsked], [*questionAsked], [*withdrawn], and finally [*ended].
type message interface{ isMessage() }

// opened names the session that the turn belongs to.
type opened struct{ session string }

// joined holds the id by which other clients know this one.
type joined struct{ clientID string }

// updated is one session/update. update is nil if its kind is unknown.
type updated struct {
	raw    json.RawMessage
	update v1.Update
}

// permissionAsked is a permission request. It is open until client.answer is called.
type permissionAsked struct {
	id      jsonrpc2.ID
	request v1.RequestPermissionRequest
}

// questionAsked is an elicitation. It is open until client.answer is called.
type questionAsked struct {
	id      jsonrpc2.ID
	request v1.ElicitationRequest
}

// withdrawn reports that the agent cancelled a request.
type withdrawn struct{ id jsonrpc2.ID }

// ended is the last message: the turn ended, or could not start.
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

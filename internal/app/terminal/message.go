package terminal

import (
	"encoding/json"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// A message goes from the client to the loop, in wire order: [*opened], [*joined],
// [*inMode], [*updated], [*permissionAsked], [*questionAsked], [*withdrawn], and finally [*ended].
type message interface{ isMessage() }

// opened names the session that the turn belongs to.
type opened struct{ session string }

// inMode is the mode of a session that was just opened.
type inMode struct{ id string }

// modeIn returns the mode in the response that opens a session; "" if none.
func modeIn(result []byte) string {
	modes, _, _ := rawmsg.Member(result, "modes")
	return rawmsg.MemberText(modes, "currentModeId")
}

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
func (*inMode) isMessage()          {}
func (*updated) isMessage()         {}
func (*permissionAsked) isMessage() {}
func (*questionAsked) isMessage()   {}
func (*withdrawn) isMessage()       {}
func (*ended) isMessage()           {}

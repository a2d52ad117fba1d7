package events

import (
	"github.com/turnwire/turnwire/internal/bridge/core"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/protocol"
)

// noLogin is the one login method that Turnwire names for event-stream agents. None of
// these has a login that an editor could handle. It is listed because registries reject
// agents without a method; its description says that no login is needed.
// [v1.NoLoginMeta] tells clients not to offer it to a person.
var noLogin = v1.AuthMethod{
	ID:          "none",
	Name:        "No login needed",
	Description: new("Turnwire itself has no login. Set up the agent's credentials where the agent runs."),
	Meta:        v1.Meta{v1.NoLoginMeta: true},
}

// authenticate handles authenticate, which has nothing to do. It answers at once,
// because some clients log in unasked, and wait for the response before they open a
// session.
func authenticate(_ *source, call *core.Call) error {
	var req v1.AuthenticateRequest
	if err := call.Decode(&req); err != nil {
		return err
	}
	switch req.MethodID {
	case "":
		return missing("methodId")
	case noLogin.ID:
		call.Reply(v1.AuthenticateResponse{})
		return nil
	}
	return protocol.Errorf(protocol.CodeInvalidParams, "unknown login %q; none is needed", req.MethodID).With("methodId", req.MethodID)
}

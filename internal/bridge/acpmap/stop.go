package acpmap

import (
	"errors"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/normalize"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/protocol"
)

// Stop returns the response to a prompt whose turn ended with e: a stop reason, or an
// error.
func Stop(e agent.Event) (v1.StopReason, error) {
	switch e := e.(type) {
	case *agent.Done:
		return stopReason(e.StopReason), nil
	case *agent.Error:
		err := &protocol.Error{Code: protocol.CodeInternal, Err: errors.New(normalize.Short(e.Error))}
		if e.Code != "" {
			err = err.With("code", e.Code)
		}
		return "", err
	}
	return v1.StopEndTurn, nil
}

func stopReason(r agent.StopReason) v1.StopReason {
	switch r {
	case agent.StopMaxTokens:
		return v1.StopMaxTokens
	case agent.StopMaxTurnRequests:
		return v1.StopMaxTurnRequests
	case agent.StopRefusal:
		return v1.StopRefusal
	case agent.StopCancelled:
		return v1.StopCancelled
	}
	return v1.StopEndTurn
}

package acp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/transport/jsonrpc"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// methodSetModel is how agents set a model from before there were options.
const methodSetModel = "session/set_model"

// setModelRequest is its `SetSessionModelRequest`.
type setModelRequest struct {
	SessionID string `json:"sessionId"`
	ModelID   string `json:"modelId"`
}

// choose sets an option in the way in which the agent has offered it. What is
// set then is heard like all that the agent says: an answer that holds no state
// stands for the state that was asked for.
func (l *conn) choose(ctx context.Context, o agent.SetOption) error {
	l.mu.Lock()
	session := l.session
	l.mu.Unlock()
	id := o.Value.Choice
	switch {
	case l.decoder.settings.listed.has(o.OptionID):
		return l.chooseOption(ctx, session, o)
	case o.OptionID == agent.OptionMode:
		return l.set(ctx, v1.MethodSetMode, v1.SetModeRequest{SessionID: session, ModeID: id},
			stateAnswer{Modes: &v1.SessionModeState{CurrentModeID: id}})
	case o.OptionID == agent.OptionModel:
		return l.set(ctx, methodSetModel, setModelRequest{session, id}, stateAnswer{Models: &modelState{id}})
	}
	return fmt.Errorf("%s has no option %q any more", l.config.Name, o.OptionID)
}

func (l *conn) chooseOption(ctx context.Context, session string, o agent.SetOption) error {
	req := v1.SetConfigOptionRequest{SessionID: session, ConfigID: o.OptionID, Value: &v1.ConfigValue{ID: o.Value.Choice}}
	if o.Value.Boolean {
		req.Type, req.Value.Bool = v1.ConfigBoolean, &o.Value.On
	}
	var r struct {
		Options []json.RawMessage `json:"configOptions"`
	}
	err := l.call(ctx, v1.MethodSetConfig, req, &r, l.forward)
	if err != nil {
		return err
	}
	for _, raw := range r.Options {
		if is, err := parseOption(raw); err == nil && is.ID == o.OptionID && is.Value != o.Value {
			return fmt.Errorf("%s has left it at %q", l.config.Name, is.Value)
		}
	}
	return nil
}

// stateAnswer is an answer that tells settings, as that to session/new does.
type stateAnswer struct {
	Modes  *v1.SessionModeState `json:"modes,omitempty"`
	Models *modelState          `json:"models,omitempty"`
}

type modelState struct {
	CurrentModelID string `json:"currentModelId"`
}

// set asks for what is answered with {}.
func (l *conn) set(ctx context.Context, method string, params any, then stateAnswer) error {
	line, err := jsonrpc.Encode(jsonrpc.Outgoing{ID: json.RawMessage("null"), Result: then})
	if err != nil {
		return err
	}
	var r struct{}
	return l.call(ctx, method, params, &r, func([]byte) { l.forward(line) })
}

// call is request for the user who waits for it. An answer that comes too late
// for that is heard all the same.
func (l *conn) call(ctx context.Context, method string, params, result any, heard func([]byte)) error {
	_, err := l.request(ctx, method, params, result, heard)
	switch refusal, refused := errors.AsType[*failureError](err); {
	case refused:
		return fmt.Errorf("%s refused it: %s", l.config.Name, refusal.failure.text())
	case errors.Is(err, errNoParams): // null is an answer too
		return nil
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%s has not answered %s", l.config.Name, method)
	}
	return err
}

package ahp

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// An Action changes the state of a channel. They are pointers to structs of this
// package.
type Action interface {
	// ActionType is the value of "type".
	ActionType() string
}

// Encode returns an action as JSON, its type first.
func Encode(a Action) json.RawMessage {
	members, err := json.Marshal(a)
	if err != nil {
		panic(err) // it has only members that can be encoded
	}
	out := rawjson.AppendString([]byte(`{"type":`), a.ActionType())
	if len(members) > len("{}") {
		out = append(out, ',')
	}
	return append(out, members[1:]...)
}

// Errors of [Decode].
var (
	ErrUnknownAction = errors.New("this host does not know the action")
	ErrHostAction    = errors.New("only a host may send the action")
	ErrNotSupported  = errors.New("this host does not support the action")
)

// Decode decodes an action of a client. An action that clients may not send, or that
// is not supported, is an error.
func Decode(raw []byte) (Action, error) {
	var tag struct {
		Type string `json:"type"`
	}
	if err := exactjson.Unmarshal(raw, &tag); err != nil {
		return nil, err
	}
	kind, known := actions[tag.Type]
	switch {
	case !known:
		return nil, fmt.Errorf("%w %q", ErrUnknownAction, tag.Type)
	case !kind.client:
		return nil, fmt.Errorf("%w %s", ErrHostAction, tag.Type)
	case kind.make == nil:
		return nil, fmt.Errorf("%w %s", ErrNotSupported, tag.Type)
	}
	a := kind.make()
	if err := exactjson.Unmarshal(raw, a); err != nil {
		return nil, err
	}
	return a, nil
}

// Since is the first version that has a type of action; ok is false for one that no
// version has.
func Since(actionType string) (version string, ok bool) {
	kind, ok := actions[actionType]
	return kind.since, ok
}

// Knows reports whether a version has a type of action.
func Knows(clientVersion, actionType string) bool {
	since, ok := Since(actionType)
	if !ok {
		return false
	}
	v, err := parse(clientVersion)
	first, _ := parse(since)
	return err == nil && !v.less(first)
}

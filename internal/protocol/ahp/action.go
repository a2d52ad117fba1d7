package ahp

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// An Action changes the state of a channel. Actions are pointers to structs of this
// package.
type Action interface {
	// ActionType returns the value of "type".
	ActionType() string
}

// Encode returns an action as JSON, with its type first.
func Encode(a Action) json.RawMessage {
	out := rawjson.AppendString([]byte(`{"type":`), a.ActionType())
	if long, ok := a.(appender); ok {
		return append(long.appendMembers(out), '}')
	}
	members := encoded(a)
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

// Decode decodes a client's action. It returns an error if clients may not send the
// action, or if it is not supported.
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

// Since returns the first version with a type of action. ok is false if no version has
// it.
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

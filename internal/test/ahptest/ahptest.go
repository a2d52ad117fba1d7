// Package ahptest has shared helpers for tests that play clients of the Agent Host
// Protocol.
package ahptest

import (
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/protocol/ahp"
)

// chatActions are the actions of a host that change a chat.
var chatActions = []ahp.Action{
	&ahp.TurnStarted{}, &ahp.ResponsePart{}, &ahp.Delta{}, &ahp.Reasoning{}, &ahp.ToolCallStart{}, &ahp.ToolCallReady{}, &ahp.ToolCallConfirmed{},
	&ahp.ToolCallContentChanged{}, &ahp.ToolCallComplete{}, &ahp.TurnCompleted{}, &ahp.TurnWasCancelled{}, &ahp.TurnFailed{}, &ahp.UsageChanged{},
	&ahp.PendingMessageSet{}, &ahp.PendingMessageRemoved{}, &ahp.QueuedMessagesReordered{}, &ahp.DraftChanged{}, &ahp.InputRequested{},
	&ahp.InputAnswerChanged{}, &ahp.InputCompleted{}, &ahp.Truncated{},
}

// Decode decodes a host's action that changes a chat.
func Decode(raw json.RawMessage) (ahp.Action, error) {
	var kind struct {
		Type string `json:"type"`
	}
	if err := exactjson.Unmarshal(raw, &kind); err != nil {
		return nil, err
	}
	for _, a := range chatActions {
		if a.ActionType() == kind.Type {
			made := reflect.New(reflect.TypeOf(a).Elem()).Interface().(ahp.Action) //nolint:forcetypeassert // it has the type of a
			return made, exactjson.Unmarshal(raw, made)
		}
	}
	return nil, fmt.Errorf("unknown action %.100s", raw)
}

package thread

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	jsonpatch "github.com/evanphx/json-patch/v5"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/conversation"
	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// maxSize limits the text that a conversation keeps, in bytes. Beyond it, messages
// are cut short.
const maxSize = 16 << 20

// A Thread is one conversation. The zero value is an empty one.
type Thread struct {
	conversation.Log[*message]
	state   json.RawMessage // nil before the first snapshot or delta
	current *message        // the text message that a chunk without an id continues
	pending []Pending       // what the last run waits for
	call    *call           // the call that a chunk without an id continues
	user    int             // index of the user's last message; servers may use ids again after it
	from    int             // index of the first message that belongs to this turn
	shown   map[string]bool // calls of this turn that were streamed
	size    int             // of the messages, in bytes
}

// Apply applies an event, and reports whether it ends a run. Members of the wrong kind count
// as missing: it is the decoder that reports them. It returns an error if the event's messages
// are malformed, or if its patch doesn't apply; the conversation then stays as it was.
func (t *Thread) Apply(l *dialect.Line) (ends bool, err error) {
	switch id, call := l.OptionalKey("messageId"), l.OptionalKey("toolCallId"); l.Name {
	case "TEXT_MESSAGE_START":
		t.begin(l, "assistant")
	case "TEXT_MESSAGE_CONTENT":
		t.append(t.find(id), l)
	case "TEXT_MESSAGE_CHUNK":
		if id != "" && (t.current == nil || t.current.ID != id) {
			t.begin(l, "assistant")
		}
		t.append(t.current, l)
	case "REASONING_MESSAGE_START":
		t.begin(l, "reasoning")
	case "REASONING_MESSAGE_CONTENT", "REASONING_MESSAGE_CHUNK":
		if t.find(id) == nil {
			t.begin(l, "reasoning")
		}
		t.append(t.find(id), l)
	case "REASONING_ENCRYPTED_VALUE":
		t.encrypted(l)
	case "TOOL_CALL_START":
		t.beginCall(l)
	case "TOOL_CALL_ARGS":
		t.appendArgs(t.findCall(call), l)
	case "TOOL_CALL_CHUNK":
		if call != "" && (t.call == nil || t.call.ID != call) {
			t.beginCall(l)
		}
		if t.appendArgs(t.call, l); t.call != nil {
			t.call.whole = true // chunks have no end
		}
	case "TOOL_CALL_END":
		if c := t.findCall(call); c != nil {
			c.whole = true
		}
	case "TOOL_CALL_RESULT":
		t.result(l)
	case "MESSAGES_SNAPSHOT":
		var messages []*message
		if err := exactjson.Unmarshal(l.Raw("messages"), &messages); err != nil {
			return false, err
		}
		t.reconcile(messages)
	case "STATE_SNAPSHOT":
		state := l.Raw("snapshot")
		if len(state) > maxSize {
			return false, errSize
		}
		t.state = slices.Clone(state)
	case "STATE_DELTA":
		return false, t.patch(l.Raw("delta"))
	case "RUN_FINISHED", "RUN_ERROR":
		return true, nil
	}
	return false, nil
}

// Begin starts a turn. What the server reports about earlier turns isn't shown.
func (t *Thread) Begin() { t.from, t.shown = len(t.All), nil }

// Say adds the user's message to a turn. Calls that were left without a
// result get one, because many models refuse a conversation with an open call.
func (t *Thread) Say(id string, content json.RawMessage, newID func() string) {
	t.Settle("The call was cancelled, or its result was not reported.", newID)
	t.size = t.Trim(maxSize/2) + len(content)
	t.user = len(t.All)
	t.Begin()
	t.All = append(t.All, &message{ID: id, Role: "user", Content: content})
}

// Retract removes the user's last message and what followed, because the server never got
// it.
func (t *Thread) Retract() { t.All = t.All[:min(t.from, len(t.All))] }

// Settle gives calls without a result this one, and drops calls that the model
// didn't finish.
func (t *Thread) Settle(result string, newID func() string) {
	answered := t.answered()
	for i := min(t.user, len(t.All)); i < len(t.All); i++ {
		m := t.All[i]
		m.ToolCalls = slices.DeleteFunc(m.ToolCalls, func(c *call) bool { return !answered[c.ID] && !c.isWhole() })
		after := i + 1
		for ; after < len(t.All) && t.All[after].Role == "tool"; after++ {
		}
		for _, c := range m.ToolCalls {
			if !answered[c.ID] {
				answered[c.ID] = true
				t.All = slices.Insert(t.All, after, &message{ID: newID(), Role: "tool", ToolCallID: c.ID, text: rawjson.Quote(result)})
				after++
			}
		}
	}
	t.current, t.call = nil, nil
}

// turn returns the messages since the user's last one.
func (t *Thread) turn() []*message { return t.All[min(t.user, len(t.All)):] }

func (t *Thread) answered() map[string]bool {
	answered := make(map[string]bool)
	for _, m := range t.turn() {
		if m.Role == "tool" {
			answered[m.ToolCallID] = true
		}
	}
	return answered
}

// Unshown returns events for the answers and results of this turn that were not
// streamed, because the server only sent them in a snapshot.
func (t *Thread) Unshown() []agent.Event {
	var unshown []agent.Event
	for _, m := range t.All[min(t.from, len(t.All)):] {
		switch {
		case m.streamed:
		case m.Role == "tool" && t.shown[m.ToolCallID]:
			end := &agent.ToolEnd{ToolCallID: m.ToolCallID, OK: m.Error == "", Result: rawjson.Wrap(m.text)}
			if len(m.text) == 0 { // otherwise the text explains more
				end.Error = m.Error
			}
			unshown = append(unshown, end)
		case m.Role == "assistant" && len(m.text) > 0:
			unshown = append(unshown, &agent.TextDelta{MessageID: m.ID, Text: rawjson.Wrap(m.text)})
		}
		m.streamed = true
	}
	return unshown
}

// State returns the shared state, or an empty object before the server has sent one.
func (t *Thread) State() json.RawMessage {
	if t.state == nil {
		return json.RawMessage("{}")
	}
	return t.state
}

var errSize = errors.New("the shared state is too large")

// patch applies a JSON Patch to the shared state.
func (t *Thread) patch(delta json.RawMessage) error {
	p, err := jsonpatch.DecodePatch(delta)
	if err != nil {
		return fmt.Errorf("the state's patch is invalid: %w", err)
	}
	o := jsonpatch.NewApplyOptions()
	o.SupportNegativeIndices, o.EscapeHTML, o.AccumulatedCopySizeLimit = false, false, maxSize
	state, err := p.ApplyWithOptions(t.State(), o)
	if err != nil {
		return fmt.Errorf("the state's patch does not apply: %w", err)
	}
	if len(state) > maxSize {
		return errSize
	}
	t.state = state
	return nil
}

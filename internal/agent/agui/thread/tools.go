package thread

import "github.com/turnwire/turnwire/internal/rawjson"

// Arguments returns the arguments of a call of this turn, as the model wrote them.
func (t *Thread) Arguments(id string) []byte {
	c := t.findCall(id)
	if c == nil {
		return nil
	}
	if args := c.Function.Arguments.String(); args != "" {
		return []byte(args)
	}
	return []byte("{}")
}

// Answer adds the result of a call that the server left to the client.
func (t *Thread) Answer(id, callID, result string) {
	t.add(&message{ID: id, Role: "tool", ToolCallID: callID, text: rawjson.Quote(result), streamed: true})
	t.size += len(result)
}

package normalize_test

import (
	"testing"
)

func TestRepeatedArgumentsAreNotAChange(t *testing.T) {
	first := `{"type":"tool_confirmation_request","toolCallId":"a","toolName":"x","args":{"b":[1,{"c":"ä"}],"a":null}}`
	for name, c := range map[string]struct{ again, want string }{
		"as they were":             {`{"b":[1,{"c":"ä"}],"a":null}`, `{"b":[1,{"c":"ä"}],"a":null}`},
		"in another order":         {`{"a": null, "b": [1, {"c": "\u00e4"}]}`, `{"b":[1,{"c":"ä"}],"a":null}`},
		"another number":           {`{"b":[12345678901234567890,{"c":"ä"}],"a":null}`, `{"b":[12345678901234567890,{"c":"ä"}],"a":null}`},
		"another text":             {`{"b":[1,{"c":"a"}],"a":null}`, `{"b":[1,{"c":"a"}],"a":null}`},
		"one more":                 {`{"b":[1,{"c":"ä"}],"a":null,"d":1}`, `{"b":[1,{"c":"ä"}],"a":null,"d":1}`},
		"something else in a list": {`{"b":[1],"a":null}`, `{"b":[1],"a":null}`},
		"another name":             {`{"b":[1,{"d":"ä"}],"a":null}`, `{"b":[1,{"d":"ä"}],"a":null}`},
		"text":                     {`"b"`, `"b"`},
	} {
		t.Run(name, func(t *testing.T) {
			was := `{"b":[1,{"c":"ä"}],"a":null}`
			turn(t).add(first, start("a", "x", `,"args":`+c.again)).yields(
				"tool_ready [a x pending "+was+"] first", "tool_confirmation_request [a x pending "+was+"]", "tool_start [a x running "+c.want+"]",
			)
		})
	}
}

package dialects

import (
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/schema"
)

var (
	eventSchema  = compiled(schema.AgentEvent, "")
	request      = compiled(schema.ACPv1, "AgentRequest")
	response     = compiled(schema.ACPv1, "AgentResponse")
	notification = compiled(schema.ACPv1, "AgentNotification")
)

// compiled compiles a schema, or one of its definitions, on first use.
func compiled(name, definition string) func() *jsonschema.Schema {
	return sync.OnceValue(func() *jsonschema.Schema {
		text, err := schema.Read(name)
		if err != nil {
			panic(err)
		}
		document, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
		if err != nil {
			panic(err)
		}
		c := jsonschema.NewCompiler()
		if err := c.AddResource(name, document); err != nil {
			panic(err)
		}
		if definition != "" {
			name += "#/$defs/" + definition
		}
		return c.MustCompile(name)
	})
}

// messageSchema returns the schema for an agent's message.
func messageSchema(m message) *jsonschema.Schema {
	switch {
	case m.Method == "":
		return response()
	case m.ID != nil:
		return request()
	}
	return notification()
}

func valid(t *testing.T, s *jsonschema.Schema, text string) {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	require.NoError(t, err, "%s", text)
	require.NoError(t, s.Validate(v), "%s", text)
}

package schema_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/schema"
)

func TestEveryNamedSchemaCanBeRead(t *testing.T) {
	for _, name := range schema.Names() {
		text, err := schema.Read(name)
		require.NoError(t, err)

		var s struct {
			Title       string `json:"title"`
			Description string `json:"description"`
		}
		require.NoError(t, json.Unmarshal(text, &s), name)
		require.NotEmpty(t, s.Title, name)
		require.NotEmpty(t, s.Description, name)
	}
}

func TestUnknownNamesAreRefusedWithTheListOfKnownOnes(t *testing.T) {
	for _, name := range []string{"", "acp-v9", "../schema", "agent-event.schema.json"} {
		_, err := schema.Read(name)
		require.ErrorIs(t, err, schema.ErrUnknown)
		require.ErrorContains(t, err, "agent-event, agent-event-strict, agent-command, agent-command-strict, acp-v1, config")
	}
}

package wire_test

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/agentao/wire"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// A stream decodes lines one after the other.
type stream struct {
	t       *testing.T
	decoder dialect.Decoder
}

func newStream(t *testing.T) *stream {
	t.Helper()
	return &stream{t, wire.Dialect.NewDecoder()}
}

// add decodes lines and returns the JSON of their events.
func (s *stream) add(lines ...string) []string {
	s.t.Helper()
	var got []string
	for _, line := range lines {
		err := s.decoder.Decode([]byte(line), func(e agent.Event) bool {
			got = append(got, string(agent.AppendJSON(nil, e)))
			return true
		})
		require.NoError(s.t, err, "%s", line)
	}
	return got
}

// types returns the types of the lines' events.
func (s *stream) types(lines ...string) []string {
	s.t.Helper()
	var types []string
	for _, e := range s.add(lines...) {
		var head struct {
			Type string `json:"type"`
		}
		require.NoError(s.t, json.Unmarshal([]byte(e), &head))
		types = append(types, head.Type)
	}
	return types
}

// event returns a line in the format of AgentEvent.to_dict.
func event(name, data string) string {
	return `{"type": "` + name + `", "schema_version": 1, "data": ` + data + `}`
}

// requireStrict checks that strict readers accept the JSON of an event.
func requireStrict(t *testing.T, line []byte) {
	t.Helper()
	require.True(t, json.Valid(line), "%q", line)
	require.True(t, utf8.Valid(line), "%q", line)
	require.Equal(t, string(rawjson.CleanValue(line)), string(line), "no lone surrogates")
}

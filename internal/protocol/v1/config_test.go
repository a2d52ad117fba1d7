package v1_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

func TestOptionsOfEachFormSurviveARoundTrip(t *testing.T) {
	for _, text := range []string{
		`{"id":"a","name":"A","type":"select","currentValue":"<x>","options":[{"value":"<x>","name":"X"},{"value":"y","name":"Y"}]}`,
		`{"id":"a","name":"A","type":"select","currentValue":"x","options":[]}`,
		`{"id":"a","name":"A","type":"select","currentValue":"x","options":[{"group":"","name":"G","options":[{"value":"x","name":"X"}]}]}`,
		`{"id":"a","name":"A","type":"boolean","currentValue":true}`,
		`{"id":"a","name":"A","type":"boolean","currentValue":false}`,
	} {
		var o v1.ConfigOption
		require.NoError(t, json.Unmarshal([]byte(text), &o), text)
		require.Equal(t, text, string(v1.AppendValue(nil, o)))
	}
}

func TestAnInvalidOptionIsAnError(t *testing.T) {
	for _, members := range []string{
		`"currentValue":7`, `"currentValue":null`, `"currentValue":["x"]`, `"currentValue":{}`,
		`"options":{}`, `"options":"x"`, `"options":[7]`, `"options":[{"value":7}]`,
		`"options":[{"group":7}]`, `"options":[{"group":"g","options":{}}]`,
	} {
		var o v1.ConfigOption
		require.Error(t, json.Unmarshal([]byte(`{"id":"a",`+members+`}`), &o), members)
	}
}

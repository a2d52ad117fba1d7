package cli

import (
	"io"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/bridge"
	"github.com/turnwire/turnwire/bridge/consent"
	"github.com/turnwire/turnwire/bridge/journal"
	"github.com/turnwire/turnwire/bridge/source/relay"
	"github.com/turnwire/turnwire/internal/app/agents"
)

// notRelayed are the options that mean nothing for an agent that speaks the protocol
// itself, and why.
var notRelayed = map[string]string{
	"Agent":   "the agent is a command or a URL",
	"Name":    "the agent names itself",
	"Tools":   "describe the tools of events",
	"Prepare": "the agent is started by initialize",
	"Version": "is that of Turnwire",
	"Key":     "is that of the choice",
}

// notGiven are the members of the relay's configuration that no option sets, and why.
var notGiven = map[string]string{
	"CancelGrace": "has a default",
}

// TestEveryOptionReachesARelayedAgent fails when an option is added to one of the
// structs and forgotten in relayConfig.
func TestEveryOptionReachesARelayedAgent(t *testing.T) {
	var config bridge.Config
	var relayed relay.Agent
	fill(t, reflect.ValueOf(&config).Elem())
	fill(t, reflect.ValueOf(&relayed).Elem())
	made := relayConfig(agents.Choice{Relayed: &relayed, Key: "key"}, config)
	made.Agent.Login, relayed.Login = nil, nil // is not the agent's own
	got, client := reflect.ValueOf(made), reflect.ValueOf(config.Client())
	given := reflect.ValueOf(config)
	for i := range given.NumField() {
		name := given.Type().Field(i).Name
		if notRelayed[name] != "" {
			continue
		}
		field := got.FieldByName(name)
		if !field.IsValid() {
			field = client.FieldByName(name)
		}
		require.True(t, field.IsValid(), "%s.%s is lost", given.Type(), name)
		if field.Kind() == reflect.Func {
			require.Equal(t, given.Field(i).Pointer(), field.Pointer(), name)
			continue
		}
		require.Equal(t, given.Field(i).Interface(), field.Interface(), name)
	}
	made.Agent.Start, relayed.Start = nil, nil // functions cannot be compared
	require.Equal(t, relayed, made.Agent)
	for i := range got.NumField() {
		if name := got.Type().Field(i).Name; notGiven[name] == "" {
			require.False(t, got.Field(i).IsZero(), "%s is never set", name)
		}
	}
}

type judge = consent.Judge // under its own name the field would hide the method

// values are those of interfaces.
var values = []any{&struct{ io.Reader }{}, &struct{ io.WriteCloser }{}, &struct{ agent.Agent }{}, &struct{ journal.Store }{}, &struct{ judge }{}}

// fill gives all fields of a struct a value that is not zero.
func fill(t *testing.T, into reflect.Value) {
	t.Helper()
	for i := range into.NumField() {
		field, name := into.Field(i), into.Type().Field(i).Name
		switch field.Kind() {
		case reflect.String:
			field.SetString(name)
		case reflect.Bool:
			field.SetBool(true)
		case reflect.Int, reflect.Int64:
			field.SetInt(int64(i + 1))
		case reflect.Slice:
			field.Set(reflect.MakeSlice(field.Type(), 1, 1))
		case reflect.Map:
			field.Set(reflect.MakeMap(field.Type()))
		case reflect.Pointer:
			field.Set(reflect.New(field.Type().Elem()))
		case reflect.Func:
			field.Set(reflect.MakeFunc(field.Type(), func([]reflect.Value) []reflect.Value { return nil }))
		case reflect.Struct:
			fill(t, field)
		case reflect.Interface:
			for _, v := range values {
				if reflect.TypeOf(v).Implements(field.Type()) {
					field.Set(reflect.ValueOf(v))
				}
			}
		}
		require.False(t, field.IsZero(), "fill has no value for %s.%s", into.Type(), name)
	}
}

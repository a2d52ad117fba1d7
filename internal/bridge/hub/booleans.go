package hub

import (
	"bytes"

	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// The hub tells agents that it takes boolean options. Clients that don't take them get each as a
// choice between these values.
const (
	on  = "on"
	off = "off"
)

var onOrOff = []byte(`[{"value":"` + on + `","name":"On"},{"value":"` + off + `","name":"Off"}]`)

// withoutBooleans returns a response or an update with choices instead of boolean options.
func withoutBooleans(from []byte) []byte {
	if !bytes.Contains(from, []byte(`"`+v1.ConfigBoolean+`"`)) { // most have none: don't parse them
		return from
	}
	options, _, _ := rawmsg.Member(from, "configOptions")
	if len(options) == 0 || options[0] != '[' {
		return from
	}
	out := []byte("[")
	for o := range rawjson.Elements(options) {
		if len(out) > 1 {
			out = append(out, ',')
		}
		if isBoolean(o) {
			value, _, _ := rawmsg.Member(o, "currentValue")
			chosen := off
			if string(value) == "true" {
				chosen = on
			}
			o = with(with(with(o, "type", []byte(`"select"`)), "currentValue", rawmsg.Quote(chosen)), "options", onOrOff)
		}
		out = append(out, o...)
	}
	return rawmsg.Replace(from, "configOptions", append(out, ']'))
}

// withoutBooleans returns the change for a client that takes no boolean options.
func (c change) withoutBooleans(in envelope) change {
	if update := c.update(); len(update) > 0 && bytes.Contains(update, []byte(optionUpdate)) {
		if changed := withoutBooleans(update); len(changed) != len(update) {
			made := in.change(changed)
			c.line, c.from, c.to = made.line, made.from, made.to
		}
	}
	return c
}

func isBoolean(option []byte) bool {
	return option[0] == '{' && rawmsg.MemberText(option, "type") == v1.ConfigBoolean
}

// asBoolean returns the params of a request to set an option with a boolean value, if the client
// was shown a choice instead.
func (s setup) asBoolean(params []byte) []byte {
	var chosen string
	value, _, _ := rawmsg.Member(params, "value")
	if exactjson.Unmarshal(value, &chosen) != nil || chosen != on && chosen != off {
		return params
	}
	options, _, _ := rawmsg.Member(s, "configOptions")
	if len(options) == 0 || options[0] != '[' {
		return params
	}
	id := rawmsg.MemberText(params, "configId")
	for o := range rawjson.Elements(options) {
		if !isBoolean(o) || rawmsg.MemberText(o, "id") != id {
			continue
		}
		value = []byte("false")
		if chosen == on {
			value = []byte("true")
		}
		return with(with(params, "type", rawmsg.Quote(v1.ConfigBoolean)), "value", value)
	}
	return params
}

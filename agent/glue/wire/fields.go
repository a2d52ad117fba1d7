package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// fields are the members of an object, under their names in snake_case: rows
// have those, Dart's own members are in camelCase. A member that is null or
// absent reads as zero; the first of a wrong kind is noted.
type fields struct {
	raw []byte // the whole object
	of  map[string]json.RawMessage
	err *error
}

var errNoObject = errors.New("no object")

func readFields(raw []byte, err *error) (fields, error) {
	var members map[string]json.RawMessage
	if e := exactjson.Unmarshal(raw, &members); e != nil {
		return fields{}, e
	}
	if members == nil {
		return fields{}, errNoObject
	}
	of := make(map[string]json.RawMessage, len(members))
	for key, value := range members {
		// A member that is there under both names counts as Dart writes it. None
		// begins with a capital there.
		name := snake(key)
		if name == key || key[0] >= 'A' && key[0] <= 'Z' {
			if _, taken := of[key]; !taken {
				of[key] = value
			}
		} else {
			of[name] = value
		}
	}
	return fields{raw, of, err}, nil
}

// has tells whether a member is there and not null.
func (f *fields) has(key string) bool {
	v, ok := f.of[key]
	return ok && string(v) != "null"
}

func (f *fields) fault(key string, err error) {
	if *f.err == nil {
		*f.err = fmt.Errorf("%s: %w", key, err)
	}
}

// body is a string as it came, still escaped.
func (f *fields) body(key string) rawjson.String {
	if !f.has(key) {
		return nil
	}
	s, err := rawjson.Parse(f.of[key])
	if err != nil {
		f.fault(key, err)
	}
	return s
}

func (f *fields) text(key string) string { return f.body(key).String() }

// shown is any value as text for people: a string as it is, an exception that
// was serialized as an object by what it says, anything else as its JSON.
func (f *fields) shown(key string) string {
	if !f.has(key) {
		return ""
	}
	raw := f.of[key]
	if s, err := rawjson.Parse(raw); err == nil {
		return s.String()
	}
	var ignored error
	if o, err := readFields(raw, &ignored); err == nil {
		for _, k := range []string{"message", "error", "description"} {
			if s, err := rawjson.Parse(o.of[k]); err == nil {
				return s.String()
			}
		}
	}
	return string(raw)
}

func (f *fields) flag(key string) (v, given bool) {
	if !f.has(key) {
		return false, false
	}
	if err := exactjson.Unmarshal(f.of[key], &v); err != nil {
		f.fault(key, err)
		return false, false
	}
	return v, true
}

func (f *fields) number(key string) (v float64, given bool) {
	if !f.has(key) {
		return 0, false
	}
	if err := exactjson.Unmarshal(f.of[key], &v); err != nil {
		f.fault(key, err)
		return 0, false
	}
	return v, true
}

// count is a number that is whole and not negative.
func (f *fields) count(key string) int64 {
	v, _ := f.number(key)
	return int64(math.Min(math.Max(v, 0), 1<<53))
}

// optional is a number where there is one and an integer holds it.
func (f *fields) optional(key string) *int {
	v, given := f.number(key)
	if !given || math.Abs(v) > math.MaxInt32 {
		return nil
	}
	n := int(v)
	return &n
}

// milliseconds is the first duration that is there.
func (f *fields) milliseconds(keys ...string) float64 {
	for _, key := range keys {
		if !f.has(key) {
			continue
		}
		if s, err := rawjson.Parse(f.of[key]); err == nil {
			return parseDuration(s.String())
		}
		if v, err := strconv.ParseFloat(string(f.of[key]), 64); err == nil {
			return math.Max(v, 0)
		}
	}
	return 0
}

// value is any value as it came, nil where there is none.
func (f *fields) value(key string) agent.Raw {
	if !f.has(key) {
		return nil
	}
	return f.of[key]
}

// object is the object under key; ok is false where there is none.
func (f *fields) object(key string) (o fields, ok bool) {
	if !f.has(key) {
		return fields{}, false
	}
	o, err := readFields(f.of[key], f.err)
	if err != nil {
		f.fault(key, err)
	}
	return o, err == nil
}

// list is the array under key.
func (f *fields) list(key string) []json.RawMessage {
	if !f.has(key) {
		return nil
	}
	var out []json.RawMessage
	if err := exactjson.Unmarshal(f.of[key], &out); err != nil {
		f.fault(key, err)
	}
	return out
}

// model is a ModelRef, as the text "provider/model" or as an object.
func (f *fields) model(key string) (provider, model string) {
	if !f.has(key) {
		return "", ""
	}
	if s, err := rawjson.Parse(f.of[key]); err == nil {
		return splitModel(s.String())
	}
	o, _ := f.object(key)
	return o.text("provider_id"), o.text("model_id")
}

// typeName is the value of the discriminator. The members are looked up as they
// stand on the wire: no event has another one of these names.
func (f *fields) typeName() (string, bool) {
	for _, key := range discriminators {
		if s, err := rawjson.Parse(f.of[snake(key)]); err == nil {
			return s.String(), true
		}
	}
	return "", false
}

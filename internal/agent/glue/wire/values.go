package wire

import (
	"math"
	"strconv"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
)

// Dart's own members are in camelCase, those of rows in snake_case. Handlers
// read either, camelCase first.

// count is a number that is whole and not negative.
func count(f *dialect.Fields, keys ...string) int64 {
	return int64(min(max(f.Float(keys...), 0), 1<<53))
}

// exitCode is the exit code, nil where there is none that an integer holds.
func exitCode(f *dialect.Fields) *int {
	v, raw := f.Float("exitCode", "exit_code"), f.Raw("exitCode", "exit_code")
	if len(raw) == 0 || raw[0] > '9' || raw[0] == '"' || math.Abs(v) > math.MaxInt32 {
		return nil
	}
	code := int(v)
	return &code
}

// milliseconds is a duration, 0 where there is none.
func milliseconds(f *dialect.Fields, keys ...string) float64 {
	raw := f.Raw(keys...)
	if isString(raw) {
		return parseDuration(f.String(keys...))
	}
	v, err := strconv.ParseFloat(string(raw), 64)
	if err != nil {
		return 0
	}
	return max(v, 0)
}

// elapsed is how long a call or a sub-agent took.
func elapsed(f *dialect.Fields) float64 { return milliseconds(f, "elapsed", "elapsedMs", "elapsed_ms") }

// words is any value as text for the user: a string as it is, an exception that
// was serialized as an object by what it says, anything else as its JSON.
func words(f *dialect.Fields, keys ...string) string {
	if f.IsObject(keys...) {
		o := f.Object(keys...)
		for _, key := range []string{"message", "error", "description"} {
			if o.IsString(key) {
				return o.String(key)
			}
		}
	}
	return f.Shown(keys...).String()
}

// modelOf is a ModelRef, as the text "provider/model" or as an object.
func modelOf(f *dialect.Fields, key string) (provider, model string) {
	if !f.IsString(key) {
		o := f.Object(key)
		return o.Key("providerId", "provider_id"), o.Key("modelId", "model_id")
	}
	// The names of models may have slashes too.
	ref := f.Key(key)
	provider, model, found := strings.Cut(ref, "/")
	if !found {
		return "", ref
	}
	return provider, model
}

// typeOf is the name of an object's type, "" where it has none.
func typeOf(f *dialect.Fields) string {
	if name := f.OptionalKey("type"); name != "" {
		return name
	}
	for _, member := range otherMembers {
		if name := f.OptionalKey(member); name != "" {
			return name
		}
	}
	return ""
}

func isString(raw agent.Raw) bool { return len(raw) > 0 && raw[0] == '"' }

// telemetry passes on what has no place in the user's view.
func telemetry(c *conversation, l *dialect.Line) {
	c.emit(l, &agent.Telemetry{Name: l.Name, Data: l.Unread()})
}

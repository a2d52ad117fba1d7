package wire

import (
	"math"
	"strconv"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
)

// Members of Dart classes are in camelCase, those of rows in snake_case.
// Handlers accept both, camelCase first.

// count returns a member as a non-negative integer.
func count(f *dialect.Fields, keys ...string) int64 {
	return int64(min(max(f.Float(keys...), 0), 1<<53))
}

// exitCode returns the exit code, or nil if it is missing or no 32-bit integer.
func exitCode(f *dialect.Fields) *int {
	v, raw := f.Float("exitCode", "exit_code"), f.Raw("exitCode", "exit_code")
	if len(raw) == 0 || raw[0] > '9' || raw[0] == '"' || math.Abs(v) > math.MaxInt32 {
		return nil
	}
	code := int(v)
	return &code
}

// milliseconds returns a duration in milliseconds, or 0.
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

// elapsed returns the duration of a call or a sub-agent, in milliseconds.
func elapsed(f *dialect.Fields) float64 { return milliseconds(f, "elapsed", "elapsedMs", "elapsed_ms") }

// words returns any value as text for the user: a string as it is, an exception
// serialized as an object as its message, anything else as JSON.
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

// modelOf decodes a ModelRef, which is a string "provider/model" or an object.
func modelOf(f *dialect.Fields, key string) (provider, model string) {
	if !f.IsString(key) {
		o := f.Object(key)
		return o.Key("providerId", "provider_id"), o.Key("modelId", "model_id")
	}
	// Names of models may contain slashes too.
	ref := f.Key(key)
	provider, model, found := strings.Cut(ref, "/")
	if !found {
		return "", ref
	}
	return provider, model
}

// typeOf returns the name of an object's type, or "".
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

// telemetry passes on events that the user should not see.
func telemetry(c *conversation, l *dialect.Line) {
	c.emit(l, &agent.Telemetry{Name: l.Name, Data: l.Unread()})
}

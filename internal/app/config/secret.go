package config

import (
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"github.com/turnwire/turnwire/internal/lazyregexp"
)

// A Secret is text that is hidden in logs, errors and JSON. Environment variables in it
// are not resolved yet.
type Secret string

const hidden = "[secret]"

// String hides the text.
func (Secret) String() string { return hidden }

// GoString hides the text.
func (Secret) GoString() string { return hidden }

// LogValue hides the text.
func (Secret) LogValue() slog.Value { return slog.StringValue(hidden) }

// MarshalText hides the text.
func (Secret) MarshalText() ([]byte, error) { return []byte(hidden), nil }

var (
	variable = lazyregexp.New(`\$(?:\$|\{[A-Za-z_][A-Za-z0-9_]*\}|[A-Za-z_][A-Za-z0-9_]*)`)
	whole    = lazyregexp.New(`^env:([A-Za-z_][A-Za-z0-9_]*)$`)

	errLineBreak = errors.New("its value contains a line break")
)

// Resolve replaces the environment variables in the text: $NAME, ${NAME}, or env:NAME as
// the whole text. $$ is a dollar sign. Errors name the variable, never a value.
func (s Secret) Resolve(lookup func(name string) (string, bool)) (string, error) {
	text := string(s)
	if m := whole().FindStringSubmatch(text); m != nil {
		text = "$" + m[1]
	}
	var failed error
	text = variable().ReplaceAllStringFunc(text, func(match string) string {
		if match == "$$" {
			return "$"
		}
		name := strings.Trim(match, "${}")
		value, ok := lookup(name)
		if !ok && failed == nil {
			failed = fmt.Errorf("the environment variable %s is not set (write $$ for a dollar sign)", name)
		}
		return value
	})
	if failed != nil {
		return "", failed
	}
	if strings.ContainsAny(text, "\r\n\x00") {
		return "", errLineBreak
	}
	return text, nil
}

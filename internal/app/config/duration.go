package config

import (
	"errors"
	"time"

	"github.com/turnwire/turnwire/internal/exactjson"
)

// A Duration is written in Go's syntax: 30s, 1m30s.
type Duration time.Duration

var errDuration = errors.New(`must be a time such as "30s" or "1m30s"`)

// UnmarshalJSON implements [json.Unmarshaler].
func (d *Duration) UnmarshalJSON(raw []byte) error {
	var text string
	if exactjson.Unmarshal(raw, &text) != nil {
		return errDuration
	}
	v, err := time.ParseDuration(text)
	if err != nil || v <= 0 {
		return errDuration
	}
	*d = Duration(v)
	return nil
}

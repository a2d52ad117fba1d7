package v1

import (
	"errors"

	"github.com/turnwire/turnwire/internal/exactjson"
)

// readObject decodes an object. An empty array counts as an empty object, because PHP
// and Lua cannot tell these apart.
func readObject(b []byte, into any) error {
	if string(b) == "[]" {
		return nil
	}
	return exactjson.Unmarshal(b, into)
}

// UnmarshalJSON implements [json.Unmarshaler].
func (m *Meta) UnmarshalJSON(b []byte) error { return readObject(b, (*map[string]any)(m)) }

// UnmarshalJSON implements [json.Unmarshaler]. It returns an error if the version is
// missing.
func (r *InitializeRequest) UnmarshalJSON(b []byte) error {
	type plain InitializeRequest
	versioned := struct {
		*plain
		ProtocolVersion *uint16 `json:"protocolVersion"`
	}{plain: (*plain)(r)}
	if err := readObject(b, &versioned); err != nil {
		return err
	}
	if versioned.ProtocolVersion == nil {
		return errors.New("protocolVersion is missing")
	}
	r.ProtocolVersion = *versioned.ProtocolVersion
	return nil
}

// UnmarshalJSON implements [json.Unmarshaler].
func (c *ClientCapabilities) UnmarshalJSON(b []byte) error {
	type plain ClientCapabilities
	return readObject(b, (*plain)(c))
}

// UnmarshalJSON implements [json.Unmarshaler].
func (c *FileSystemCapabilities) UnmarshalJSON(b []byte) error {
	type plain FileSystemCapabilities
	return readObject(b, (*plain)(c))
}

// UnmarshalJSON implements [json.Unmarshaler].
func (c *ClientSessionCapabilities) UnmarshalJSON(b []byte) error {
	type plain ClientSessionCapabilities
	return readObject(b, (*plain)(c))
}

// UnmarshalJSON implements [json.Unmarshaler].
func (c *ConfigOptionsCapabilities) UnmarshalJSON(b []byte) error {
	type plain ConfigOptionsCapabilities
	return readObject(b, (*plain)(c))
}

// UnmarshalJSON implements [json.Unmarshaler].
func (c *AuthCapabilities) UnmarshalJSON(b []byte) error {
	type plain AuthCapabilities
	return readObject(b, (*plain)(c))
}

// UnmarshalJSON implements [json.Unmarshaler].
func (c *ElicitationCapabilities) UnmarshalJSON(b []byte) error {
	type plain ElicitationCapabilities
	return readObject(b, (*plain)(c))
}

// UnmarshalJSON implements [json.Unmarshaler].
func (m *Marker) UnmarshalJSON(b []byte) error {
	type plain Marker
	return readObject(b, (*plain)(m))
}

package v1

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// members calls read with the members of the object b that are not null. An
// empty array is an empty object, as it is to PHP and Lua.
func members(b []byte, read func(key string, value []byte) error) error {
	if string(b) == "[]" || string(b) == "null" {
		return nil
	}
	o := rawjson.Walk(b)
	for {
		body, value, ok := o.Next()
		if !ok {
			return o.Err()
		}
		if string(value) == "null" {
			continue
		}
		key := rawjson.String(body).String()
		if err := read(key, value); err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
	}
}

// readBool reads true or false.
func readBool(b []byte, to *bool) error {
	*to = string(b) == "true"
	if !*to && string(b) != "false" {
		return errors.New("neither true nor false")
	}
	return nil
}

func readString(b []byte, to *string) error {
	s, err := rawjson.Parse(b)
	*to = s.String()
	return err
}

// readPresent reads what may be missing.
func readPresent[T any, P interface {
	*T
	json.Unmarshaler
}](b []byte, to **T,
) error {
	*to = new(T)
	return P(*to).UnmarshalJSON(b)
}

// UnmarshalJSON implements [json.Unmarshaler].
func (m *Meta) UnmarshalJSON(b []byte) error {
	if string(b) == "[]" {
		return nil
	}
	return exactjson.Unmarshal(b, (*map[string]any)(m))
}

// UnmarshalJSON implements [json.Unmarshaler]. It fails where there is no
// version.
func (r *InitializeRequest) UnmarshalJSON(b []byte) error {
	versioned := false
	err := members(b, func(key string, v []byte) error {
		switch key {
		case "protocolVersion":
			n, err := strconv.ParseUint(string(v), 10, 16)
			if err != nil {
				return errors.New("not an integer from 0 to 65535")
			}
			r.ProtocolVersion, versioned = uint16(n), true
		case "clientCapabilities":
			return r.ClientCapabilities.UnmarshalJSON(v)
		case "clientInfo":
			return readPresent(v, &r.ClientInfo)
		case "_meta":
			return r.Meta.UnmarshalJSON(v)
		}
		return nil
	})
	if err == nil && !versioned {
		err = errors.New("protocolVersion is missing")
	}
	return err
}

// UnmarshalJSON implements [json.Unmarshaler].
func (i *Implementation) UnmarshalJSON(b []byte) error {
	return members(b, func(key string, v []byte) error {
		switch key {
		case "name":
			return readString(v, &i.Name)
		case "title":
			return readString(v, &i.Title)
		case "version":
			return readString(v, &i.Version)
		case "_meta":
			return i.Meta.UnmarshalJSON(v)
		}
		return nil
	})
}

// UnmarshalJSON implements [json.Unmarshaler].
func (c *ClientCapabilities) UnmarshalJSON(b []byte) error {
	return members(b, func(key string, v []byte) error {
		switch key {
		case "fs":
			return c.FS.UnmarshalJSON(v)
		case "terminal":
			return readBool(v, &c.Terminal)
		case "session":
			return readPresent(v, &c.Session)
		case "auth":
			return c.Auth.UnmarshalJSON(v)
		case "elicitation":
			return readPresent(v, &c.Elicitation)
		case "_meta":
			return c.Meta.UnmarshalJSON(v)
		}
		return nil
	})
}

// UnmarshalJSON implements [json.Unmarshaler].
func (c *FileSystemCapabilities) UnmarshalJSON(b []byte) error {
	return members(b, func(key string, v []byte) error {
		switch key {
		case "readTextFile":
			return readBool(v, &c.ReadTextFile)
		case "writeTextFile":
			return readBool(v, &c.WriteTextFile)
		case "_meta":
			return c.Meta.UnmarshalJSON(v)
		}
		return nil
	})
}

// UnmarshalJSON implements [json.Unmarshaler].
func (c *ClientSessionCapabilities) UnmarshalJSON(b []byte) error {
	return members(b, func(key string, v []byte) error {
		switch key {
		case "compaction":
			return readPresent(v, &c.Compaction)
		case "configOptions":
			return readPresent(v, &c.ConfigOptions)
		case "notices":
			return readPresent(v, &c.Notices)
		case "_meta":
			return c.Meta.UnmarshalJSON(v)
		}
		return nil
	})
}

// UnmarshalJSON implements [json.Unmarshaler].
func (c *ConfigOptionsCapabilities) UnmarshalJSON(b []byte) error {
	return members(b, func(key string, v []byte) error {
		switch key {
		case "boolean":
			return readPresent(v, &c.Boolean)
		case "_meta":
			return c.Meta.UnmarshalJSON(v)
		}
		return nil
	})
}

// UnmarshalJSON implements [json.Unmarshaler].
func (c *AuthCapabilities) UnmarshalJSON(b []byte) error {
	return members(b, func(key string, v []byte) error {
		switch key {
		case "terminal":
			return readBool(v, &c.Terminal)
		case "_meta":
			return c.Meta.UnmarshalJSON(v)
		}
		return nil
	})
}

// UnmarshalJSON implements [json.Unmarshaler].
func (c *ElicitationCapabilities) UnmarshalJSON(b []byte) error {
	return members(b, func(key string, v []byte) error {
		switch key {
		case "form":
			return readPresent(v, &c.Form)
		case "url":
			return readPresent(v, &c.URL)
		case "_meta":
			return c.Meta.UnmarshalJSON(v)
		}
		return nil
	})
}

// UnmarshalJSON implements [json.Unmarshaler].
func (m *Marker) UnmarshalJSON(b []byte) error {
	return members(b, func(key string, v []byte) error {
		if key == "_meta" {
			return m.Meta.UnmarshalJSON(v)
		}
		return nil
	})
}

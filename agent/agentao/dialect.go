package agentao

import (
	"strings"

	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// replayPrefix stands before the kind of a row of a replay file, and
// hostPrefix before the types of the host's own lines.
const (
	replayPrefix = "replay:"
	hostPrefix   = "host."
)

// Dialect is the dialect of Agentao's events, replay files and host.
var Dialect = dialect.Dialect{
	Name:       "agentao",
	Types:      types,
	Recognise:  recognise,
	NewDecoder: func() dialect.Decoder { return new(decoder) },
}

func types() []string {
	names := make([]string, 0, len(kinds))
	for _, k := range kinds {
		names = append(names, k.name)
	}
	return names
}

// recognise claims lines that have both the shape and a name of this dialect.
// Many agents have a "tool_start" and some have "data": only together they are
// Agentao's. An "error" is everybody's, and needs the version too.
func recognise(line []byte) bool {
	e, err := open(line)
	if err != nil || handlers[e.name] == nil {
		return false
	}
	switch {
	case strings.HasPrefix(e.name, hostPrefix):
		return true
	case strings.HasPrefix(e.name, replayPrefix):
		return e.numbered && isObject(e.data)
	case e.name == "error":
		return e.numbered && isObject(e.data)
	}
	return isObject(e.data)
}

func isObject(v []byte) bool { return len(v) > 0 && v[0] == '{' }

// An envelope is a line, taken out of whichever form it has.
type envelope struct {
	name     string // as in Dialect.Types
	data     []byte // nil where there is none
	numbered bool   // it has a schema_version or a seq
}

// open finds out what a line is.
func open(line []byte) (envelope, error) {
	var e envelope
	var typ, kind, data, payload []byte
	o := rawjson.Walk(line)
	for {
		key, value, ok := o.Next()
		if !ok {
			break
		}
		switch string(key) {
		case "type":
			typ = value
		case "kind":
			kind = value
		case "data":
			data = value
		case "payload":
			payload = value
		case "schema_version", "seq":
			e.numbered = value[0] >= '0' && value[0] <= '9'
		}
	}
	if o.Err() != nil {
		return e, dialect.ErrNotObject
	}
	if name, err := rawjson.Parse(typ); err == nil {
		e.name, e.data = name.String(), data
		if strings.HasPrefix(e.name, hostPrefix) {
			e.data = line
		}
	} else if name, err := rawjson.Parse(kind); err == nil && typ == nil {
		e.name, e.data = replayPrefix+name.String(), payload
	} else {
		return e, dialect.ErrNotObject
	}
	if string(e.data) == "null" {
		e.data = nil
	}
	return e, nil
}

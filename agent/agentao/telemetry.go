package agentao

import (
	"encoding/json"
	"strconv"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/rawjson"
)

const (
	maxNotice = 2000 // characters of a text in a notice
	maxDetail = 200  // and in telemetry
)

// telemetry passes on what is for tools that watch an agent.
func (d *decoder) telemetry(name string, data []byte) error {
	brief, err := counted(data)
	if err != nil {
		return err
	}
	d.emit(&agent.Telemetry{Name: name, Data: brief})
	return nil
}

// counted is an object whose lists and objects have become the numbers of what
// is in them, and whose long texts are cut. The events about requests to the
// model hold whole conversations with their system prompts: nobody who counts
// requests is to be given those.
func counted(data []byte) (agent.Raw, error) {
	if data == nil {
		return nil, nil
	}
	out := agent.Raw{'{'}
	o := rawjson.Walk(data)
	for {
		key, value, ok := o.Next()
		if !ok {
			break
		}
		name := rawjson.String(key).Clean()
		if string(name) == "type" && len(out) == 1 {
			continue // a line of the host has its type among its members
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(append(out, '"'), name...), '"', ':')
		out = append(out, brief(value)...)
	}
	if err := o.Err(); err != nil {
		return nil, err
	}
	return append(out, '}'), nil
}

func brief(v []byte) []byte {
	switch v[0] {
	case '[':
		var list []json.RawMessage
		_ = exactjson.Unmarshal(v, &list) // the walk has found it to be valid
		return strconv.AppendInt(nil, int64(len(list)), 10)
	case '{':
		n := 0
		for o := rawjson.Walk(v); ; n++ {
			if _, _, ok := o.Next(); !ok {
				return strconv.AppendInt(nil, int64(n), 10)
			}
		}
	case '"':
		text := rawjson.String(v[1 : len(v)-1]).String()
		return rawjson.AppendString[[]byte](nil, hide(short(text, maxDetail)))
	}
	return v
}

// short is the beginning of s, with a mark where there is more.
func short(s string, limit int) string {
	n := 0
	for i := range s {
		if n++; n > limit {
			return s[:i] + " …"
		}
	}
	return s
}

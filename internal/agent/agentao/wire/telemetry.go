package wire

import (
	"strconv"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/lazyregexp"
	"github.com/turnwire/turnwire/internal/rawjson"
)

const (
	maxNotice = 2000 // maximum length of a text in a notice, in characters
	maxDetail = 200  // and in telemetry
)

// telemetry passes the event on to tools that observe an agent.
func telemetry(l *dialect.Line) agent.Event {
	return &agent.Telemetry{Name: l.Name, Data: counted(l.JSON())}
}

// counted replaces lists and objects in an object by their lengths, and
// truncates long texts. Events about model requests contain whole
// conversations with their system prompts, which tools that count requests
// must not receive.
func counted(data []byte) agent.Raw {
	if data == nil {
		return nil
	}
	out := agent.Raw{'{'}
	o := rawjson.Walk(data)
	for {
		key, value, ok := o.Next()
		if !ok {
			return append(out, '}')
		}
		name := rawjson.String(key).Clean()
		if string(name) == "type" && len(out) == 1 {
			continue // the type of a host line is among its members
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(append(out, '"'), name...), '"', ':')
		out = appendBrief(out, value)
	}
}

func appendBrief(out agent.Raw, v []byte) agent.Raw {
	n := int64(0)
	switch v[0] {
	case '[':
		for range rawjson.Elements(v) {
			n++
		}
	case '{':
		o := rawjson.Walk(v)
		for _, _, ok := o.Next(); ok; _, _, ok = o.Next() {
			n++
		}
	case '"':
		text := rawjson.String(v[1 : len(v)-1]).String()
		return rawjson.AppendString(out, hide(short(text, maxDetail)))
	default:
		return append(out, v...)
	}
	return strconv.AppendInt(out, n, 10)
}

// short truncates s to limit characters, and marks the cut.
func short(s string, limit int) string {
	n := 0
	for i := range s {
		if n++; n > limit {
			return s[:i] + " …"
		}
	}
	return s
}

// keys matches API keys, which providers repeat when they reject one.
var keys = lazyregexp.New(`(?i)\b(?:bearer\s+|(?:sk|pk|rk|gsk|xai)[-_]|AIza)[-\w.*]{8,}`)

// hide removes API keys from a text.
func hide(text string) string { return keys().ReplaceAllString(text, "[hidden]") }

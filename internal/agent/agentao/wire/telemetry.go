package wire

import (
	"strconv"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/lazyregexp"
	"github.com/turnwire/turnwire/internal/rawjson"
)

const (
	maxNotice = 2000 // characters of a text in a notice
	maxDetail = 200  // and in telemetry
)

// telemetry passes on what is for tools that watch an agent.
func telemetry(l *dialect.Line) agent.Event {
	return &agent.Telemetry{Name: l.Name, Data: counted(l.JSON())}
}

// counted is an object whose lists and objects have become the numbers of what
// is in them, and whose long texts are cut. The events about requests to the
// model hold whole conversations with their system prompts: nobody who counts
// requests is to be given those.
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
			continue // a line of the host has its type among its members
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

// keys are the shapes of API keys that providers repeat when they refuse one.
var keys = lazyregexp.New(`(?i)\b(?:bearer\s+|(?:sk|pk|rk|gsk|xai)[-_]|AIza)[-\w.*]{8,}`)

// hide takes keys out of what is shown.
func hide(text string) string { return keys().ReplaceAllString(text, "[hidden]") }

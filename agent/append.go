package agent

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"

	"github.com/turnwire/turnwire/internal/rawjson"
)

// appendFast appends the members of frequent events without reflection. The
// result equals that of [encodeMembers], with a comma before each member. ok is
// false for all other events.
func appendFast(dst []byte, e Event) (out []byte, ok bool) {
	a := members{dst}
	switch e := e.(type) {
	case *TextDelta:
		a.json("text", e.Text)
		a.text("messageId", e.MessageID)
	case *ThinkingDelta:
		a.json("thinking", e.Thinking)
		a.text("messageId", e.MessageID)
	case *ToolReady:
		a.always("toolCallId", e.ToolCallID)
		a.always("toolName", e.ToolName)
		a.raw("args", e.Args)
		a.text("parentToolCallId", e.ParentToolCallID)
		a.view(&e.View)
	case *ToolStart:
		a.always("toolCallId", e.ToolCallID)
		a.always("toolName", e.ToolName)
		a.raw("args", e.Args)
		a.text("audience", string(e.Audience))
		a.text("parentToolCallId", e.ParentToolCallID)
		a.view(&e.View)
	case *ToolProgress:
		a.text("toolCallId", e.ToolCallID)
		a.text("toolName", e.ToolName)
		a.always("message", e.Message)
		if e.Percent != nil {
			a.number("percent", *e.Percent)
		}
		a.text("audience", string(e.Audience))
	case *ToolOutput:
		a.always("toolCallId", e.ToolCallID)
		a.json("text", e.Text)
		a.text("stream", e.Stream)
		a.flag("replace", e.Replace)
		a.text("terminalId", e.TerminalID)
	case *ToolEnd:
		if len(e.Content) > 0 || e.Structured != nil {
			return dst, false
		}
		a.always("toolCallId", e.ToolCallID)
		a.text("toolName", e.ToolName)
		a.dst = strconv.AppendBool(a.key("ok"), e.OK)
		a.flag("cancelled", e.Cancelled)
		if e.DurationMS != 0 {
			a.number("durationMs", e.DurationMS)
		}
		a.text("audience", string(e.Audience))
		if !e.Result.IsZero() {
			a.json("result", e.Result)
		}
		a.text("error", e.Error)
		if e.ExitCode != nil {
			a.dst = strconv.AppendInt(a.key("exitCode"), int64(*e.ExitCode), 10)
		}
		a.view(&e.View)
	default:
		return dst, false
	}
	a.text("turnId", e.Common().TurnID)
	return a.dst, true
}

// members appends members of a JSON object.
type members struct{ dst []byte }

func (a *members) key(name string) []byte {
	return append(append(append(a.dst, `,"`...), name...), `":`...)
}

// always appends a string member. The method text omits empty strings.
func (a *members) always(name, value string) { a.dst = rawjson.AppendString(a.key(name), value) }

func (a *members) text(name, value string) {
	if value != "" {
		a.always(name, value)
	}
}

// json appends a string member that is JSON already.
func (a *members) json(name string, value Text) {
	a.dst = append(append(append(a.key(name), '"'), rawjson.Body(value)...), '"')
}

func (a *members) flag(name string, value bool) {
	if value {
		a.dst = append(a.key(name), "true"...)
	}
}

// number appends a number as encoding/json does. Values that JSON can't
// represent become 0; no decoder produces them.
func (a *members) number(name string, value float64) {
	a.dst = a.key(name)
	if size := math.Abs(value); size == 0 || size >= 1e-6 && size < 1e21 {
		a.dst = strconv.AppendFloat(a.dst, value, 'f', -1, 64)
		return
	}
	n, err := json.Marshal(value)
	if err != nil {
		n = []byte{'0'}
	}
	a.dst = append(a.dst, n...)
}

// raw appends a value, without white space between its tokens.
func (a *members) raw(name string, value Raw) {
	if len(value) == 0 {
		return
	}
	if !bytes.ContainsAny(value, " \t\r\n") {
		a.dst = append(a.key(name), value...)
		return
	}
	b := bytes.NewBuffer(a.key(name))
	if json.Compact(b, value) == nil {
		a.dst = b.Bytes()
	}
}

func (a *members) view(v *View) {
	a.text("title", v.Title)
	a.text("kind", v.Kind)
	if len(v.Locations) > 0 {
		a.dst = append(a.key("locations"), '[')
		for i, l := range v.Locations {
			if i > 0 {
				a.dst = append(a.dst, ',')
			}
			a.dst = rawjson.AppendString(append(a.dst, `{"path":`...), l.Path)
			if l.Line != 0 {
				a.dst = strconv.AppendInt(append(a.dst, `,"line":`...), int64(l.Line), 10)
			}
			a.dst = append(a.dst, '}')
		}
		a.dst = append(a.dst, ']')
	}
	if len(v.Diffs) > 0 {
		a.dst = append(a.key("diffs"), '[')
		for i, d := range v.Diffs {
			if i > 0 {
				a.dst = append(a.dst, ',')
			}
			a.dst = rawjson.AppendString(append(a.dst, `{"path":`...), d.Path)
			if d.OldText != nil {
				a.dst = rawjson.AppendString(append(a.dst, `,"oldText":`...), *d.OldText)
			}
			a.dst = rawjson.AppendString(append(a.dst, `,"newText":`...), d.NewText)
			if d.Line != 0 {
				a.dst = strconv.AppendInt(append(a.dst, `,"line":`...), int64(d.Line), 10)
			}
			a.dst = append(a.dst, '}')
		}
		a.dst = append(a.dst, ']')
	}
	a.text("terminalId", v.TerminalID)
}

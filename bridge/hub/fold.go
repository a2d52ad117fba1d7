package hub

import (
	"github.com/turnwire/turnwire/internal/rawjson"
	"github.com/turnwire/turnwire/protocol/rawmsg"
)

// maxText bounds a text that is joined from chunks, in bytes of JSON.
const maxText = 1 << 20

// fold returns fewer changes that show the same: the chunks of a message are one,
// a tool call has what its updates have said, and of what replaces itself only the
// last is left.
//
// The numbers of changes still ascend, and lie between those of the first and the
// last.
func fold(changes []change) []change {
	f := folder{calls: make(map[string]int), latest: make(map[string]int)}
	for i := range changes {
		f.add(&changes[i])
	}
	f.endText()
	return f.result()
}

// A folder folds changes one by one.
type folder struct {
	out    []change       // those whose line is nil are gone
	calls  map[string]int // tool calls, by their ids
	latest map[string]int // the last update of a kind that replaces itself
	text   textRun
}

// replaces are the kinds of updates each of which replaces the one before.
var replaces = map[string]bool{
	"plan": true, "available_commands_update": true, "current_mode_update": true,
	"config_option_update": true, "usage_update": true,
}

func (f *folder) add(c *change) {
	update := c.update()
	if len(update) == 0 {
		f.put(*c)
		return
	}
	kind := rawmsg.MemberText(update, "sessionUpdate")
	switch {
	case chunks[kind]:
		f.addChunk(c, kind, update)
	case kind == "tool_call", kind == "tool_call_update":
		f.addCall(c, kind, update)
	case replaces[kind]:
		f.endText()
		if i, ok := f.latest[kind]; ok && f.out[i].author == nil && f.out[i].aware == c.aware {
			f.out[i].line = nil
		}
		f.latest[kind] = f.put(*c)
	default:
		f.put(*c)
	}
}

// put appends a change and returns its place.
func (f *folder) put(c change) int {
	f.endText()
	f.out = append(f.out, c)
	return len(f.out) - 1
}

// addCall adds what an update says of a tool call to the call.
func (f *folder) addCall(c *change, kind string, update []byte) {
	f.endText()
	id := rawmsg.MemberText(update, "toolCallId")
	i, known := f.calls[id]
	if kind == "tool_call" || !known || hasMeta(update) || f.out[i].author != c.author || f.out[i].aware != c.aware {
		f.calls[id] = f.put(*c)
		return
	}
	call := &f.out[i]
	merged := merge(call.update(), update)
	line := make([]byte, 0, len(call.line)-call.to+call.from+len(merged))
	line = append(append(line, call.line[:call.from]...), merged...)
	line = append(line, call.line[call.to:]...)
	call.line, call.to, call.times.Until = line, call.from+len(merged), c.times.Until
}

// hasMeta reports whether an update carries something that only its receivers
// know how to add up.
func hasMeta(update []byte) bool {
	meta, _, _ := rawmsg.Member(update, "_meta")
	return meta != nil && string(meta) != "null"
}

// merge returns the tool call with the members of its update in place of its own.
func merge(call, update []byte) []byte {
	o := rawjson.Walk(update)
	for {
		key, value, ok := o.Next()
		if !ok {
			return call
		}
		name := rawjson.String(key).String()
		if name == "sessionUpdate" || name == "toolCallId" || string(value) == "null" {
			continue
		}
		if old, _, _ := rawmsg.Member(call, name); old != nil {
			call = rawmsg.Replace(call, name, value)
			continue
		}
		grown := make([]byte, 0, len(call)+len(key)+len(value)+4)
		grown = append(append(append(grown, call[:len(call)-1]...), `,"`...), key...)
		call = append(append(append(grown, `":`...), value...), '}')
	}
}

func (f *folder) result() []change {
	left := f.out[:0]
	for _, c := range f.out {
		if c.line != nil {
			left = append(left, c)
		}
	}
	return left
}

package hub

import "github.com/turnwire/turnwire/internal/protocol/toolcall"

// maxText bounds the text joined from chunks, in bytes of JSON. Each fold of the tail
// parses the last text again.
const maxText = 32 << 10

// fold returns fewer changes that show the same. It joins the chunks of a message, and
// merges a tool call with its updates. Of the updates that replace each other, it keeps
// only the last.
//
// The numbers of the changes still ascend, and stay between those of the first and the
// last.
func fold(changes []change) []change {
	if len(changes) < 2 {
		return changes
	}
	f := folder{calls: make(map[string]int), merged: make(map[int]*toolcall.Members), latest: make(map[string]int)}
	for i := range changes {
		f.add(&changes[i])
	}
	f.endText()
	return f.result()
}

// A folder folds changes one at a time.
type folder struct {
	out    []change                  // dropped changes have a nil line
	calls  map[string]int            // places in out of tool calls, by id
	merged map[int]*toolcall.Members // calls with merged updates, by place in out
	latest map[string]int            // places in out of the last update, by kind that replaces itself
	text   textRun
}

// replaces are the kinds of updates that replace the previous update of the same kind.
var replaces = map[string]bool{
	"plan": true, commandsUpdate: true, modeUpdate: true,
	optionUpdate: true, usageUpdate: true,
}

func (f *folder) add(c *change) {
	c.read()
	switch {
	case chunks[c.kind]:
		f.addChunk(c)
	case isCall(c.kind):
		f.addCall(c)
	case replaces[c.kind]:
		f.endText()
		if i, ok := f.latest[c.kind]; ok && f.out[i].author == "" && f.out[i].aware == c.aware {
			f.out[i].line = nil
		}
		f.latest[c.kind] = f.append(*c)
	default:
		f.append(*c)
	}
}

// append appends a change and returns its index.
func (f *folder) append(c change) int {
	f.endText()
	f.out = append(f.out, c)
	return len(f.out) - 1
}

// addCall merges an update of a tool call into the call.
func (f *folder) addCall(c *change) {
	f.endText()
	update := c.update()
	i, known := f.calls[c.call]
	if c.kind == "tool_call" || !known || c.alone || f.out[i].author != c.author || f.out[i].aware != c.aware {
		f.calls[c.call] = f.append(*c)
		return
	}
	call := &f.out[i]
	members := f.merged[i]
	if members == nil {
		members = new(toolcall.Members)
		members.Merge(call.update())
		f.merged[i] = members
	}
	members.Merge(update)
	call.times.Until = c.times.Until
}

func (f *folder) result() []change {
	for i, members := range f.merged {
		f.out[i].setUpdate(members)
	}
	left := f.out[:0]
	for _, c := range f.out {
		if c.line != nil {
			left = append(left, c)
		}
	}
	return left
}

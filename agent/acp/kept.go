package acp

import "bytes"

// sessionWide are the updates that say something about the session and not
// about a turn. The last of each kind holds.
var sessionWide = []string{
	"session/new", // the answer to it, which has the first settings
	"available_commands_update",
	"current_mode_update",
	"config_option_update",
	"session_info_update",
	"usage_update",
}

// maxKept bounds such a line.
const maxKept = 1 << 20

// kept holds them until somebody can be shown them.
type kept struct{ lines map[string][]byte }

func (k *kept) keep(kind string, line []byte) bool {
	for _, known := range sessionWide {
		if kind == known && len(line) <= maxKept {
			if k.lines == nil {
				k.lines = make(map[string][]byte)
			}
			k.lines[kind] = bytes.Clone(line)
			return true
		}
	}
	return false
}

// take empties k and returns its lines.
func (k *kept) take() []byte {
	var out []byte
	for _, kind := range sessionWide {
		if line, ok := k.lines[kind]; ok {
			out = append(append(out, line...), '\n')
		}
	}
	k.lines = nil
	return out
}

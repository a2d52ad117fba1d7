package acp

import (
	"bytes"
	"slices"
)

// sessionWide are the lines that say something about the session and not about
// a turn. Of updates the last of a kind holds.
var sessionWide = []string{
	"answer", // with settings
	"available_commands_update",
	"current_mode_update",
	"config_option_update",
	"session_info_update",
	"usage_update",
}

const (
	// maxKept bounds such a line, and maxAnswers how many answers are kept.
	maxKept    = 1 << 20
	maxAnswers = 16
)

// pending holds them, in their order, until they can be told.
type pending struct{ lines []keptLine }

type keptLine struct {
	kind string
	text []byte
}

func (k *pending) keep(kind string, line []byte) bool {
	if !slices.Contains(sessionWide, kind) || len(line) > maxKept {
		return false
	}
	same := func(l keptLine) bool { return l.kind == kind }
	if kind != "answer" {
		k.lines = slices.DeleteFunc(k.lines, same)
	} else if len(k.lines) >= maxAnswers {
		if at := slices.IndexFunc(k.lines, same); at >= 0 {
			k.lines = slices.Delete(k.lines, at, at+1)
		}
	}
	k.lines = append(k.lines, keptLine{kind, bytes.Clone(line)})
	return true
}

// take empties k and returns its lines.
func (k *pending) take() [][]byte {
	var out [][]byte
	for _, line := range k.lines {
		out = append(out, line.text)
	}
	k.lines = nil
	return out
}

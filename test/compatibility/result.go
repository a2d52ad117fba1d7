package main

import (
	"fmt"
	"strings"
)

// What was seen in a column.
const (
	yes    = "yes"
	no     = "no"     // it isn't offered
	failed = "failed" // it is offered, and didn't work
	notRun = "not run"
)

// A cell is what was seen, and why if that isn't obvious.
type cell struct {
	Seen string `json:"seen"`
	Note string `json:"note,omitempty"`
}

// A result is a row of the page.
type result struct {
	Date     string          `json:"date"`
	Turnwire string          `json:"turnwire"` // its commit
	Version  string          `json:"version"`
	Why      string          `json:"why,omitempty"` // cells that are missing weren't run because of this
	Cells    map[string]cell `json:"cells"`
}

// cell returns what was seen in a column.
func (r result) cell(column string) cell {
	if c, ok := r.Cells[column]; ok {
		return c
	}
	return cell{Seen: notRun}
}

func (r result) summary() string {
	counts := map[string]int{}
	for _, c := range r.Cells {
		counts[c.Seen]++
	}
	var parts []string
	for _, seen := range []string{yes, no, failed, notRun} {
		if counts[seen] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", counts[seen], seen))
		}
	}
	if r.Why != "" {
		parts = append(parts, r.Why)
	}
	return strings.Join(parts, ", ")
}

// A column is one of a table.
type column struct{ name, title, meaning string }

var agentColumns = []column{
	{"initialize", "initialize", "the agent starts, and a session is created"},
	{"turn", "turn", "a prompt gets a text, and the turn ends with `end_turn`"},
	{"allow", "allow", "the agent asks before it runs a command, and runs it once it is allowed"},
	{"refuse", "refuse", "a refused command doesn't run"},
	{"cancel", "cancel", "a cancel ends the turn with `cancelled`, and the next turn works"},
	{"load", "load", "after a restart, `session/load` replays the conversation, and the agent remembers it"},
	{"resume", "resume", "after a restart, the agent remembers the conversation after `session/resume`"},
	{"images", "images", "an image in a prompt reaches the model"},
	{"modes", "modes", "the session's mode can be changed"},
	{"models", "models", "the session's model can be chosen"},
	{"same", "same", "three turns, with a command that is allowed and one that is refused, show the same as without Turnwire"},
	{"served", "served", "they show the same through `turnwire serve`, too"},
}

package sim

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A story describes in text what happened in a world. Within a step it is ordered by party,
// because the order of goroutines isn't part of the plan.
type story struct {
	steps  []pastStep
	number int
	title  string
	now    map[string][]string // by party: what happened in this step
	files  string              // the folder of edits, which has another name each time
}

// A pastStep is a step of a story that has ended.
type pastStep struct {
	number int
	title  string
	by     map[string][]string // by party: what happened
}

// step begins a step.
func (s *story) step(number int) {
	s.end()
	s.number, s.now = number, make(map[string][]string)
}

// did describes the step.
func (s *story) did(title string) { s.title = s.clean(title) }

// clean replaces the name of the folder of edits.
func (s *story) clean(text string) string { return strings.ReplaceAll(text, s.files, "/files") }

// add adds a line to the step.
func (s *story) add(party, text string) {
	if s.now != nil {
		s.now[party] = append(s.now[party], s.clean(text))
	}
}

// end ends the step. Empty steps are left out.
func (s *story) end() {
	if s.title == "" && len(s.now) == 0 {
		return
	}
	s.steps = append(s.steps, pastStep{s.number, s.title, s.now})
	s.title, s.now = "", nil
}

// last returns the last steps.
func (s *story) last(n int) string {
	s.end()
	ids := make(numbered)
	var steps []string
	for _, one := range s.steps {
		steps = append(steps, one.text(ids))
	}
	return strings.Join(steps[max(0, len(steps)-n):], "\n")
}

// text returns the step as text.
func (s pastStep) text(ids numbered) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%4d. %s", s.number, ids.replace(s.title))
	for _, party := range sortedKeys(s.by) {
		for _, text := range s.by[party] {
			b.WriteString("\n      " + party + " " + shorten(ids.replace(text)))
		}
	}
	return b.String()
}

// numbered has the numbers of random ids.
type numbered map[string]string

// randomID matches ids of sessions, messages and chats, which are random.
var randomID = regexp.MustCompile(`\b(?:tw-[a-z0-9]{8,}|[A-Z2-7]{26}|ahp-(?:chat|session)://default/[\w-]+)\b`)

// replace replaces random ids by numbers, in the order in which the ids first occur. Two
// stories are the same if only their ids differ.
func (n numbered) replace(text string) string {
	return randomID.ReplaceAllStringFunc(text, func(id string) string {
		if n[id] == "" {
			n[id] = fmt.Sprintf("id-%d", len(n)+1)
		}
		return n[id]
	})
}

const maxText = 300

// realValue matches the values that aren't virtual: the process id, NATS' ids of clients, and
// what follows from the name of a temporary folder, which is in the names of files, and in the
// cursors of lists.
var realValue = regexp.MustCompile(`(open in process |client-\d+@|/sessions/[0-9a-f]{8}-|"cursor":"|"nextCursor":")\w+`)

func shorten(text string) string {
	text = strings.TrimSuffix(realValue.ReplaceAllString(text, "$1…"), "\n")
	if len(text) > maxText {
		return text[:maxText] + "…"
	}
	return text
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

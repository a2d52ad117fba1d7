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
	steps  []string
	number int
	title  string
	now    map[string][]string // by party: what happened in this step
}

// step begins a step.
func (s *story) step(number int) {
	s.end()
	s.number, s.now = number, make(map[string][]string)
}

// did describes the step.
func (s *story) did(title string) { s.title = title }

// add adds a line to the step.
func (s *story) add(party, text string) {
	if s.now != nil {
		s.now[party] = append(s.now[party], text)
	}
}

// end ends the step. Empty steps are left out.
func (s *story) end() {
	if s.title == "" && len(s.now) == 0 {
		return
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%4d. %s", s.number, s.title)
	for _, party := range sortedKeys(s.now) {
		for _, text := range s.now[party] {
			b.WriteString("\n      " + party + " " + shorten(text))
		}
	}
	s.steps = append(s.steps, b.String())
	s.title, s.now = "", nil
}

// last returns the last steps.
func (s *story) last(n int) string {
	s.end()
	return strings.Join(s.steps[max(0, len(s.steps)-n):], "\n")
}

const maxText = 300

// realValue matches the values that aren't virtual: the process id and file times.
var realValue = regexp.MustCompile(`(open in process |"updatedAt":")[^"]+`)

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

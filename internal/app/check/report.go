package check

import (
	"fmt"
	"strings"

	"github.com/turnwire/turnwire/internal/agent/stream/lint"
)

// A Summary counts findings.
type Summary struct {
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	Notes    int `json:"notes"`
	// Lines is the number of lines that were checked.
	Lines int `json:"lines"`
}

// Fails reports whether the check failed. With strict, warnings count too.
func (s Summary) Fails(strict bool) bool { return s.Errors > 0 || strict && s.Warnings > 0 }

// A Writer writes findings in some format.
type Writer interface {
	// Finding writes a finding.
	Finding(f lint.Finding) error
	// End writes the summary.
	End(s Summary) error
}

// A Report passes findings to a writer and counts them. It passes only the first ones of
// each kind: a mistake in a loop is one mistake.
type Report struct {
	Writer Writer
	// Each is how many findings of one kind are passed on individually.
	Each int

	summary Summary
	kinds   map[string]int
	order   []string
	err     error
}

// maxKinds limits how many kinds of findings are remembered and written.
const maxKinds = 200

// Tell adds a finding.
func (r *Report) Tell(f lint.Finding) {
	switch f.Severity {
	case lint.Error:
		r.summary.Errors++
	case lint.Warning:
		r.summary.Warnings++
	case lint.Note:
		r.summary.Notes++
	}
	kind := f.Kind()
	if r.kinds == nil {
		r.kinds = make(map[string]int)
	}
	n, known := r.kinds[kind]
	if !known && len(r.kinds) >= maxKinds {
		return
	}
	if !known {
		r.order = append(r.order, kind)
	}
	r.kinds[kind] = n + 1
	if n < max(r.Each, 1) && r.err == nil {
		r.err = r.Writer.Finding(f)
	}
}

// End writes how many findings of each kind were omitted, and ends the report.
func (r *Report) End(lines int) (Summary, error) {
	for _, kind := range r.order {
		n := r.kinds[kind] - max(r.Each, 1)
		if n <= 0 || r.err != nil {
			continue
		}
		rule, subject, _ := strings.Cut(kind, " ")
		f := lint.Finding{Rule: rule, Severity: lint.Note, Message: fmt.Sprintf("%d more like this", n)}
		if subject != "" {
			f.Message += ": " + subject
		}
		r.err = r.Writer.Finding(f)
	}
	r.summary.Lines = lines
	if r.err == nil {
		r.err = r.Writer.End(r.summary)
	}
	return r.summary, r.err
}

package check

import (
	"encoding/json"
	"io"

	"github.com/turnwire/turnwire/internal/agent/stream/lint"
)

// JSON writes findings as JSON lines. The last line is the summary.
type JSON struct {
	Out  io.Writer
	Name string
	Docs string
}

type jsonFinding struct {
	Rule     string        `json:"rule"`
	Severity lint.Severity `json:"severity"`
	File     string        `json:"file"`
	Line     int           `json:"line,omitempty"`
	Column   int           `json:"column,omitempty"`
	Path     string        `json:"path,omitempty"`
	Message  string        `json:"message"`
	Help     string        `json:"help,omitempty"`
	See      string        `json:"see,omitempty"`
	Kit      []string      `json:"kit,omitempty"`
	Text     string        `json:"text,omitempty"`
}

type jsonSummary struct {
	Summary Summary `json:"summary"`
}

func (j *JSON) write(v any) error {
	e := json.NewEncoder(j.Out)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// Finding implements [Writer].
func (j *JSON) Finding(f lint.Finding) error {
	see := See(f.Rule)
	if see != "" {
		see = j.Docs + see
	}
	return j.write(jsonFinding{f.Rule, f.Severity, j.Name, f.Line, f.Column, f.Path, f.Message, f.Help, see, f.Kit, f.Text})
}

// End implements [Writer].
func (j *JSON) End(s Summary) error { return j.write(jsonSummary{s}) }

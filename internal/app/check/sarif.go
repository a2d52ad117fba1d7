package check

import (
	"encoding/json"
	"io"

	"github.com/turnwire/turnwire/internal/agent/stream/lint"
)

// SARIF writes findings in the Static Analysis Results Interchange Format 2.1.0, as a
// single document at the end.
type SARIF struct {
	Out     io.Writer
	Name    string // the file; "" or "-" if none
	Version string
	Docs    string

	results []sarifResult
}

type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool     `json:"tool"`
		Results    []sarifResult `json:"results"`
		ColumnKind string        `json:"columnKind"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		Version        string      `json:"version"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID               string      `json:"id"`
		ShortDescription sarifText   `json:"shortDescription"`
		Help             sarifText   `json:"help"`
		HelpURI          string      `json:"helpUri"`
		Configuration    sarifConfig `json:"defaultConfiguration"`
	}
	sarifConfig struct {
		Level lint.Severity `json:"level"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		Level     lint.Severity   `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations,omitempty"`
		Bag       *sarifBag       `json:"properties,omitempty"`
	}
	sarifBag struct {
		Tags []string `json:"tags"`
	}
	sarifLocation struct {
		Physical sarifPhysical  `json:"physicalLocation"`
		Logical  []sarifLogical `json:"logicalLocations,omitempty"`
	}
	sarifLogical struct {
		Name string `json:"fullyQualifiedName"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine   int        `json:"startLine"`
		StartColumn int        `json:"startColumn,omitempty"`
		Snippet     *sarifText `json:"snippet,omitempty"`
	}
)

// Finding implements [Writer].
func (s *SARIF) Finding(f lint.Finding) error {
	text := f.Message
	if f.Help != "" {
		text += "\n" + f.Help
	}
	r := sarifResult{RuleID: f.Rule, Level: f.Severity, Message: sarifText{text}}
	if f.Kit != nil {
		r.Bag = &sarifBag{f.Kit}
	}
	if f.Line > 0 {
		l := sarifLocation{Physical: sarifPhysical{
			Artifact: sarifArtifact{uri(s.Name)},
			Region:   &sarifRegion{StartLine: f.Line, StartColumn: f.Column},
		}}
		if f.Text != "" {
			l.Physical.Region.Snippet = &sarifText{f.Text}
		}
		if f.Path != "" {
			l.Logical = []sarifLogical{{f.Path}}
		}
		r.Locations = []sarifLocation{l}
	}
	s.results = append(s.results, r)
	return nil
}

// End implements [Writer].
func (s *SARIF) End(Summary) error {
	log := sarifLog{
		Schema:  "https://json.schemastore.org/sarif-2.1.0.json",
		Version: "2.1.0",
		Runs: []sarifRun{{
			Tool: sarifTool{sarifDriver{
				Name: "turnwire check", Version: s.Version, InformationURI: s.Docs + "check.md",
			}},
			Results:    s.results,
			ColumnKind: "unicodeCodePoints",
		}},
	}
	run := &log.Runs[0]
	if run.Results == nil {
		run.Results = []sarifResult{}
	}
	for _, r := range Rules() {
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{
			ID: r.ID, ShortDescription: sarifText{r.Means}, Help: sarifText{r.Cure},
			HelpURI: s.Docs + "check-rules.md#" + r.ID, Configuration: sarifConfig{r.Severity},
		})
	}
	e := json.NewEncoder(s.Out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(log)
}

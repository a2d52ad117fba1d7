package check

import (
	"slices"

	"github.com/turnwire/turnwire/internal/agent/stream/lint"
)

// Rules lists all rules that a check has, by the parts of docs/check.md.
func Rules() []lint.Rule { return slices.Concat(lint.Rules(), acpRules) }

// See is the document that says more about a rule, "" for none.
func See(rule string) string {
	for _, r := range Rules() {
		if r.ID == rule {
			return r.See
		}
	}
	return ""
}

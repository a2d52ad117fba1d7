package check

import (
	"slices"

	"github.com/turnwire/turnwire/internal/agent/stream/lint"
)

// Rules returns all rules of a check, in the order of docs/check-rules.md.
func Rules() []lint.Rule { return slices.Concat(lint.Rules(), serverRules, acpRules) }

// See returns the document that explains a rule, or "".
func See(rule string) string {
	for _, r := range Rules() {
		if r.ID == rule {
			return r.See
		}
	}
	return ""
}

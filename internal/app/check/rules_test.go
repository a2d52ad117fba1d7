package check_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/agent/stream/lint"
	"github.com/turnwire/turnwire/internal/app/check"
	"github.com/turnwire/turnwire/internal/test/golden"
)

const document = "../../../docs/check-rules.md"

// Reports link to the rules by id, so the document must list them all.
func TestTheDocumentHasEveryRule(t *testing.T) {
	text, err := os.ReadFile(document)
	require.NoError(t, err)
	head, rest, found := strings.Cut(string(text), "<!-- rules:begin -->\n")
	require.True(t, found)
	_, tail, found := strings.Cut(rest, "<!-- rules:end -->")
	require.True(t, found)
	var b strings.Builder
	for _, r := range check.Rules() {
		severity := map[lint.Severity]string{lint.Error: "Error", lint.Warning: "Warning", lint.Note: "Note"}[r.Severity]
		fmt.Fprintf(&b, "\n## %s\n\n%s: %s %s [More](%s).\n", r.ID, severity, r.Means, r.Cure, r.See)
		if ids := check.Kit(r.ID); ids != nil {
			fmt.Fprintf(&b, "In acp-tck: `%s`.\n", strings.Join(ids, "`, `"))
		}
	}
	golden.File(t, document, head+"<!-- rules:begin -->\n"+b.String()+"\n<!-- rules:end -->"+tail)
}

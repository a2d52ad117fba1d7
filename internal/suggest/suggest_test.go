package suggest_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/suggest"
)

func TestTheIntendedNameIsFoundAndNothingElse(t *testing.T) {
	known := []string{"ethos", "ethos-web", "awaken", "acp", "startTimeout", "url"}
	for word, want := range map[string]string{
		"ehtos":                   "ethos",
		"etos":                    "ethos",
		"awakenn":                 "awaken",
		"starttimeout":            "startTimeout",
		"ulr":                     "url",
		"claude":                  "",
		"":                        "",
		"x":                       "",
		strings.Repeat("a", 1000): "",
	} {
		require.Equal(t, want, suggest.Of(word, known), "%q", word)
	}
	require.Equal(t, "; did you mean ethos?", suggest.Hint("ehtos", known))
	require.Empty(t, suggest.Hint("claude", known))
}

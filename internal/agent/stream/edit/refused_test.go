package edit_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/agent/stream/edit"
)

func TestALongRefusedPartIsCut(t *testing.T) {
	for _, line := range []string{"é\n", "xé\n"} {
		text := edit.Refused("", strings.Repeat(line, 4000))
		require.Less(t, len(text), 4200)
		require.True(t, utf8.ValidString(text))
		require.True(t, strings.HasSuffix(text, "…"))
	}
}

package rawjson

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDepthCountsNestedValues(t *testing.T) {
	for value, depth := range map[string]int{
		`1`: 0, `"[[{"`: 0, `[]`: 1, `{"a":[1,{"b":"]"}],"c":[]}`: 3, `[[],[[]]]`: 3, ``: 0, `["`: 1,
		strings.Repeat("[", 500) + strings.Repeat("]", 500): 500,
	} {
		require.Equal(t, depth, Depth([]byte(value)), value)
	}
}

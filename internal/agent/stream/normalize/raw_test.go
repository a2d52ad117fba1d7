package normalize_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/normalize"
)

func TestValuesThatStrictReadersRefuseBecomeText(t *testing.T) {
	deep := strings.Repeat("[", 200) + strings.Repeat("]", 200)
	long := `"` + strings.Repeat("x", 2<<20) + `"`
	for name, c := range map[string]struct {
		value string
		text  bool
	}{
		"usual":     {`{"a":[1,{"b":12345678901234567890}]}`, false},
		"very deep": {deep, true},
		"very long": {long, true},
	} {
		t.Run(name, func(t *testing.T) {
			normalizer := normalize.New("/", nil)
			normalizer.Begin("")
			var shown []agent.Raw
			take := func(s normalize.Step) {
				if e, ok := s.Event.(*agent.ToolEnd); ok {
					shown = append(shown, e.Structured)
					return
				}
				shown = append(shown, s.Tool.Args)
			}
			normalizer.Add(&agent.ToolStart{ToolCallID: "c", ToolName: "t", Args: agent.Raw(c.value)}, take)
			normalizer.Add(&agent.ToolEnd{ToolCallID: "c", OK: true, Structured: agent.Raw(c.value)}, take)
			require.Len(t, shown, 2)
			for _, raw := range shown {
				if !c.text {
					require.Equal(t, c.value, string(raw))
					continue
				}
				require.LessOrEqual(t, len(raw), normalize.MaxResult+100)
				var text string
				require.NoError(t, json.Unmarshal(raw, &text))
				require.True(t, strings.HasPrefix(text, c.value[:200]))
			}
		})
	}
}

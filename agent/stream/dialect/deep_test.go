package dialect_test

import (
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	native "github.com/turnwire/turnwire/internal/agent/native/wire"
)

func TestConfirmationsWithDeeplyNestedArgumentsAreAsked(t *testing.T) {
	line := `{"type":"tool_confirmation_request","toolCallId":"c","args":` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + `}`
	var asked []*agent.ConfirmationRequested
	dialect.Decode(native.Dialect.NewDecoder(), discard(), []byte(line), func(e agent.Event) bool {
		asked = append(asked, e.(*agent.ConfirmationRequested))
		return true
	})
	require.Len(t, asked, 1)
	require.Equal(t, "c", asked[0].ToolCallID)
	require.Contains(t, string(asked[0].Args), `"[[[[`)
}

// refuser rejects and refuses every line.
type refuser struct{ heads *[]string }

func (refuser) Decode([]byte, func(agent.Event) bool) error { return dialect.ErrNotObject }

func (r refuser) Refuse(line []byte, _ error) agent.Event {
	*r.heads = append(*r.heads, string(line))
	return &agent.Notice{Message: "refused"}
}

// The agent sends nothing more before it gets its answer.
func TestTooLongLinesAreRefusedBeforeTheNextLine(t *testing.T) {
	r, w := io.Pipe()
	long := "ask me" + strings.Repeat("x", dialect.MaxLine)
	answered := make(chan struct{})
	go func() {
		_, _ = io.WriteString(w, long+"\n")
		<-answered
		_ = w.Close()
	}()
	var heads []string
	err := dialect.Each(t.Context(), r, refuser{&heads}, discard(), func(b agent.Batch) bool {
		for e := range b.Events() {
			if hint, ok := e.(*agent.Hint); ok {
				require.Equal(t, "too-long", hint.Rule)
				continue
			}
			require.Equal(t, "refused", e.(*agent.Notice).Message)
			close(answered)
		}
		b.Release()
		return true
	})
	require.NoError(t, err)
	require.Equal(t, []string{long[:64<<10]}, heads)
}

package relay

import (
	"io"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/protocol"
)

type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }

// between returns an upstream with a session S, whose editor is out.
func between(t testing.TB, out io.Writer) (*upstream, *session, plainView) {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	view := plainView{protocol.NewStream(strings.NewReader(""), unclosed{out}, nil, log)}
	r := &relay{
		log: log, client: client{version: "1"},
		view:     view,
		sessions: make(map[string]*session),
		repairs:  repairs{log: log, counts: make(map[Repair]int)},
	}
	t.Cleanup(func() { require.NoError(t, view.stream.Close()) })
	u := &upstream{relay: r, names: newNames()}
	u.updates.up, u.early.up = u, u
	s := r.newSession("S", "S", nil)
	s.up = u
	s.turn.begin(&request{method: v1.MethodSessionPrompt})
	r.sessions["S"], u.names.sessions["S"] = s, s
	return u, s, view
}

var relayed = map[string]string{
	"text": `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"S","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"a piece of text"},"messageId":"m1"}}}`,
	"tool": `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"S","update":{"_meta":{"claudeCode":{"toolName":"Bash"}},"toolCallId":"toolu_01","sessionUpdate":"tool_call_update","status":"in_progress","title":"ls -la","kind":"execute","content":[{"type":"content","content":{"type":"text","text":"total 0"}}],"rawInput":{"command":"ls -la"}}}}`,
	"result of 11 KB": `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"S","update":{"sessionUpdate":"tool_call_update","toolCallId":"toolu_01","content":[{"type":"content","content":{"type":"text","text":"` +
		strings.Repeat(`\tline of a file\n`, 600) + `"}}]}}}`,
}

func BenchmarkUpdate(b *testing.B) {
	for name, text := range relayed {
		b.Run(name, func(b *testing.B) {
			u, s, _ := between(b, io.Discard)
			s.calls.states["toolu_01"] = callOpen
			line := []byte(text)
			b.SetBytes(int64(len(line)))
			b.ReportAllocs()
			for b.Loop() {
				if !u.Line(line) {
					b.Fatal("it is no update")
				}
			}
		})
	}
}

func TestAnUpdateIsRelayedWithoutAnAllocation(t *testing.T) {
	for name, text := range relayed {
		u, s, view := between(t, io.Discard)
		s.calls.states["toolu_01"] = callOpen
		line := []byte(text)
		view.stream.End() // it never waits
		for range 100 {
			require.True(t, u.Line(line), name)
		}
		require.Zero(t, testing.AllocsPerRun(100, func() { u.Line(line) }), name)
	}
}

func TestALateUpdateKeepsItsOtherMembers(t *testing.T) {
	u, s, _ := between(t, io.Discard)
	s.turn.prompts = nil
	late := `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"S","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"late"}},"_meta":{"mine":1}}}`
	require.True(t, u.Line([]byte(late)))
	held := s.late.take()
	require.Len(t, held, 1)
	require.Equal(t, late, string(held[0].Line))
	require.JSONEq(t, `{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"late"}}`, string(held[0].Line[held[0].From:held[0].To]))
}

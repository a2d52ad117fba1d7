package bridge_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	native "github.com/turnwire/turnwire/internal/agent/native/wire"
	"github.com/turnwire/turnwire/internal/bridge/journal"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// streamAgent answers each prompt with a byte stream in the native dialect.
type streamAgent struct{ stream []byte }

func (a streamAgent) Info() agent.Info { return agent.Info{Name: "stream"} }

func (a streamAgent) Open(context.Context, agent.Options) (agent.Session, error) {
	return &streamSession{stream: a.stream, events: make(chan agent.Batch)}, nil
}

type streamSession struct {
	stream []byte
	events chan agent.Batch
}

func (s *streamSession) Events() <-chan agent.Batch { return s.events }

func (s *streamSession) Prompt(agent.Prompt) error {
	go func() {
		_ = dialect.Pump(context.Background(), bytes.NewReader(s.stream), native.Dialect.NewDecoder(), slog.New(slog.DiscardHandler), s.events)
	}()
	return nil
}

func (s *streamSession) Options() []agent.Option            { return nil }
func (s *streamSession) Configure(agent.SetOption) error    { return nil }
func (s *streamSession) Confirm(agent.ConfirmationResponse) {}
func (s *streamSession) Answer(agent.QuestionResponse)      {}
func (s *streamSession) Cancel(agent.Cancel)                {}
func (s *streamSession) Abandon(string)                     {}

func (s *streamSession) Close(context.Context) error {
	close(s.events)
	return nil
}

// A sink is an editor that waits for the response to its prompt.
type sink struct {
	answered chan struct{}
	bytes    int64
}

func (s *sink) Write(b []byte) (int, error) {
	s.bytes += int64(len(b))
	if bytes.Contains(b[max(0, len(b)-200):], []byte(`"stopReason"`)) {
		s.answered <- struct{}{}
	}
	return len(b), nil
}

func (s *sink) Close() error { return nil }

// benchmarkTurn runs one turn of b.N events through the whole bridge. Its results are
// per event. If store is not nil, the session is saved.
func benchmarkTurn(b *testing.B, join bool, store journal.Store, event func(i int) string) {
	var stream bytes.Buffer
	for i := range b.N {
		stream.WriteString(event(i))
	}
	stream.WriteString(`{"type":"done","text":""}` + "\n")
	in, editor := io.Pipe()
	out := &sink{answered: make(chan struct{})}
	served := make(chan error, 1)
	lines := &lineCatcher{sink: out, line: make(chan []byte, 64)}
	go func() {
		made := newSetup(streamAgent{stream.Bytes()}, in, lines)
		made.Journal, made.client.Join = store, join
		served <- made.serve(context.Background())
	}()
	send := func(line string) {
		_, err := io.WriteString(editor, line+"\n")
		require.NoError(b, err)
	}
	send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}`)
	<-lines.line
	send(`{"jsonrpc":"2.0","id":2,"method":"session/new","params":{"cwd":"/"}}`)
	_, rest, _ := strings.Cut(string(<-lines.line), `"sessionId":"`)
	id, _, _ := strings.Cut(rest, `"`)
	b.ReportAllocs()
	b.ResetTimer()
	lines.pass = true
	send(fmt.Sprintf(`{"jsonrpc":"2.0","id":3,"method":%q,"params":{"sessionId":%q,"prompt":[]}}`, v1.MethodSessionPrompt, id))
	<-out.answered
	b.StopTimer()
	b.SetBytes(out.bytes / int64(b.N))
	require.NoError(b, editor.Close())
	require.NoError(b, <-served)
}

// lineCatcher passes writes to the benchmark until pass is set.
type lineCatcher struct {
	*sink
	line chan []byte
	pass bool
}

func (l *lineCatcher) Write(b []byte) (int, error) {
	if l.pass {
		return l.sink.Write(b)
	}
	l.line <- bytes.Clone(b)
	return len(b), nil
}

func BenchmarkText(b *testing.B) {
	event := func(i int) string {
		return [...]string{
			`{"type":"text_delta","text":" word"}`,
			`{"type":"text_delta","text":"\n\"quoted\""}`,
			`{"type":"text_delta","text":"grün"}`,
		}[i%3] + "\n"
	}
	b.Run("each", func(b *testing.B) { benchmarkTurn(b, false, nil, event) })
	b.Run("joined", func(b *testing.B) { benchmarkTurn(b, true, nil, event) })
	b.Run("kept", func(b *testing.B) { benchmarkTurn(b, true, journal.NewFolder(b.TempDir()), event) })
}

func BenchmarkToolEnd(b *testing.B) {
	result := strings.Repeat(`0123456789 \"abc\" äöü\n`, 500)
	event := func(i int) string {
		return fmt.Sprintf(`{"type":"tool_start","toolCallId":"c%d","toolName":"read_file","args":{"path":"a.txt"}}`+"\n"+
			`{"type":"tool_end","toolCallId":"c%d","toolName":"read_file","ok":true,"durationMs":3,"result":"%s"}`+"\n", i, i, result)
	}
	b.Run("joined", func(b *testing.B) { benchmarkTurn(b, true, nil, event) })
	b.Run("kept", func(b *testing.B) { benchmarkTurn(b, true, journal.NewFolder(b.TempDir()), event) })
}

// BenchmarkToolLine measures a line of tool events with short texts.
func BenchmarkToolLine(b *testing.B) {
	event := func(i int) string {
		call := i / 3
		return [...]string{
			fmt.Sprintf(`{"type":"tool_start","toolCallId":"call_%d","toolName":"bash","args":{"command":"make"},"seq":%d}`, call, i),
			fmt.Sprintf(`{"type":"tool_output","toolCallId":"call_%d","text":"cc main.c\n","seq":%d}`, call, i),
			fmt.Sprintf(`{"type":"tool_end","toolCallId":"call_%d","toolName":"bash","ok":true,"durationMs":12,"result":"ok","seq":%d}`, call, i),
		}[i%3] + "\n"
	}
	b.Run("joined", func(b *testing.B) { benchmarkTurn(b, true, nil, event) })
	b.Run("kept", func(b *testing.B) { benchmarkTurn(b, true, journal.NewFolder(b.TempDir()), event) })
}

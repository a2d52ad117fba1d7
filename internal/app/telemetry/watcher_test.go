package telemetry

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"github.com/stretchr/testify/require"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// measured returns a Telemetry that can be scraped, and the exporter that stores its
// spans.
func measured(t *testing.T) (*Telemetry, *tracetest.InMemoryExporter) {
	t.Helper()
	all, err := Open(Options{Getenv: func(string) string { return "" }, Scrape: true, Log: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	spans := tracetest.NewInMemoryExporter()
	provider := sdktrace.NewTracerProvider(sdktrace.WithSyncer(spans))
	all.tracer, all.traces = provider.Tracer(scope), true
	t.Cleanup(func() { require.NoError(t, all.Close(t.Context())) })
	return all, spans
}

// tree formats each span as a line with its name, indented by nesting, and its
// attributes. Times are omitted.
func tree(spans tracetest.SpanStubs) string {
	var b strings.Builder
	var add func(parent [8]byte, depth int)
	add = func(parent [8]byte, depth int) {
		for i := range spans {
			s := &spans[i]
			above := [8]byte(s.Parent.SpanID())
			if s.Parent.IsRemote() {
				above = [8]byte{}
			}
			if above != parent {
				continue
			}
			fmt.Fprintf(&b, "%s%s", strings.Repeat("  ", depth), s.Name)
			for _, a := range s.Attributes {
				if !strings.HasSuffix(string(a.Key), ".waited") {
					fmt.Fprintf(&b, " %s=%s", a.Key, a.Value.String())
				}
			}
			for _, e := range s.Events {
				b.WriteString(" @" + e.Name)
			}
			b.WriteString("\n")
			add([8]byte(s.SpanContext.SpanID()), depth+1)
		}
	}
	add([8]byte{}, 0)
	return b.String()
}

// read reads the metrics like Prometheus: samples by name and labels.
func read(t *testing.T, from http.Handler) map[string]float64 {
	t.Helper()
	w := httptest.NewRecorder()
	from.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil))
	require.Equal(t, http.StatusOK, w.Code)
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(w.Body)
	require.NoError(t, err)
	all := make(map[string]float64)
	for name, family := range families {
		for _, m := range family.GetMetric() {
			var labels []string
			for _, l := range m.GetLabel() {
				if l.GetName() != "gen_ai_agent_name" {
					labels = append(labels, l.GetName()+"="+l.GetValue())
				}
			}
			key := strings.TrimSpace(name + " " + strings.Join(labels, " "))
			switch {
			case m.Counter != nil:
				all[key] = m.Counter.GetValue()
			case m.Gauge != nil:
				all[key] = m.Gauge.GetValue()
			case m.Histogram != nil:
				all[key] = float64(m.Histogram.GetSampleCount())
			}
		}
	}
	return all
}

const parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

// talk is a turn with a tool call that needs permission. > is the client, < the agent.
const talk = `
> {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1,"clientInfo":{"name":"zed","version":"1"}}}
< {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1}}
> {"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/secret","mcpServers":[]}}
< {"jsonrpc":"2.0","id":1,"result":{"sessionId":"s1"}}
> {"jsonrpc":"2.0","id":2,"method":"session/prompt","params":{"sessionId":"s1","prompt":[{"type":"text","text":"secret"}],"_meta":{"traceparent":"` + parent + `","x":1}}}
< {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"secret"}}}}
< {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"tool_call","toolCallId":"c1","kind":"edit","title":"secret"}}}
< {"jsonrpc":"2.0","id":9,"method":"session/request_permission","params":{"sessionId":"s1","toolCall":{"toolCallId":"c1"},"options":[{"optionId":"o","kind":"allow_once","name":"Yes"}]}}
> {"jsonrpc":"2.0","id":9,"result":{"outcome":{"outcome":"selected","optionId":"o"}}}
< {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"tool_call_update","toolCallId":"c1","status":"completed"}}}
< {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"tool_call","toolCallId":"c2","kind":"made up"}}}
> {"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s1"}}
< {"jsonrpc":"2.0","id":2,"result":{"stopReason":"cancelled","usage":{"inputTokens":30,"outputTokens":4}}}
> {"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{"sessionId":"s1","prompt":[]}}
< {"jsonrpc":"2.0","id":3,"error":{"code":-32603,"message":"secret"}}
`

// nobody is a view and a source that do nothing.
type nobody struct{}

func (nobody) Chunks(*core.Frame, []byte, []int) error  { return nil }
func (nobody) Update(string, v1.Update, v1.Times) error { return nil }
func (nobody) Relay(core.Notification) error            { return nil }
func (nobody) Send(core.Notification)                   {}
func (nobody) Request(*core.Request) error              { return nil }
func (nobody) Withdraw(*core.Request)                   {}
func (nobody) Forget(*core.Request)                     {}
func (nobody) AwaitRoom()                               {}
func (nobody) Flush()                                   {}
func (nobody) Call(*core.Call)                          {}
func (nobody) Notify(string, []byte)                    {}
func (nobody) Keep()                                    {}
func (nobody) Stop([]*core.Call)                        {}
func (nobody) Close(context.Context)                    {}

// A player plays both sides of a watcher.
type player struct {
	view     core.View
	source   core.Source
	calls    map[string]*core.Call
	requests map[string]*core.Request
}

func newPlayer(w *Watcher) *player {
	p := &player{calls: make(map[string]*core.Call), requests: make(map[string]*core.Request)}
	p.source = w.Around(nobody{}, func(v core.View) core.Source {
		p.view = v
		return nobody{}
	})
	return p
}

// say plays a message. It returns the params if the watcher changed them.
func (p *player) say(fromClient bool, line []byte) (changed []byte) {
	var m struct {
		ID                    json.RawMessage
		Method                string
		Params, Result, Error json.RawMessage
	}
	if json.Unmarshal(line, &m) != nil {
		return nil
	}
	id, now := string(m.ID), m.Params
	switch {
	case fromClient && m.Method == "":
		if a := p.requests[id]; a != nil {
			a.Answered(core.Answer{Result: m.Result, Failure: m.Error})
		}
	case fromClient && m.ID == nil:
		p.source.Notify(m.Method, m.Params)
	case fromClient:
		c := core.NewCall(m.Method, m.Params, func(*core.Call, []byte, error) {})
		p.calls[id] = c
		p.source.Call(c)
		now = c.Params
	case m.Method == "":
		if c := p.calls[id]; c != nil && m.Error != nil {
			c.Fail(&core.AgentError{JSON: m.Error})
		} else if c != nil {
			c.ReplyJSON(m.Result)
		}
	case m.ID == nil:
		update, from, to := rawmsg.Member(line[bytes.IndexByte(line, '{'):], "params")
		if body, at, end := rawmsg.Member(object(update), "update"); object(body) != nil {
			from, to = from+at, from+end
		}
		_ = p.view.Relay(core.Notification{Line: line, Session: text(m.Params, "sessionId"), From: from, To: to})
	default:
		a := &core.Request{Session: text(m.Params, "sessionId"), Method: m.Method, Params: m.Params, Answered: func(core.Answer) {}}
		p.requests[id] = a
		_ = p.view.Request(a)
		now = a.Params
	}
	if bytes.Equal(now, m.Params) {
		return nil
	}
	return now
}

// play plays each message of the script to w. It returns the params that w changed.
func play(t *testing.T, w *Watcher, script string) (changed []string) {
	t.Helper()
	p := newPlayer(w)
	for line := range strings.SplitSeq(strings.TrimSpace(script), "\n") {
		if now := p.say(line[0] == '>', []byte(line[2:])); now != nil {
			require.True(t, json.Valid(now))
			changed = append(changed, string(now))
		}
	}
	return changed
}

func TestATurnIsATrace(t *testing.T) {
	all, spans := measured(t)
	w := all.Watch("ethos")
	changed := play(t, w, talk)
	w.End()
	require.Equal(t, `invoke_agent ethos gen_ai.agent.name=ethos gen_ai.conversation.id=s1 gen_ai.operation.name=invoke_agent gen_ai.usage.input_tokens=30 gen_ai.usage.output_tokens=4 gen_ai.response.finish_reasons=["cancelled"] @first_text @cancel
  execute_tool edit gen_ai.agent.name=ethos gen_ai.operation.name=execute_tool gen_ai.tool.call.id=c1 turnwire.tool.kind=edit turnwire.tool.status=completed
    confirm gen_ai.agent.name=ethos turnwire.method=session/request_permission turnwire.confirmation.outcome=allow_once
  execute_tool _OTHER gen_ai.agent.name=ethos gen_ai.operation.name=execute_tool gen_ai.tool.call.id=c2 turnwire.tool.kind=_OTHER turnwire.tool.status=unfinished
invoke_agent ethos gen_ai.agent.name=ethos gen_ai.conversation.id=s1 gen_ai.operation.name=invoke_agent gen_ai.response.finish_reasons=["error"]
connection gen_ai.agent.name=ethos turnwire.client.name=zed turnwire.client.version=1
  session gen_ai.agent.name=ethos gen_ai.conversation.id=s1
`, tree(spans.GetSpans()))
	require.NotContains(t, tree(spans.GetSpans()), "secret")

	turn := byName(t, spans, "invoke_agent ethos")
	require.Equal(t, "0af7651916cd43dd8448eb211c80319c", turn.SpanContext.TraceID().String(), "it is a part of the client's trace")
	require.Equal(t, "b7ad6b7169203331", turn.Parent.SpanID().String())
	require.Equal(t, byName(t, spans, "session").SpanContext.SpanID(), turn.Links[0].SpanContext.SpanID())
	require.Len(t, changed, 3, "two prompts and a question name their spans, and nothing else is changed")
	require.Contains(t, changed[0], fmt.Sprintf(`"_meta":{"traceparent":"00-0af7651916cd43dd8448eb211c80319c-%s-01","x":1}`, turn.SpanContext.SpanID()))
	require.Contains(t, changed[1], fmt.Sprintf(`"_meta":{"traceparent":"00-0af7651916cd43dd8448eb211c80319c-%s-01"}`, byName(t, spans, "confirm").SpanContext.SpanID()))
}

func byName(t *testing.T, spans *tracetest.InMemoryExporter, name string) *tracetest.SpanStub {
	t.Helper()
	for _, s := range spans.GetSpans() {
		if s.Name == name {
			return &s
		}
	}
	require.Fail(t, "there is no span "+name)
	return nil
}

func TestTheMetricsOfATurn(t *testing.T) {
	all, _ := measured(t)
	disconnected := all.Connected("ethos", "stdio", "")
	w := all.Watch("ethos")
	play(t, w, talk)
	got := read(t, all)
	for name, want := range map[string]float64{
		"turnwire_connections turnwire_transport=stdio":                                         1,
		"turnwire_sessions":                                                                     1,
		"turnwire_turns_running":                                                                0,
		"turnwire_confirmations_waiting":                                                        0,
		"turnwire_updates_total":                                                                4,
		"turnwire_turn_duration_seconds turnwire_stop_reason=cancelled":                         1,
		"turnwire_turn_duration_seconds turnwire_stop_reason=error":                             1,
		"turnwire_turn_time_to_first_text_seconds":                                              1,
		"turnwire_tool_duration_seconds turnwire_tool_kind=edit turnwire_tool_status=completed": 1,
		"turnwire_confirmation_duration_seconds turnwire_confirmation_outcome=allow_once":       1,
		"turnwire_errors_total error_type=-32603 turnwire_method=session/prompt":                1,
		"gen_ai_client_token_usage gen_ai_operation_name=invoke_agent gen_ai_token_type=input":  1,
	} {
		require.Contains(t, got, name)
		require.InDelta(t, want, got[name], 0, name)
	}
	w.End()
	disconnected()
	got = read(t, all)
	require.Zero(t, got["turnwire_sessions"])
	require.Zero(t, got["turnwire_connections turnwire_transport=stdio"])
}

func TestOpenSpansEndWithTheConnection(t *testing.T) {
	all, spans := measured(t)
	w := all.Watch("a")
	play(t, w, strings.Join(strings.SplitAfter(talk, "\n")[:9], ""))
	w.End()
	w.End()
	require.Contains(t, tree(spans.GetSpans()), "confirm gen_ai.agent.name=a turnwire.method=session/request_permission turnwire.confirmation.outcome=connection_closed")
	got := read(t, all)
	require.Zero(t, got["turnwire_turns_running"])
	require.Zero(t, got["turnwire_confirmations_waiting"])
	require.Empty(t, play(t, w, talk), "what comes too late passes")
}

func TestWithoutTracesNoMessageIsChanged(t *testing.T) {
	all, _ := measured(t)
	all.traces = false
	require.Empty(t, play(t, all.Watch("a"), talk))
}

func TestAReplayedHistoryIsNotATurn(t *testing.T) {
	all, spans := measured(t)
	w := all.Watch("a")
	play(t, w, `
> {"jsonrpc":"2.0","id":1,"method":"session/load","params":{"sessionId":"s1"}}
< {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"tool_call","toolCallId":"c1","kind":"edit"}}}
< {"jsonrpc":"2.0","id":1,"result":{}}
> {"jsonrpc":"2.0","id":2,"method":"session/close","params":{"sessionId":"s1"}}
< {"jsonrpc":"2.0","id":2,"result":{}}
`)
	require.Len(t, spans.GetSpans(), 1)
	require.Equal(t, "session", spans.GetSpans()[0].Name)
	w.End()
}

// The bytes between a client and an agent are counted, and arrive unchanged.
func TestBytesAreCounted(t *testing.T) {
	all, _ := measured(t)
	var out bytes.Buffer
	in, to := all.Count("a", iotest.HalfReader(strings.NewReader(talk)), writeCloser{&out})
	got, err := io.ReadAll(in)
	require.NoError(t, err)
	require.Equal(t, talk, string(got))
	_, err = io.WriteString(to, "x\n")
	require.NoError(t, err)
	require.Equal(t, "x\n", out.String())
	counted := read(t, all)
	require.InDelta(t, len(talk), counted["turnwire_io_bytes_total turnwire_io_direction=to_agent"], 0)
	require.InDelta(t, 2, counted["turnwire_io_bytes_total turnwire_io_direction=to_client"], 0)
}

type writeCloser struct{ io.Writer }

func (writeCloser) Close() error { return nil }

func TestPeersCannotCreateUnlimitedMetrics(t *testing.T) {
	all, _ := measured(t)
	w := all.Watch("a")
	defer w.End()
	p := newPlayer(w)
	for i := range maxAsked + 10 {
		p.say(true, fmt.Appendf(nil, `{"id":%d,"method":"m%d"}`, i, i))
		p.say(false, fmt.Appendf(nil, `{"id":"q%d","method":"session/request_permission","params":{"sessionId":"s"}}`, i))
	}
	require.Len(t, w.asking, maxAsked)
	for i := range 100 {
		p.say(false, fmt.Appendf(nil, `{"id":%d,"error":{"code":-%d}}`, i, 1_000_000+i))
	}
	require.InDelta(t, 100, read(t, all)["turnwire_errors_total error_type=_OTHER turnwire_method=_OTHER"], 0)
}

func FuzzAnyMessagePasses(f *testing.F) {
	for line := range strings.SplitSeq(strings.TrimSpace(talk), "\n") {
		f.Add([]byte(line[2:]))
	}
	f.Add([]byte(`{"id":1,"method":"session/prompt","params":{"sessionId":"s","_meta":null,"_meta":[]}}`))
	all, err := Open(Options{Getenv: func(string) string { return "" }, Scrape: true, Log: slog.New(slog.DiscardHandler)})
	require.NoError(f, err)
	all.tracer, all.traces = sdktrace.NewTracerProvider().Tracer(scope), true
	f.Fuzz(func(t *testing.T, line []byte) {
		w := all.Watch("a")
		defer w.End()
		p := newPlayer(w)
		for range 2 {
			for _, fromClient := range []bool{true, false} {
				if now := p.say(fromClient, bytes.Clone(line)); now != nil {
					require.True(t, json.Valid(now), "%s", now)
				}
			}
		}
	})
}

func BenchmarkAPieceOfText(b *testing.B) {
	all, err := Open(Options{Getenv: func(string) string { return "" }, Scrape: true, Log: slog.New(slog.DiscardHandler)})
	require.NoError(b, err)
	p := newPlayer(all.Watch("a"))
	p.say(true, []byte(`{"id":2,"method":"session/prompt","params":{"sessionId":"s1","prompt":[]}}`))
	frame, text := &core.Frame{Session: "s1", Kind: v1.AgentMessage}, []byte("some words of an answer ")
	for b.Loop() {
		_ = p.view.Chunks(frame, text, nil)
	}
}

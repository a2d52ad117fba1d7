//go:build unix

package e2e

import (
	"context"
	"encoding/hex"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// A collector stores the spans that it receives, and the paths of its requests.
type collector struct {
	*httptest.Server

	mu    sync.Mutex
	spans map[string]*tracepb.Span // by name
	paths map[string]bool
}

func startCollector(t *testing.T) *collector {
	t.Helper()
	c := &collector{spans: make(map[string]*tracepb.Span), paths: make(map[string]bool)}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		c.mu.Lock()
		defer c.mu.Unlock()
		c.paths[r.URL.Path] = true
		if r.URL.Path != "/v1/traces" {
			return
		}
		var all tracepb.TracesData
		if err != nil || proto.Unmarshal(body, &all) != nil {
			http.Error(w, "nonsense", http.StatusBadRequest)
			return
		}
		for _, s := range all.GetResourceSpans()[0].GetScopeSpans()[0].GetSpans() {
			c.spans[s.GetName()] = s
		}
	}))
	t.Cleanup(c.Close)
	return c
}

// tracer is an agent that answers with the trace of its turn.
const tracer = `while read -r line; do case $line in *'"type":"prompt"'*)
	trace=$(printf %s "$line" | sed 's/.*"traceparent":"\([^"]*\)".*/\1/')
	printf '{"type":"text_delta","text":"%s"}\n{"type":"done"}\n' "$trace";;
esac; done`

const clientTrace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

// The editor's trace continues in Turnwire and in the agent, and the measurements
// are sent before the exit.
func TestATraceGoesFromTheEditorToTheAgent(t *testing.T) {
	t.Parallel()
	c := startCollector(t)
	e := launch(t, options{
		args: []string{"acp", "--no-journal", "--", "sh", "-c", tracer},
		env:  []string{"OTEL_EXPORTER_OTLP_ENDPOINT=" + c.URL},
	})
	session := e.open(t.TempDir())
	e.answer(e.request("session/prompt", map[string]any{
		"sessionId": session, "prompt": []any{map[string]string{"type": "text", "text": "hello"}},
		"_meta": map[string]string{"traceparent": clientTrace},
	}))
	require.NoError(t, e.stdin.Close())
	e.end()
	for name := range c.spans {
		if strings.HasPrefix(name, "invoke_agent ") {
			turn := c.spans[name]
			require.Equal(t, "0af7651916cd43dd8448eb211c80319c", hex.EncodeToString(turn.GetTraceId()))
			require.Equal(t, "b7ad6b7169203331", hex.EncodeToString(turn.GetParentSpanId()))
			e.wait("its own trace in the agent's answer", func(m message) bool {
				return strings.Contains(m.line, "00-0af7651916cd43dd8448eb211c80319c-"+hex.EncodeToString(turn.GetSpanId())+"-01")
			})
		}
	}
	require.Contains(t, c.spans, "session")
	require.Contains(t, c.spans, "connection")
	require.Contains(t, c.spans, "client")
	require.Len(t, c.spans, 4)
	require.True(t, c.paths["/v1/metrics"])
}

// Without a collector, an agent still gets the editor's trace.
func TestTheEditorsTraceReachesTheAgentAsItIs(t *testing.T) {
	t.Parallel()
	e := launch(t, options{args: []string{"acp", "--no-journal", "--", "sh", "-c", tracer}})
	session := e.open(t.TempDir())
	for _, trace := range []string{clientTrace, "a\r\nX-Evil: 1"} {
		e.answer(e.request("session/prompt", map[string]any{
			"sessionId": session, "prompt": []any{map[string]string{"type": "text", "text": "hello"}},
			"_meta": map[string]string{"traceparent": trace},
		}))
	}
	e.wait("the trace", func(m message) bool { return strings.Contains(m.line, `"text":"`+clientTrace+`"`) })
	for _, m := range e.messages {
		require.NotContains(t, m.line, "X-Evil")
	}
}

func TestInvalidVariablesAreReportedAtOnce(t *testing.T) {
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://localhost:4317")
	t.Setenv("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")
	got := turnwire(t, "", "acp")
	require.Equal(t, 2, got.code)
	require.Contains(t, got.stderr, "OTEL_EXPORTER_OTLP_PROTOCOL=grpc: only http/protobuf is supported")
}

// A server reports its state: its health to everybody, its metrics to those who may
// connect.
func TestAServerReportsHealthAndMetrics(t *testing.T) {
	t.Parallel()
	socket := filepath.Join(t.TempDir(), "s")
	s := serve(t, socket)
	web := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", socket)
	}}}
	defer web.CloseIdleConnections()
	require.Equal(t, "ok\n", get(t, web, "http://localhost/healthz", http.StatusOK))
	require.Equal(t, "ok\n", get(t, web, "http://localhost/readyz", http.StatusOK))
	e := s.attach()
	session := e.session(t.TempDir())
	e.answer(e.prompt(session, "/say hello"))
	metrics := get(t, web, "http://localhost/metrics", http.StatusOK)
	for _, line := range []string{
		`turnwire_sessions{gen_ai_agent_name="workspace"} 1`,
		`turnwire_connections{gen_ai_agent_name="workspace",turnwire_transport="websocket"} 1`,
		`turnwire_turn_duration_seconds_count{gen_ai_agent_name="workspace",turnwire_stop_reason="end_turn"} 1`,
		`turnwire_turn_time_to_first_text_seconds_count{gen_ai_agent_name="workspace"} 1`,
	} {
		require.Contains(t, metrics, line+"\n")
	}
	require.NotContains(t, metrics, session)
	require.Equal(t, 0, turnwire(t, "", "stop", "--socket", socket).code)
	s.ended()
}

func TestProbesNeedNoTokenButMetricsDo(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	made := turnwire(t, "", "token", "create", "prometheus")
	require.Equal(t, 0, made.code, made.stderr)
	_, urls := serveAt(t, "--auth", "token")
	base := "http://" + strings.TrimSuffix(strings.TrimPrefix(urls[0], "ws://"), "/acp")
	web := new(http.Client)
	defer web.CloseIdleConnections()
	get(t, web, base+"/healthz", http.StatusOK)
	get(t, web, base+"/metrics", http.StatusUnauthorized)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, base+"/metrics", nil)
	require.NoError(t, err)
	r.Header.Set("Authorization", "Bearer "+strings.TrimSpace(made.stdout))
	answer, err := web.Do(r)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, answer.StatusCode)
	require.NoError(t, answer.Body.Close())
}

// get returns the body of a response with that status.
func get(t *testing.T, web *http.Client, url string, status int) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	require.NoError(t, err)
	answer, err := web.Do(r)
	require.NoError(t, err)
	defer func() { _ = answer.Body.Close() }()
	body, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	require.Equal(t, status, answer.StatusCode, "%s", body)
	return string(body)
}

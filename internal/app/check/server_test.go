package check_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/agui"
	"github.com/turnwire/turnwire/internal/agent/dialects"
	"github.com/turnwire/turnwire/internal/agent/stream/lint"
	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
	"github.com/turnwire/turnwire/internal/app/check"
	"github.com/turnwire/turnwire/internal/test/limits"
)

// checked checks an AG-UI server that answers each prompt with the same events. It returns
// the findings' rules.
func checked(t *testing.T, answer http.HandlerFunc) (rules []string, lines int) {
	t.Helper()
	s := httptest.NewServer(answer)
	defer s.Close()
	raw := new(check.Wire)
	a := agui.New(agui.Config{Remote: httpsse.Config{BaseURL: s.URL}, Tap: raw.Tap})
	native, _ := dialects.Named("native")
	spoken, _ := dialects.Named("agui")
	lines, err := check.Server(t.Context(), a, raw, check.Options{
		Language: check.Language{Dialect: spoken, Others: []dialect.Dialect{native}, Native: func(name string) bool { return name == "native" }},
		Timeout:  limits.Patience, Prompt: "hi", Dir: t.TempDir(),
		Tell: func(f lint.Finding) { rules = append(rules, f.Rule) },
	})
	require.NoError(t, err)
	return rules, lines
}

func streamed(events ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, e := range events {
			_, _ = io.WriteString(w, "data: "+e+"\n\n")
		}
	}
}

const (
	runStarted  = `{"type":"RUN_STARTED","threadId":"t","runId":"r"}`
	runFinished = `{"type":"RUN_FINISHED","threadId":"t","runId":"r"}`
	runText     = `{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"hello"}`
)

func TestAServerIsChecked(t *testing.T) {
	rules, lines := checked(t, streamed(runStarted, runText, runFinished))
	require.NotContains(t, rules, "server-failed")
	require.GreaterOrEqual(t, lines, 6)
	for _, rule := range rules {
		require.Equal(t, "unchecked", rule)
	}
	rules, _ = checked(t, streamed(runStarted, `{"type":"TEXT_MESAGE_CHUNK"}`, `{"type":"TEXT_MESSAGE_CHUNK","messageId":7,"delta":"x"}`, runText, runFinished))
	require.Contains(t, rules, "unknown-event")
	require.Contains(t, rules, "malformed-event")
	rules, _ = checked(t, http.NotFound)
	require.Equal(t, []string{"server-failed"}, rules)
	rules, _ = checked(t, streamed(runStarted, runText))
	require.Equal(t, []string{"server-failed"}, rules)
}

func TestASilentServerIsFound(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	}))
	defer s.Close()
	raw := new(check.Wire)
	native, _ := dialects.Named("native")
	spoken, _ := dialects.Named("agui")
	var rules []string
	_, err := check.Server(t.Context(), agui.New(agui.Config{Remote: httpsse.Config{BaseURL: s.URL}, Tap: raw.Tap}), raw, check.Options{
		Language: check.Language{Dialect: spoken, Others: []dialect.Dialect{native}, Native: func(name string) bool { return name == "native" }},
		Timeout:  time.Millisecond, Prompt: "hi", Dir: t.TempDir(), Tell: func(f lint.Finding) { rules = append(rules, f.Rule) },
	})
	require.NoError(t, err)
	require.Equal(t, []string{"no-answer"}, rules)
}

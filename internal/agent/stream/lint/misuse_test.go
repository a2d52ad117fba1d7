package lint_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/agent/stream/lint"
)

func TestLinesOfOtherKindsOfProgramsAreRecognized(t *testing.T) {
	for in, want := range map[string]string{
		`{"type":"prompt","sessionId":"s","turnId":"t","text":"x"}`:                        "1:0 echo",
		`{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid request"}}`:  "1:0 speaks-acp",
		`{"type":"system","subtype":"init","session_id":"s","tools":[]}`:                   "1:0 stream-json",
		`{"type":"control_request","request_id":"r","request":{"subtype":"can_use_tool"}}`: "1:0 stream-json",
		`{"type":"result","subtype":"success","result":"x","session_id":"s"}`:              "1:0 stream-json",
		`{"type":"assistant","text":"a native author's mistake"}`:                          "1:9 unknown-event $.type",
		`{"id":1,"text":"no type"}`: "1:0 no-type",
	} {
		_, got := found(t, in+"\n")
		require.Equal(t, want, got[0], in)
	}
}

func TestLinesThatNoACPAgentPrintsAreCertain(t *testing.T) {
	for line, want := range map[string]struct {
		rule    string
		certain bool
	}{
		`{"type":"agent_info","name":"x"}`:                        {lint.NoACP, true},
		`{"type":"text_delta","text":"x"}`:                        {lint.NoACP, true},
		`{"type":"error","error":"unknown command"}`:              {lint.NoACP, false}, // also in logs
		`{"type":"done"}`:                                         {lint.NoACP, false},
		`{"type":"system","subtype":"init","session_id":"s"}`:     {lint.StreamJSON, true},
		`{"level":30,"msg":"started"}`:                            {},
		`{"type":"startup","msg":"started"}`:                      {},
		`{"jsonrpc":"2.0","method":"x","type":"text_delta"}`:      {},
		`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1}}`: {},
		`starting …`: {},
		``:           {},
		`{"type":`:   {},
	} {
		f, certain, ok := lint.NotACP([]byte(line))
		require.Equal(t, want.rule != "", ok, line)
		require.Equal(t, want.rule, f.Rule, line)
		require.Equal(t, want.certain, certain, line)
	}
}

func TestStderrExplainsTheSilence(t *testing.T) {
	for text, want := range map[string]string{
		"warming up\n{\"type\":\"text_delta\",\"text\":\"x\"}\n": lint.OnStderr,
		"Invalid message {\n  message: {\n    type: 'prompt',":   lint.SpeaksACP,
		"{\"type\":\"startup\"}\n":                               "",
		"downloading …":                                          "",
		"":                                                       "",
	} {
		f, ok := lint.Stderr(text)
		require.Equal(t, want != "", ok, text)
		require.Equal(t, want, f.Rule, text)
	}
}

func TestAdviceIsOneLine(t *testing.T) {
	f := lint.New(lint.StreamJSON, "this is stream-json")
	require.Equal(t, "this is stream-json; use --agent claude", f.Advice())
	f.Help = ""
	require.Equal(t, "this is stream-json", f.Advice())
}

func FuzzMisuse(f *testing.F) {
	for _, seed := range []string{
		`{"type":"text_delta"}`, `{"type":""}`, `{"jsonrpc":"2.0"}`, `{"type":"system","session_id":"\ud83d"}`, `{"type":"`, `{"type":"x","type":1}`, "Invalid message {", "\x00{}", `{"":""}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		before := string(in)
		finding, certain, ok := lint.NotACP(in)
		require.Equal(t, ok, finding.Rule != "")
		require.False(t, certain && !ok)
		finding, ok = lint.Stderr(before)
		require.Equal(t, ok, lint.IsMisuse(finding.Rule))
		require.Equal(t, before, string(in))
	})
}

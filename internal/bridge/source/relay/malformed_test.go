package relay_test

import (
	"bufio"
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/bridge/source/relay/quirks"
)

// answerAll answers each request that the editor gets: a permission request with the
// first option, a form with consent, and any other with an empty result.
func (s *stage) answerAll() {
	for {
		line, err := s.out.ReadString('\n')
		if err != nil {
			return
		}
		var m struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
			Params json.RawMessage `json:"params"`
		}
		if json.Unmarshal([]byte(line), &m) != nil || m.ID == nil || m.Method == "" {
			continue
		}
		result := "{}"
		switch m.Method {
		case "session/request_permission":
			result = `{"outcome":{"outcome":"selected","optionId":` + firstOption(m.Params) + `}}`
		case "elicitation/create":
			result = `{"action":"accept"}`
		}
		if _, err := s.in.Write([]byte(`{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":` + result + "}\n")); err != nil {
			return
		}
	}
}

func firstOption(params []byte) string {
	var p struct {
		Options []json.RawMessage `json:"options"`
	}
	var option struct {
		ID json.RawMessage `json:"optionId"`
	}
	if json.Unmarshal(params, &p) != nil || len(p.Options) == 0 || json.Unmarshal(p.Options[0], &option) != nil || option.ID == nil {
		return `""`
	}
	return string(option.ID)
}

// answers returns the answers to the request "a" that the agent reads before the answer
// to another request.
func answers(t *testing.T, heard *bufio.Reader) (all []string) {
	t.Helper()
	for {
		line, err := heard.ReadString('\n')
		require.NoError(t, err)
		switch idOf(t, line) {
		case `"a"`:
			all = append(all, line)
		case `"last"`:
			return all
		}
	}
}

const (
	allowed  = `"optionId":"yes"`
	refusal  = `"outcome":"cancelled"`
	offered  = `"options":[{"optionId":"yes","name":"Yes","kind":"allow_once"},{"optionId":"no","name":"No","kind":"reject_once"}]`
	glueAsks = `"toolCallId":"c","title":"bash","options":[{"optionId":"allow","label":"Allow"}]`
)

func TestEveryRequestIsAnsweredOnce(t *testing.T) {
	nested := strings.Repeat(`{"a":[`, 10_000) + strings.Repeat("]}", 10_000)
	for name, request := range map[string]struct {
		method, params string
		want, ofGlue   string // a part of the answer
	}{
		"a usual one":             {"session/request_permission", `{"sessionId":"S","toolCall":{"toolCallId":"c"},` + offered + `}`, allowed, allowed},
		"Glue's":                  {"session/request_permission", `{"sessionId":"S",` + glueAsks + `}`, `"optionId":"allow"`, `"optionId":"allow"`},
		"nested 20,000 deep":      {"session/request_permission", `{"sessionId":"S","toolCall":{"toolCallId":"c","rawInput":` + nested + `},` + offered + `}`, allowed, allowed},
		"wrong types":             {"session/request_permission", `{"sessionId":"S","toolCall":{"toolCallId":7,"title":[],"kind":{},"content":"x","locations":5,"rawInput":"y","_meta":1},` + offered + `}`, allowed, allowed},
		"an option that is none":  {"session/request_permission", `{"sessionId":"S","toolCall":{"toolCallId":"c"},"options":[{"optionId":"yes","kind":"allow_once"},7,null,[]]}`, allowed, allowed},
		"half of a character":     {"session/request_permission", `{"sessionId":"S","toolCall":{"toolCallId":"\ud800"},` + offered + `}`, allowed, allowed},
		"no call":                 {"session/request_permission", `{"sessionId":"S",` + offered + `}`, allowed, allowed},
		"a call that is none":     {"session/request_permission", `{"sessionId":"S","toolCall":[],"toolCallId":{},` + offered + `}`, allowed, allowed},
		"no options":              {"session/request_permission", `{"sessionId":"S","toolCall":{"toolCallId":"c"},"options":[]}`, refusal, refusal},
		"options of no list":      {"session/request_permission", `{"sessionId":"S","toolCall":{"toolCallId":"c"},"options":{}}`, refusal, refusal},
		"an option without id":    {"session/request_permission", `{"sessionId":"S","toolCall":{"toolCallId":"c"},"options":[{"name":"Yes","kind":"allow_once"}]}`, refusal, refusal},
		"one id for two":          {"session/request_permission", `{"sessionId":"S","options":[{"optionId":"yes","kind":"allow_once"},{"optionId":"yes","kind":"reject_once"}]}`, allowed, refusal},
		"an unknown kind":         {"session/request_permission", `{"sessionId":"S","options":[{"optionId":"yes","name":"Yes","kind":"perhaps"}]}`, allowed, refusal},
		"of an unknown session":   {"session/request_permission", `{"sessionId":"T",` + offered + `}`, allowed, allowed},
		"of a session of no name": {"session/request_permission", `{"sessionId":{},` + offered + `}`, allowed, allowed},
		"no params":               {"session/request_permission", `null`, refusal, refusal},
		"params of no object":     {"session/request_permission", `[7]`, refusal, refusal},
		"a form":                  {"elicitation/create", `{"sessionId":"S","message":"?"}`, `"accept"`, `"accept"`},
		"a malformed form":        {"elicitation/create", `[]`, `"accept"`, `"accept"`},
		"a file":                  {"fs/read_text_file", `{"sessionId":"S","path":7}`, `"result"`, `"result"`},
		"too long":                {"session/request_permission", `{"sessionId":"S","title":"` + strings.Repeat("x", 33<<20) + `",` + offered + `}`, "-32600", "-32600"},
	} {
		for table, want := range map[*quirks.Table]string{nil: request.want, quirks.Glue(): request.ofGlue} {
			synctest.Test(t, func(t *testing.T) {
				s := prompted(t, table)
				go s.answerAll()
				go func() {
					_, _ = s.agent.Write([]byte(`{"jsonrpc":"2.0","id":"a","method":"` + request.method + `","params":` + request.params + "}\n" +
						`{"jsonrpc":"2.0","id":"last","method":"_vendor/last"}` + "\n"))
				}()
				got := answers(t, s.heard)
				require.Len(t, got, 1, name)
				require.Contains(t, got[0], want, name)
			})
		}
	}
}

// prompted returns a stage in which a prompt is running. table may be nil.
func prompted(t *testing.T, table *quirks.Table) *stage {
	t.Helper()
	s := setUp(t, func(c *relayConfig) {
		if table != nil {
			table.Folders = false
			c.Agent.Quirks = table
		}
	})
	s.greet()
	s.write(s.in, `{"jsonrpc":"2.0","id":2,"method":"session/prompt","params":{"sessionId":"S","prompt":[]}}`+"\n")
	s.read(s.heard, "session/prompt")
	return s
}

// Neither a request made after a cancel nor an answer given after it permits anything.
func TestNothingIsPermittedAfterACancel(t *testing.T) {
	for name, request := range map[string]struct {
		line, answer, refusal string
	}{
		"a permission": {`"method":"session/request_permission","params":{"sessionId":"S",` + glueAsks + `}`, `{"outcome":{"outcome":"selected","optionId":"allow"}}`, refusal},
		"a form":       {`"method":"elicitation/create","params":{"sessionId":"S","message":"?"}`, `{"action":"accept"}`, `"action":"cancel"`},
	} {
		for _, table := range []*quirks.Table{nil, quirks.Glue()} {
			synctest.Test(t, func(t *testing.T) {
				s := prompted(t, table)
				s.write(s.agent, `{"jsonrpc":"2.0","id":"a",`+request.line+"}\n")
				id := idOf(t, s.read(s.out, name))
				s.write(s.in, `{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"S"}}`+"\n")
				require.Contains(t, s.read(s.heard, name), request.refusal)
				require.Contains(t, s.read(s.heard, name), "session/cancel")
				require.Contains(t, s.read(s.out, name), "$/cancel_request")
				s.write(s.in, `{"jsonrpc":"2.0","id":`+id+`,"result":`+request.answer+"}\n")
				s.write(s.agent, `{"jsonrpc":"2.0","id":"b",`+request.line+"}\n")
				refused := s.read(s.heard, name)
				require.Equal(t, `"b"`, idOf(t, refused))
				require.Contains(t, refused, request.refusal)
			})
		}
	}
}

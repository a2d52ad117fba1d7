package wire_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/ethos/wire"
)

// envelopes are different encodings of a notification of `ethos acp`.
var envelopes = []string{
	`{"jsonrpc":"2.0","method":"$/stream","params":{"requestId":5,"event":%s}}`,
	`{"params":{"event":%s,"requestId":5},"method":"$/stream","jsonrpc":"2.0"}`,
	` { "jsonrpc" : "2.0" , "method" : "$\/stream" , "params" : { "requestId" : 5 , "event" : %s } } `,
	`{"seq":7,"jsonrpc":"2.0","method":"$/stream","params":{"x":{"event":{}},"requestId":5,"event":%s,"ts":1},"id2":null}`,
	`{"method":"$/stream","params":{"event":null},"params":{"event":%s}}`,
}

func TestAnEventIsTheSameInEveryEnvelope(t *testing.T) {
	for _, event := range []string{
		`{"type":"text_delta","text":"a \" \u00e4"}`,
		`{"text":"a","type":"text_delta","messageId":"m"}`,
		`{"type":"text_delta","text":"a","seq":7}`,
		`{"type":"text_delta","text":""}`,
		`{"type":"thinking_delta","thinking":"a"}`,
		`{"type":"tool_start","toolCallId":"c","toolName":"read_file","args":{"path":"a"}}`,
		`{"type":"tool_progress","toolName":"_budget","message":"⚠ m","audience":"user"}`,
		`{"type":"tool_output","toolCallId":"c","text":"x"}`,
		`{"type":"tool_end","toolCallId":"c","toolName":"x","ok":false,"durationMs":1,"result":"no","error":"no","seq":8}`,
		`{"type":"usage","inputTokens":1,"outputTokens":2}`,
		`{"type":"sparkle","method":"$/stream","n":1}`,
		`{"type":"tool.approval_required","request":{"approvalId":"a","toolCallId":"c","args":{"a":1}}}`,
	} {
		want := decoded(t, event)
		require.Len(t, want, 1)
		mixed := wire.Dialect.NewDecoder()
		for _, envelope := range envelopes {
			line := fmt.Sprintf(envelope, event)
			require.Equal(t, want, decoded(t, line), "%s", line)
			d := wire.Dialect.NewDecoder()
			for range 3 {
				got, errs := decode(d, line)
				require.Empty(t, errs)
				require.Equal(t, want, got, "after a line like it: %s", line)
			}
			got, _ := decode(mixed, line, event)
			require.Equal(t, append(want, want...), got, "after lines in other envelopes: %s", line)
		}
	}
}

func TestPushesMayHaveMembersInAnyOrderAndUnknownOnes(t *testing.T) {
	for _, members := range [][]string{
		{`"type":"tool.approval_required"`, `"request":{"args":{"path":"a"},"toolName":"read_file","approvalId":"a","sessionId":null,"x":1}`},
		{`"type":"approval.resolved"`, `"approvalId":"a"`, `"decision":"allow"`, `"decidedBy":"web"`},
		{`"type":"clarify.request"`, `"requestId":"q"`, `"question":"?"`, `"options":["a",7,"b",""]`, `"default":"a"`},
		{`"type":"clarify.resolved"`, `"requestId":"q"`, `"source":"user"`},
		{`"type":"evolve.skill_pending"`, `"skillId":"s"`},
		{`"type":"notification"`, `"message":"m"`, `"source":"p"`},
		{`"type":"protocol.upgrade_required"`, `"serverVersion":"2"`, `"clientVersionExpected":"3"`},
	} {
		want := decoded(t, "{"+strings.Join(members, ",")+"}")
		require.Len(t, want, 1)
		for range members {
			members = append(members[1:len(members):len(members)], members[0])
			require.Equal(t, want, decoded(t, `{"seq":7,`+strings.Join(members, ", ")+`,"more":{"type":"done"}}`))
		}
	}
}

func TestPiecesOfAnotherPromptBeginATurn(t *testing.T) {
	event := func(id, members string) string {
		return `{"jsonrpc":"2.0","method":"$/stream","params":{"requestId":` + id + `,"event":{` + members + `}}}`
	}
	require.Equal(t, []string{
		`{"type":"error","error":"x"}`,
		`{"type":"text_delta","text":"a"}`,
		`{"type":"text_delta","text":"b"}`,
		`{"type":"done","text":"b","turnCount":1}`,
	}, decoded(t,
		event("1", `"type":"error","error":"x"`),
		event(`"two"`, `"type":"text_delta","text":"a"`),
		event(`"two"`, `"type":"text_delta","text":"b"`),
		`{"jsonrpc":"2.0","id":1,"result":{"text":"","turnCount":0}}`,
		`{"jsonrpc":"2.0","id":"two","result":{"text":"b","turnCount":1}}`,
	))
}

func TestAnswersAreKnownByTheirMembers(t *testing.T) {
	for line, want := range map[string]string{
		`{"id":3,"result":{"text":"a","turnCount":1}}`:                         `{"type":"done","text":"a","turnCount":1}`,
		`{"result":{"turnCount":1,"text":"a","x":1},"jsonrpc":"2.0","id":"3"}`: `{"type":"done","text":"a","turnCount":1}`,
		`{"id":3,"result":null,"error":{"code":7,"message":""}}`:               `{"type":"error","error":"Ethos responded with error 7","code":"7"}`,
		`{"jsonrpc":"2.0","id":null,"error":{"code":7,"message":"m"}}`:         `{"type":"error","error":"m","code":"7"}`,
		`{"id":3,"error":null,"result":{"text":"a","turnCount":1}}`:            `{"type":"done","text":"a","turnCount":1}`,
		`{"id":3,"method":"error","params":{}}`:                                `{"type":"telemetry","name":"error","data":{"id":3,"method":"error","params":{}}}`,
	} {
		require.Equal(t, []string{want}, decoded(t, line), "%s", line)
	}
	for _, line := range []string{`{"error":{"code":7}}`, `{"result":{"text":"a","turnCount":1}}`, `{"jsonrpc":"2.0","id":1,"error":null}`} {
		events, errs := decode(wire.Dialect.NewDecoder(), line)
		require.Empty(t, events)
		require.Len(t, errs, 1, "%s", line)
	}
	require.Empty(t, decoded(t, `{"id":3,"result":{"text":"a","turnCount":"one"}}`), "an answer to another request")
}

func TestNoEventFollowsAfterTheReceiverStops(t *testing.T) {
	stream := `{"method":"$/stream","params":{"requestId":%d,"event":%s}}`
	for last, before := range map[string]string{
		fmt.Sprintf(stream, 2, `{"type":"run_start"}`):                             fmt.Sprintf(stream, 1, `{"type":"run_start"}`),
		`{"type":"tool_end","toolCallId":"t","ok":true,"result":"{\"id\":\"1\"}"}`: `{"type":"tool_start","toolCallId":"t","toolName":"todo_add","args":{"content":"c"}}`,
	} {
		for _, most := range []int{1, 2} {
			d := wire.Dialect.NewDecoder()
			_, errs := decode(d, before)
			require.Empty(t, errs)
			count := 0
			require.NoError(t, d.Decode([]byte(last), func(agent.Event) bool {
				count++
				return count < most
			}))
			require.Equal(t, most, count, "%s", last)
		}
	}
}

package bridge_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

// whole are requests with every member that is read.
var whole = map[string]string{
	"initialize": `{"protocolVersion":1,"clientInfo":{"name":"e","title":"E","version":"1"},"clientCapabilities":{
		"fs":{"readTextFile":true,"writeTextFile":true},"terminal":true,"auth":{"terminal":true},
		"session":{"notices":{},"compaction":{},"configOptions":{"boolean":{}}},"elicitation":{"form":{},"url":{}}}}`,
	"session/new": `{"cwd":"/project","additionalDirectories":["/more"],"mcpServers":[{"name":"m"}]}`,
	"session/prompt": `{"sessionId":"S1","prompt":[{"type":"text","text":"a"},
		{"type":"resource_link","uri":"file:///a","name":"a","title":"b","description":"c","mimeType":"d","size":7},
		{"type":"resource","resource":{"uri":"file:///a","mimeType":"b","text":"c"}}]}`,
	"session/close":             `{"sessionId":"S1"}`,
	"session/set_mode":          `{"sessionId":"S1","modeId":"do"}`,
	"session/set_config_option": `{"sessionId":"S1","configId":"loud","type":"boolean","value":true}`,
}

// One value of the wrong type anywhere in the params results in -32602, and has no
// other effect.
func TestOneWrongValueIsInvalidParams(t *testing.T) {
	for method, params := range whole {
		t.Run(method, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e := connect(t, newPuppet())
				if method != "initialize" {
					e.initialize(`{}`)
					e.request("1", "session/new", `{"cwd":"/project"}`)
					e.expect(`{"id":1,"result":{"sessionId":"S1"}}`)
				}
				var value any
				require.NoError(t, json.Unmarshal([]byte(params), &value))
				n := 0
				for text := range mutations(value) {
					id := fmt.Sprintf(`"%d"`, n)
					e.request(id, method, text)
					e.expectLike(`"id":`+id, `-32602`)
					n++
				}
				require.Greater(t, n, 3)
				for _, text := range []string{`7`, `"x"`, `true`, `[7]`} {
					e.request(`"p"`, method, text)
					e.expectLike(`"id":"p"`, "-32602")
				}
			})
		})
	}
}

func TestMissingRequiredParamsAreErrors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, _ := open(t, newPuppet(), `{}`)
		for i, c := range []struct{ method, params string }{
			{"session/new", `{}`},
			{"session/new", `[]`},
			{"session/new", `null`},
			{"session/new", `{"cwd":null}`},
			{"session/new", `{"cwd":""}`},
			{"session/new", `{"cwd":"relative"}`},
			{"session/new", `{"cwd":"./x"}`},
			{"session/new", `{"cwd":"/project","additionalDirectories":["x"]}`},
			{"session/prompt", `{}`},
			{"session/prompt", `{"prompt":[]}`},
			{"session/prompt", `{"sessionId":null,"prompt":[]}`},
			{"session/prompt", `{"sessionId":"S1"}`},
			{"session/prompt", `{"sessionId":"S1","prompt":null}`},
			{"session/prompt", `{"sessionId":"S1","prompt":[null]}`},
			{"session/prompt", `{"sessionId":"S1","prompt":[{}]}`},
			{"session/close", `{}`},
			{"session/set_mode", `{}`},
			{"session/set_config_option", `{"sessionId":"S1"}`},
		} {
			e.request(strconv.Itoa(i), c.method, c.params)
			require.Contains(t, e.expectLike(fmt.Sprintf(`"id":%d`, i)), "-32602", "%s %s", c.method, c.params)
		}
	})
}

// mutations yields v as JSON, each time with one leaf of another type.
func mutations(v any) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		write := func() bool {
			text, err := json.Marshal(v)
			return err == nil && yield(string(text))
		}
		mutate(v, write)
	}
}

func mutate(v any, write func() bool) bool {
	try := func(set func(any), old any) bool {
		for _, wrong := range others(old) {
			set(wrong)
			if !write() {
				return false
			}
		}
		set(old)
		return mutate(old, write)
	}
	switch v := v.(type) {
	case map[string]any:
		keys := make([]string, 0, len(v))
		for key := range v {
			keys = append(keys, key)
		}
		slices.Sort(keys)
		for _, key := range keys {
			if !try(func(x any) { v[key] = x }, v[key]) {
				return false
			}
		}
	case []any:
		for i := range v {
			if !try(func(x any) { v[i] = x }, v[i]) {
				return false
			}
		}
	}
	return true
}

// others returns values of every type except v's.
func others(v any) []any {
	switch v.(type) {
	case string:
		return []any{7.5, true, map[string]any{"x": 1}, []any{1}}
	case float64:
		return []any{"x", true, map[string]any{"x": 1}, []any{1}, 1.5}
	case bool:
		return []any{"x", 7.5, map[string]any{"x": 1}, []any{1}}
	case map[string]any:
		return []any{"x", 7.5, true, []any{1}}
	}
	return []any{"x", 7.5, true, map[string]any{"x": 1}}
}

// encoding/json itself would accept them.
func TestMembersInAnotherCaseAreUnknown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPuppet()
		e := connect(t, p)
		e.request("0", "initialize", `{"ProtocolVersion":1}`)
		e.expectLike(`"id":0`, `-32602`)
		e.initialize(`{}`)
		e.request("1", "session/new", `{"CWD":"/project"}`)
		e.expectLike(`"id":1`, `-32602`, `cwd is missing`)
		e.request("2", "session/new", `{"cwd":"/project","Cwd":"/etc","AdditionalDirectories":["/etc"],"MCPSERVERS":[{"name":"m"}]}`)
		e.expect(`{"id":2,"result":{"sessionId":"S1"}}`)
		s := p.session(t)
		require.Equal(t, "/project", s.options.Cwd)
		require.Empty(t, s.options.Roots)
		require.Empty(t, s.options.MCPServers)
		e.request("3", "session/prompt", `{"SESSIONID":"S1","prompt":[{"type":"text","text":"a"}]}`)
		e.expectLike(`"id":3`, `-32602`)
		e.request("4", "session/prompt", `{"sessionId":"S1","prompt":[{"Type":"text","text":"a"}]}`)
		e.expectLike(`"id":4`, `-32602`)
		e.request("5", "session/prompt", `{"sessionId":"S1","prompt":[{"type":"text","text":"a","TEXT":"b"}]}`)
		s.expect(`{"type":"prompt","prompt":[{"type":"text","text":"a"}]}`)
	})
}

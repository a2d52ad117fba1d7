package toolcall_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/protocol/toolcall"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// mergeJSON merges objects as JSON.
func mergeJSON(objects ...string) string {
	var m toolcall.Members
	for _, o := range objects {
		m.Merge([]byte(o))
	}
	return string(m.AppendTo(nil))
}

// decode returns the fields of an update as clients read them.
func decode(t *testing.T, update string) *v1.ToolCallFields {
	t.Helper()
	u, err := v1.UnmarshalUpdate([]byte(update))
	require.NoError(t, err, update)
	if call, ok := u.(*v1.ToolCall); ok {
		return &call.ToolCallFields
	}
	return &u.(*v1.ToolCallUpdate).ToolCallFields
}

// mergeFields merges decoded values without modifying them.
func mergeFields(all ...*v1.ToolCallFields) *v1.ToolCallFields {
	call := new(v1.ToolCallFields)
	for _, f := range all {
		toolcall.Merge(call, f)
	}
	return call
}

func TestUpdatesReplaceOnlyTheirMembers(t *testing.T) {
	for name, c := range map[string]struct{ call, update, want string }{
		"absent":             {`"title":"a","kind":"read"`, ``, `"title":"a","kind":"read"`},
		"replaced":           {`"title":"a","kind":"read"`, `"kind":"edit","title":"b"`, `"title":"b","kind":"edit"`},
		"added":              {`"title":"a"`, `"status":"completed","rawOutput":{"a":[1]}`, `"title":"a","status":"completed","rawOutput":{"a":[1]}`},
		"null":               {`"title":"a","content":[],"rawInput":1`, `"title":null,"content":null,"rawInput":null,"_meta":null`, `"title":"a","content":[],"rawInput":1`},
		"whole lists":        {`"locations":[{"path":"a"},{"path":"b"}]`, `"locations":[{"path":"c"}]`, `"locations":[{"path":"c"}]`},
		"an empty list":      {`"locations":[{"path":"a"}]`, `"locations":[]`, `"locations":[]`},
		"whole raw values":   {`"rawInput":{"a":1,"b":2}`, `"rawInput":{"c":3}`, `"rawInput":{"c":3}`},
		"an empty text":      {`"title":"a","name":"n"`, `"title":"","name":"","kind":"","status":""`, `"title":"a","name":"n","kind":"","status":""`},
		"the id":             {`"title":"a"`, `"toolCallId":"other"`, `"title":"a"`},
		"keys of _meta":      {`"_meta":{"a":{"x":1},"b":2}`, `"_meta":{"c":3,"a":{"y":1}}`, `"_meta":{"a":{"y":1},"b":2,"c":3}`},
		"a key that is gone": {`"_meta":{"a":1,"b":2}`, `"_meta":{"a":null}`, `"_meta":{"a":null,"b":2}`},
		"_meta afterwards":   {`"title":"a"`, `"_meta":{"a":1},"kind":"read"`, `"title":"a","_meta":{"a":1},"kind":"read"`},
		"an empty _meta":     {`"_meta":{}`, `"_meta":[]`, ``},
		"unknown members":    {`"x":{"a":1}`, `"y":1,"x":{"b":2}`, `"x":{"b":2},"y":1`},
	} {
		t.Run(name, func(t *testing.T) {
			call := object("tool_call", c.call)
			update := object("tool_call_update", c.update)
			require.Equal(t, object("tool_call", c.want), mergeJSON(call, update))
			require.Equal(t, decode(t, object("tool_call", c.want)), mergeFields(decode(t, call), decode(t, update)))
		})
	}
}

// object returns an update of the call "c" with these members.
func object(kind, members string) string {
	if members != "" {
		members = "," + members
	}
	return `{"sessionUpdate":"` + kind + `","toolCallId":"c"` + members + `}`
}

func TestValuesOfTheWrongTypeChangeNothing(t *testing.T) {
	call := object("tool_call", `"title":"a","content":[],"locations":[],"_meta":{"a":1}`)
	require.Equal(t, call, mergeJSON(call, object("tool_call_update", `"title":7,"content":"x","locations":{},"_meta":"m"`)))
}

func TestRepeatedAndEscapedMembers(t *testing.T) {
	require.Equal(t, object("tool_call", `"title":"c","a\"":2,"_meta":{"x":3,"y":1}`),
		mergeJSON(object("tool_call", `"title":"a","\u0074itle":"b","a\u0022":1`),
			object("tool_call_update", `"title":"c","title":"","a\"":2,"_meta":{"x":1,"y":1},"\u005fmeta":{"\u0078":3}`)))
}

func TestUndefinedMembersAreBounded(t *testing.T) {
	var m toolcall.Members
	var call v1.ToolCallFields
	for i := range 2000 {
		m.Merge(fmt.Appendf(nil, `{"x%d":1,"_meta":{"y%d":1}}`, i, i))
		toolcall.Merge(&call, &v1.ToolCallFields{Meta: v1.Meta{strconv.Itoa(i): 1}})
	}
	m.Merge([]byte(`{"title":"a","_meta":{"y0":2}}`))
	merged := string(m.AppendTo(nil))
	require.Less(t, len(merged), 256*len(`,"x000":1`))
	require.Contains(t, merged, `"title":"a"`)
	require.Contains(t, merged, `"y0":2`)
	require.Len(t, call.Meta, 256)
}

func TestAnUpdateKeepsItsMeta(t *testing.T) {
	first, second := &v1.ToolCallFields{Meta: v1.Meta{"a": 1}}, &v1.ToolCallFields{Meta: v1.Meta{"a": 2, "b": 3}}
	require.Equal(t, v1.Meta{"a": 2, "b": 3}, mergeFields(first, second).Meta)
	require.Equal(t, v1.Meta{"a": 1}, first.Meta)
}

func TestStandsAlone(t *testing.T) {
	for key, want := range map[string]bool{
		"": false, "turnwire.dev/percent": false, "claudeCode": false,
		"terminal_output": true, "terminal_exit": true, "turnwire.dev/question": true, "turnwire.dev/decision": true,
	} {
		require.Equal(t, want, toolcall.StandsAlone(key), key)
	}
}

// randomUpdate returns a well-formed update.
func randomUpdate(r *rand.Rand) string {
	values := map[string][]string{
		"title":     {`"a"`, `"b"`, `""`, `null`},
		"name":      {`"n"`, `null`},
		"kind":      {`"read"`, `"edit"`},
		"status":    {`"pending"`, `"completed"`, `null`},
		"content":   {`[]`, `null`, `[{"type":"content","content":{"type":"text","text":"x"}}]`, `[{"type":"diff","path":"/a","newText":"y"},{"type":"terminal","terminalId":"t"}]`},
		"locations": {`[]`, `null`, `[{"path":"/a","line":3}]`, `[{"path":"/b"},{"path":"/c"}]`},
		"rawInput":  {`{"a":1}`, `null`, `[ 2 ]`, `"text"`},
		"rawOutput": {`{"b":{}}`, `null`, `false`},
		"_meta":     {`{}`, `null`, `[]`, `{"k":1,"l":{"m":1}}`, `{"k":null}`, `{"l":{"n":2}}`, `{"o":[]}`},
	}
	if r.IntN(4) == 0 {
		values["unknown"] = []string{`1`, `{"a":null}`, `null`}
	}
	var members []string
	for name, list := range values { // in random order
		if r.IntN(3) == 0 {
			members = append(members, `"`+name+`":`+list[r.IntN(len(list))])
		}
	}
	return object([]string{"tool_call", "tool_call_update"}[r.IntN(2)], strings.Join(members, ","))
}

// group merges adjacent items in a random order of operations, by calling merge.
func group[T any](r *rand.Rand, items []T, merge func(a, b T) T) T {
	if len(items) == 1 {
		return items[0]
	}
	n := 1 + r.IntN(len(items)-1)
	return merge(group(r, items[:n], merge), group(r, items[n:], merge))
}

func TestJSONAndValuesMergeAlikeInAnyGrouping(t *testing.T) {
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 1))
		var objects []string
		var fields []*v1.ToolCallFields
		for range 1 + r.IntN(7) {
			u := randomUpdate(r)
			objects, fields = append(objects, u), append(fields, decode(t, u))
		}
		want := mergeJSON(objects...)
		require.Equal(t, decode(t, want), mergeFields(fields...), "%q", objects)
		for range 3 {
			require.Equal(t, want, mergeJSON(group(r, objects, func(a, b string) string { return mergeJSON(a, b) })), "%q", objects)
			require.Equal(t, mergeFields(fields...), mergeFields(group(r, fields, func(a, b *v1.ToolCallFields) *v1.ToolCallFields { return mergeFields(a, b) })), "%q", objects)
		}
	}
}

func FuzzMergeIsAssociative(f *testing.F) {
	f.Add(`{"title":"a","x":1}`, `{"title":null,"_meta":{"k":1}}`, `{"\u0074itle":"b","_meta":{"k":null},"x":[]}`)
	f.Add(`{"title":"","title":7,"_meta":[]}`, `{"_meta":{"":{}},"_meta":{"":1}}`, `{"content":"x","content":[]}`)
	f.Fuzz(func(t *testing.T, a, b, c string) {
		for _, s := range []*string{&a, &b, &c} {
			var object map[string]json.RawMessage
			if json.Unmarshal([]byte(*s), &object) != nil || object == nil || strings.ContainsRune(*s, '\ufffd') || strings.Count(*s, ":") > 80 {
				return
			}
			if strings.ToValidUTF8(*s, "") != *s || strings.Contains(*s, `\ud`) || strings.Contains(*s, `\uD`) {
				return // two names may become one
			}
		}
		all := mergeJSON(a, b, c)
		require.True(t, json.Valid([]byte(all)), "%s", all)
		require.Equal(t, all, mergeJSON(mergeJSON(a, b), c))
		require.Equal(t, all, mergeJSON(a, mergeJSON(b, c)))
		var before, after v1.ToolCallFields
		if json.Unmarshal([]byte(a), &before) == nil && json.Unmarshal([]byte(mergeJSON(a)), &after) == nil {
			require.Equal(t, *mergeFields(&before), *mergeFields(&after))
		}
	})
}

func BenchmarkMembers(b *testing.B) {
	call := []byte(object("tool_call", `"title":"Read a file","kind":"read","status":"pending","rawInput":{"path":"/a/b"}`))
	update := []byte(object("tool_call_update", `"status":"in_progress","_meta":{"turnwire.dev/percent":3},"content":[{"type":"content","content":{"type":"text","text":"`+strings.Repeat("x", 2000)+`"}}]`))
	b.ReportAllocs()
	for b.Loop() {
		var m toolcall.Members
		m.Merge(call)
		m.Merge(update)
	}
}

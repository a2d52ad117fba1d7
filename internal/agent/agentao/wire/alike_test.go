package wire_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/turnwire/turnwire/internal/rawjson"
)

// reversed returns an object with the order of its members and its body's
// members reversed, and with unknown members before and after them.
func reversed(object string) string {
	members := []string{`"unknownBefore":[1,{"type":"host.done"}]`}
	o := rawjson.Walk([]byte(object))
	for {
		key, value, ok := o.Next()
		if !ok {
			break
		}
		text := string(value)
		if body := string(key); (body == "data" || body == "payload") && value[0] == '{' {
			text = reversed(text)
		}
		members = append(members, `"`+string(key)+`" : `+text)
	}
	members = append(members, `"unknownAfter":{"chunk":"x"}`)
	slices.Reverse(members)
	return "{ " + strings.Join(members, " , ") + "}"
}

// withoutTelemetry drops the events that repeat their line.
func withoutTelemetry(events []string) []string {
	return slices.DeleteFunc(events, func(e string) bool { return strings.HasPrefix(e, `{"type":"telemetry"`) })
}

func TestMembersMayComeInAnyOrder(t *testing.T) {
	files, err := filepath.Glob("testdata/*/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, path := range files {
		if filepath.Base(path) == "strange_lines.txtar" {
			continue // lines that are not events have no members to reorder
		}
		archive, err := txtar.ParseFile(path)
		require.NoError(t, err)
		lines := strings.Split(strings.TrimSpace(string(archive.Files[0].Data)), "\n")
		want := newStream(t).add(lines...)
		for i := range lines {
			lines[i] = reversed(lines[i])
		}
		require.Equal(t, withoutTelemetry(want), withoutTelemetry(newStream(t).add(lines...)), path)
	}
}

func TestPiecesDecodeTheSameAfterOthers(t *testing.T) {
	row := func(kind, payload string) string {
		return `{"seq":1,"kind":"` + kind + `","payload":` + payload + `}`
	}
	s := newStream(t)
	for _, line := range []string{
		event("llm_text", `{"chunk":"plain"}`), event("llm_text", `{"chunk":"b"}`), event("llm_text", `{"chunk":"half \ud83d"}`),
		event("llm_text", `{"chunk":""}`), event("llm_text", `{"chunk":null}`), event("llm_text", `null`),
		row("assistant_text_chunk", `{"chunk":"\ude42 half"}`), row("assistant_text_chunk", `{"chunk":"c","more":1}`),
		event("thinking", `{"text":"hm"}`), event("thinking", `{"text":"hm \ud83d"}`), event("thinking", `{}`),
		event("tool_output", `{"tool":"x","call_id":"c","chunk":"a\n"}`), event("tool_output", `{"tool":"x","call_id":"c","chunk":"b"}`),
		event("tool_output", `{"tool":"x","call_id":"c","chunk":{"a":1}}`), event("tool_output", `{"tool":"x","call_id":"c","chunk":""}`),
		event("llm_text", `{"chunk":"last"}`),
	} {
		require.Equal(t, newStream(t).add(line), s.add(line), line)
		require.Equal(t, newStream(t).add(line), s.add(line), line)
	}
}

func TestAMalformedLineChangesNothing(t *testing.T) {
	s := newStream(t)
	s.add(event("tool_start", `{"tool":"glob","call_id":"a"}`), event("tool_complete", `{"tool":"glob","call_id":"a","status":"ok"}`), event("llm_call_started", `{}`), event("tool_start", `{"tool":"glob","call_id":"b"}`), event("tool_complete", `{"tool":"glob","call_id":"b","status":"ok"}`))
	for _, line := range []string{
		event("turn_begin", `7`), event("turn_end", `{"status":1}`), event("thinking", `{"text":1}`), event("llm_text", `{"chunk":1}`),
		event("llm_call_started", `[]`), event("tool_start", `{"tool":"glob","call_id":1}`), event("tool_result", `{"tool":"glob","call_id":"b","status":1}`),
		`{"type":"host.error","message":1}`, `{"type":"host.done","text":1}`,
	} {
		require.Error(t, s.decoder.Decode([]byte(line), nil), line)
	}
	require.Equal(t, []string{`{"type":"tool_end","toolCallId":"b","toolName":"glob","ok":true,"result":"found"}`},
		s.add(event("tool_result", `{"tool":"glob","call_id":"b","status":"ok","content":"found"}`)))
}

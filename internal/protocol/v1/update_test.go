package v1_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// filled returns a value of a type with every field set.
func filled(t reflect.Type) reflect.Value {
	v := reflect.New(t).Elem()
	switch {
	case t == reflect.TypeFor[rawjson.String]():
		v.Set(reflect.ValueOf(rawjson.Quote("a \"text\"\n<&> ä 😀")))
		return v
	case t == reflect.TypeFor[json.RawMessage]():
		v.SetBytes([]byte(`{"b":12345678901234567890,"a":"<&>"}`))
		return v
	case t == reflect.TypeFor[v1.Meta]():
		v.Set(reflect.ValueOf(v1.Meta{"example.com/x": "<&>"}))
		return v
	case t == reflect.TypeFor[v1.Blocks]():
		blocks := v1.Blocks{}
		for _, variant := range v1.NewBlocks {
			blocks = append(blocks, fill(variant.New()))
		}
		v.Set(reflect.ValueOf(blocks))
		return v
	case t == reflect.TypeFor[v1.ToolContents]():
		contents := v1.ToolContents{}
		for _, variant := range v1.NewToolContents {
			contents = append(contents, fill(variant.New()))
		}
		v.Set(reflect.ValueOf(contents))
		return v
	case t == reflect.TypeFor[v1.Text]():
		v.Set(reflect.ValueOf(v1.NewText("a \"string\"\n<&> ä 😀")))
		return v
	case t == reflect.TypeFor[v1.Block]():
		v.Set(reflect.ValueOf(fill[v1.Block](&v1.TextBlock{})))
		return v
	}
	switch t.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(t.Elem()))
		v.Elem().Set(filled(t.Elem()))
	case reflect.Struct:
		for i := range t.NumField() {
			v.Field(i).Set(filled(t.Field(i).Type))
		}
	case reflect.Slice:
		v.Set(reflect.Append(v, filled(t.Elem()), filled(t.Elem())))
	case reflect.String:
		v.SetString("a \"string\"\n<&> ä 😀")
	case reflect.Int, reflect.Int64:
		v.SetInt(7)
	case reflect.Uint64:
		v.SetUint(1 << 60)
	case reflect.Float64:
		v.SetFloat(0.25)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Map:
		v.Set(reflect.MakeMap(t))
		v.SetMapIndex(reflect.ValueOf("key"), filled(t.Elem()))
	default:
		panic(fmt.Sprintf("a new kind of field: %s", t))
	}
	return v
}

// fill fills what p points to.
func fill[T any](p T) T {
	v := reflect.ValueOf(p).Elem()
	v.Set(filled(v.Type()))
	return p
}

// updates yields each update twice: empty, and with every field set.
func updates(t *testing.T, check func(t *testing.T, tag string, u v1.Update)) {
	t.Helper()
	for _, variant := range v1.NewUpdates {
		t.Run(variant.Tag, func(t *testing.T) {
			u := fill(variant.New())
			if c, ok := u.(*v1.MessageChunk); ok {
				c.Kind = v1.ChunkKind(variant.Tag)
			}
			check(t, variant.Tag, u)
			empty := variant.New()
			if c, ok := empty.(*v1.MessageChunk); ok {
				c.Content = &v1.TextBlock{}
			}
			check(t, variant.Tag, empty)
		})
	}
}

func TestUpdatesAreWrittenWithTheirTagFirst(t *testing.T) {
	updates(t, func(t *testing.T, tag string, u v1.Update) {
		require.Equal(t, tag, u.UpdateType())
		line := u.AppendJSON([]byte("before "))
		require.True(t, bytes.HasPrefix(line, []byte(`before {"sessionUpdate":"`+tag+`"`)), "%s", line)
		require.True(t, json.Valid(line[len("before "):]), "%s", line)
		require.NotContains(t, string(line), "\n")
		require.NotContains(t, string(line), `\u003c`, "HTML is not escaped")
	})
}

// plain copies an update into a type without methods, so that encoding/json encodes it
// by its tags.
func plain(u v1.Update) any {
	v := reflect.ValueOf(u).Elem()
	if v.NumField() == 1 { // a tool call: the embedded fields count
		v = v.Field(0)
	}
	return v.Interface()
}

func TestUpdatesHaveTheShapeOfTheirTypes(t *testing.T) {
	updates(t, func(t *testing.T, tag string, u v1.Update) {
		if c, ok := u.(*v1.MessageChunk); ok {
			blocks, err := json.Marshal(v1.Blocks{c.Content})
			require.NoError(t, err)
			want := map[string]any{"sessionUpdate": tag, "content": json.RawMessage(blocks[1 : len(blocks)-1])}
			if c.MessageID != "" {
				want["messageId"] = c.MessageID
			}
			if c.Meta != nil {
				want["_meta"] = c.Meta
			}
			text, err := json.Marshal(want)
			require.NoError(t, err)
			require.JSONEq(t, string(text), string(u.AppendJSON(nil)))
			return
		}
		text, err := json.Marshal(plain(u))
		require.NoError(t, err)
		var want map[string]any
		require.NoError(t, json.Unmarshal(text, &want))
		want["sessionUpdate"] = tag
		text, err = json.Marshal(want)
		require.NoError(t, err)
		require.JSONEq(t, string(text), string(u.AppendJSON(nil)))
	})
}

func TestUpdatesSurviveARoundTrip(t *testing.T) {
	updates(t, func(t *testing.T, _ string, u v1.Update) {
		line := u.AppendJSON(nil)
		back, err := v1.UnmarshalUpdate(line)
		require.NoError(t, err)
		require.Equal(t, string(line), string(back.AppendJSON(nil)))

		var n v1.SessionNotification
		whole := v1.AppendNotification(nil, "s \"1\"", u)
		var message struct {
			Params json.RawMessage `json:"params"`
		}
		require.NoError(t, json.Unmarshal(whole, &message))
		require.NoError(t, json.Unmarshal(message.Params, &n))
		require.Equal(t, "s \"1\"", n.SessionID)
		require.Equal(t, string(line), string(n.Update.AppendJSON(nil)))
	})
}

func TestAFrameWithTextIsAChunkNotification(t *testing.T) {
	for _, kind := range []v1.ChunkKind{v1.UserMessage, v1.AgentMessage, v1.AgentThought} {
		for _, id := range []string{"", "m\"1"} {
			for _, text := range []string{"", "plain", "\"quoted\"\n\x00 ä 😀 <&>"} {
				head := v1.AppendChunkHead(nil, "s\n1", kind, id)
				line := append(append(head, rawjson.Quote(text)...), v1.ChunkTail...)
				require.Equal(t, byte('\n'), line[len(line)-1])
				want := v1.AppendNotification(nil, "s\n1", &v1.MessageChunk{Kind: kind, MessageID: id, Content: &v1.TextBlock{Text: rawjson.NewText(text)}})
				require.JSONEq(t, string(want), string(line))
				require.Equal(t, 1, bytes.Count(line, []byte("\n")))
			}
		}
	}
}

func TestUnionsAreClosed(t *testing.T) {
	for _, raw := range []string{`{}`, `null`, `[]`, `7`, `{"sessionUpdate":"new"}`, `{"sessionUpdate":7}`,
		`{"sessionUpdate":"agent_message_chunk"}`, `{"sessionUpdate":"agent_message_chunk","content":{"type":"video"}}`,
		`{"sessionUpdate":"tool_call","toolCallId":"a","content":[{"type":"hologram"}]}`,
		`{"sessionUpdate":"plan","entries":{}}`} {
		_, err := v1.UnmarshalUpdate([]byte(raw))
		require.Error(t, err, raw)
	}
}

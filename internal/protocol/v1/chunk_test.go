package v1

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

// chunks are updates, with whether they are plain chunks.
var chunks = map[string]bool{
	`{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"a\"\u00e9 \ud800"},"messageId":"m"}`:       true,
	` { "content" : { "text" : "" , "type" : "text" } , "sessionUpdate" : "agent_thought_chunk" } `:                     true,
	`{"sessionUpdate":"user_message_chunk","content":{"type":"text","text":"a"},"messageId":"\ud800"}`:                  true,
	`{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"a","_meta":{}}}`:                           false,
	`{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":null}}`:                                     false,
	`{"sessionUpdate":"agent_message_chunk","content":{"type":"text"}}`:                                                 false,
	`{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"a","text":"b"}}`:                           false,
	`{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"a"},"messageId":null}`:                     false,
	`{"sessionUpdate":"agent_message_chunk","sessionUpdate":"plan","content":{"type":"text","text":"a"}}`:               false,
	`{"sessionUpdate":"agent_message_chunk","content":{"type":"image","data":"","mimeType":""}}`:                        false,
	`{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"a"},"messageId":"m"`:                       false,
	`{"sessionUpdate":"plan","entries":[]}`:                                                                             false,
	"{\"sessionUpdate\":\"agent_message_chunk\",\"content\":{\"type\":\"text\",\"text\":\"a\"},\"messageId\":\"\x80\"}": false,
}

func TestAPlainChunkIsReadAsAnyUpdateIs(t *testing.T) {
	for raw, plain := range chunks {
		require.Equal(t, plain, plainChunk([]byte(raw)) != nil, raw)
		same(t, []byte(raw))
	}
}

func same(t *testing.T, raw []byte) {
	t.Helper()
	c := plainChunk(raw)
	if c == nil {
		return
	}
	want, err := unmarshalUpdate(raw)
	require.NoError(t, err, "%s", raw)
	require.Equal(t, want, Update(c), "%s", raw)
}

func FuzzPlainChunk(f *testing.F) {
	for raw := range chunks {
		f.Add([]byte(raw))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if json.Valid(raw) {
			same(t, raw)
		}
	})
}

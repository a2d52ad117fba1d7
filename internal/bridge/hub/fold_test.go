package hub

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

func changesOf(updates ...string) []change {
	var h history
	for _, u := range updates {
		h.add(newEnvelope("s").change([]byte(u)))
	}
	return h.changes
}

func updatesOf(changes []change) (all []string) {
	for i := range changes {
		all = append(all, string(changes[i].update()))
	}
	return all
}

func chunk(kind, message, text string) string {
	return fmt.Sprintf(`{"sessionUpdate":"%s","content":{"type":"text","text":"%s"},"messageId":"%s"}`, kind, text, message)
}

func TestChunksOfAMessageAreJoined(t *testing.T) {
	got := fold(changesOf(
		chunk("agent_thought_chunk", "1", "a"), chunk("agent_thought_chunk", "1", `\n`),
		chunk("agent_message_chunk", "1", "b"), chunk("agent_message_chunk", "1", `\u00e9`), chunk("agent_message_chunk", "2", "c"),
		`{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"d"},"messageId":"2","_meta":{"x":1}}`,
		chunk("user_message_chunk", "3", "e"), chunk("user_message_chunk", "3", "f"),
	))
	require.Equal(t, []string{
		chunk("agent_thought_chunk", "1", `a\n`), chunk("agent_message_chunk", "1", `b\u00e9`), chunk("agent_message_chunk", "2", "c"),
		`{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"d"},"messageId":"2","_meta":{"x":1}}`,
		chunk("user_message_chunk", "3", "e"), chunk("user_message_chunk", "3", "f"),
	}, updatesOf(got))
}

func TestUpdatesAreMergedIntoTheirToolCall(t *testing.T) {
	got := fold(changesOf(
		`{"sessionUpdate":"tool_call","toolCallId":"c","title":"old","status":"pending"}`,
		chunk("agent_message_chunk", "1", "between"),
		`{"sessionUpdate":"tool_call_update","toolCallId":"c","title":"new","status":null,"content":[]}`,
		`{"sessionUpdate":"tool_call_update","toolCallId":"d","title":"another"}`,
		`{"sessionUpdate":"tool_call_update","toolCallId":"c","status":"completed"}`,
	))
	require.Equal(t, []string{
		`{"sessionUpdate":"tool_call","toolCallId":"c","title":"new","status":"completed","content":[]}`,
		chunk("agent_message_chunk", "1", "between"),
		`{"sessionUpdate":"tool_call_update","toolCallId":"d","title":"another"}`,
	}, updatesOf(got))
}

func TestMetaIsMergedByKey(t *testing.T) {
	update := func(rest string) string {
		return `{"sessionUpdate":"tool_call_update","toolCallId":"c",` + rest + `}`
	}
	got := fold(changesOf(
		`{"sessionUpdate":"tool_call","toolCallId":"c","title":"t","_meta":{"terminal_info":{"terminal_id":"c"}}}`,
		update(`"status":"in_progress","_meta":{"turnwire.dev/percent":10}`),
		update(`"_meta":{"turnwire.dev/percent":20}`),
		update(`"_meta":{"terminal_output":{"data":"a"}}`),
		update(`"_meta":{"terminal_output":{"data":"b"}}`),
		update(`"status":"completed","_meta":{"turnwire.dev/percent":null,"turnwire.dev/exitCode":1}`),
	))
	require.Equal(t, []string{
		`{"sessionUpdate":"tool_call","toolCallId":"c","title":"t","_meta":{"terminal_info":{"terminal_id":"c"},"turnwire.dev/percent":20},"status":"in_progress"}`,
		update(`"_meta":{"terminal_output":{"data":"a"}}`),
		update(`"_meta":{"terminal_output":{"data":"b"},"turnwire.dev/percent":null,"turnwire.dev/exitCode":1},"status":"completed"`),
	}, updatesOf(got))
}

func TestAnUpdateThatIsAValueFoldsLikeItsJSON(t *testing.T) {
	call := v1.ToolCallFields{ToolCallID: "a \"call\"", Title: "t", Meta: v1.Meta{"k": 1}}
	output := v1.ToolCallFields{ToolCallID: "c", Meta: v1.Meta{"k": 1, "terminal_output": map[string]any{"data": "x"}}}
	for _, update := range []v1.Update{
		&v1.ToolCall{ToolCallFields: call}, &v1.ToolCallUpdate{ToolCallFields: output}, &v1.Plan{}, &v1.UsageUpdate{Used: 1},
		&v1.MessageChunk{Kind: v1.AgentMessage, Content: &v1.TextBlock{Text: v1.NewText("x")}},
	} {
		value, line := change{}, newEnvelope("s").change(update.AppendJSON(nil))
		value.know(update)
		line.read()
		require.Equal(t, []any{line.kind, line.call, line.alone}, []any{value.kind, value.call, value.alone})
	}
}

func TestACallStartsWhenItIsAllowed(t *testing.T) {
	changes := changesOf(
		`{"sessionUpdate":"tool_call","toolCallId":"c","title":"t","status":"pending"}`,
		`{"sessionUpdate":"tool_call_update","toolCallId":"c","_meta":{"turnwire.dev/decision":{"verdict":"allow"}}}`,
		`{"sessionUpdate":"tool_call_update","toolCallId":"c","status":"completed","_meta":{"turnwire.dev/durationMs":3}}`,
	)
	changes[1].times = v1.TimesAt(60_000)
	changes[2].times = v1.TimesAt(60_500)
	got := fold(changes)
	require.Equal(t, []string{
		`{"sessionUpdate":"tool_call","toolCallId":"c","title":"t","status":"pending"}`,
		`{"sessionUpdate":"tool_call_update","toolCallId":"c","_meta":{"turnwire.dev/decision":{"verdict":"allow"},"turnwire.dev/durationMs":3},"status":"completed"}`,
	}, updatesOf(got))
	require.Equal(t, v1.Times{At: 60_000, Until: 60_500}, got[1].times)
}

func TestOnlyTheLastReplacingUpdateIsLeft(t *testing.T) {
	got := fold(changesOf(
		`{"sessionUpdate":"plan","entries":[1]}`, `{"sessionUpdate":"usage_update","used":1,"size":2}`,
		chunk("agent_message_chunk", "1", "x"), `{"sessionUpdate":"plan","entries":[2]}`,
	))
	require.Equal(t, []string{
		`{"sessionUpdate":"usage_update","used":1,"size":2}`, chunk("agent_message_chunk", "1", "x"), `{"sessionUpdate":"plan","entries":[2]}`,
	}, updatesOf(got))
}

// A view is what a client shows after some changes.
type view struct {
	texts string
	calls map[string]map[string]any
	last  map[string]string
}

func shown(t *testing.T, v *view, changes []change) {
	for i := range changes {
		var u map[string]any
		require.NoError(t, json.Unmarshal(changes[i].update(), &u), "%s", changes[i].line)
		require.True(t, json.Valid(changes[i].line))
		switch kind := u["sessionUpdate"].(string); kind {
		case "tool_call", "tool_call_update":
			id := u["toolCallId"].(string)
			if v.calls[id] == nil || kind == "tool_call" {
				v.calls[id] = map[string]any{}
			}
			for name, value := range u {
				if name != "sessionUpdate" && name != "_meta" && value != nil {
					v.calls[id][name] = value
				}
			}
			meta, _ := u["_meta"].(map[string]any)
			for key, value := range meta {
				switch {
				case key == "terminal_output":
					v.texts += fmt.Sprint(id, value)
				case value == nil:
					delete(v.calls[id], "_meta."+key)
				default:
					v.calls[id]["_meta."+key] = value
				}
			}
		case "plan":
			v.last[kind] = fmt.Sprint(u["entries"])
		default:
			v.texts += u["content"].(map[string]any)["text"].(string)
		}
	}
}

func newView() *view { return &view{calls: map[string]map[string]any{}, last: map[string]string{}} }

// randomUpdate returns a random update of a session. Updates may follow each other in
// any order.
func randomUpdate(r *rand.Rand) string {
	switch r.IntN(8) {
	case 0:
		return fmt.Sprintf(`{"sessionUpdate":"tool_call","toolCallId":"%d","title":"t%d"}`, r.IntN(5), r.IntN(100))
	case 1:
		return fmt.Sprintf(`{"sessionUpdate":"tool_call_update","toolCallId":"%d","status":"s%d"}`, r.IntN(5), r.IntN(100))
	case 2:
		return fmt.Sprintf(`{"sessionUpdate":"plan","entries":[%d]}`, r.IntN(100))
	case 3:
		meta := []string{`{"k":1}`, `{"k":null,"l":[]}`, `{"m":{"n":2}}`, `{"terminal_output":{"data":"x"},"k":3}`, `null`, `{}`}
		return fmt.Sprintf(`{"sessionUpdate":"tool_call_update","toolCallId":"%d","_meta":%s}`, r.IntN(5), meta[r.IntN(len(meta))])
	case 4:
		return chunk("agent_thought_chunk", strconv.Itoa(r.IntN(2)), strings.Repeat("t", r.IntN(3)))
	}
	return chunk("agent_message_chunk", strconv.Itoa(r.IntN(2)), fmt.Sprintf(`%d\n`, r.IntN(100)))
}

// Clients may join at any time and read at any pace, and the history may be folded at
// any time: in the end, all show the same.
func TestFoldingNeverChangesWhatClientsShow(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 1))
		var h history
		readers := []*struct {
			sent int64
			view *view
		}{}
		for range r.IntN(400) {
			switch r.IntN(12) {
			case 0:
				readers = append(readers, &struct {
					sent int64
					view *view
				}{0, newView()})
			case 1, 2:
				if len(readers) > 0 {
					p := readers[r.IntN(len(readers))]
					left := h.after(p.sent)
					left = left[:r.IntN(len(left)+1)]
					shown(t, p.view, left)
					if len(left) > 0 {
						p.sent = left[len(left)-1].seq
					}
				}
			case 3:
				var cursors []int64
				for _, p := range readers {
					cursors = append(cursors, p.sent)
				}
				if r.IntN(3) == 0 {
					h.fold(cursors)
				} else {
					h.foldTail(cursors)
				}
				require.Equal(t, sizeOf(h.changes), h.size)
			default:
				h.add(newEnvelope("s").change([]byte(randomUpdate(r))))
			}
		}
		want := newView()
		shown(t, want, fold(h.changes))
		for _, p := range readers {
			shown(t, p.view, h.after(p.sent))
			require.Equal(t, want, p.view, "seed %d", seed)
		}
		again := fold(fold(h.changes))
		twice := newView()
		shown(t, twice, again)
		require.Equal(t, want, twice, "seed %d", seed)
		for i := 1; i < len(h.changes); i++ {
			require.Greater(t, h.changes[i].seq, h.changes[i-1].seq)
		}
	}
}

func TestStreamedTextNeedsLittleMoreThanItsBytes(t *testing.T) {
	const pieces, piece = 20_000, "a word, "
	var h history
	e := newEnvelope("s")
	for range pieces {
		h.add(e.change([]byte(chunk("agent_message_chunk", "1", piece))))
		if h.hasLongTail() {
			h.foldTail([]int64{h.last})
		}
		require.LessOrEqual(t, len(h.changes), tailChanges+pieces*len(piece)/maxText*2)
	}
	require.LessOrEqual(t, h.size, pieces*len(piece)*11/10+2*tailBytes)
	v := newView()
	shown(t, v, h.changes)
	require.Equal(t, strings.Repeat(piece, pieces), v.texts)
}

func FuzzFoldKeepsMessagesWhole(f *testing.F) {
	f.Add(chunk("agent_message_chunk", "1", "a"), chunk("agent_message_chunk", "1", `\ud83d`), `{"sessionUpdate":"tool_call","toolCallId":"c"}`)
	f.Add(`{"sessionUpdate":"tool_call","toolCallId":"c","a":1}`, `{"sessionUpdate":"tool_call_update","toolCallId":"c","\u0061":[]}`, `{}`)
	f.Fuzz(func(t *testing.T, a, b, c string) {
		var all []string
		for _, u := range []string{a, b, c} {
			var object map[string]any
			if json.Unmarshal([]byte(u), &object) != nil || object == nil || strings.TrimSpace(u) != u {
				return
			}
			all = append(all, u)
		}
		for _, change := range fold(changesOf(all...)) {
			require.True(t, json.Valid(change.line), "%s", change.line)
		}
	})
}

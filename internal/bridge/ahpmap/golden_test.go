package ahpmap_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/bridge/ahpmap"
	"github.com/turnwire/turnwire/internal/protocol/ahp"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/internal/test/golden"
)

// The scripts are those of the bridge: the updates that an editor gets there are the
// input here. A file in testdata contains the actions of the first turn, and the
// resulting state.
func TestGolden(t *testing.T) {
	golden.Each(t, "../../../bridge/testdata/*.txtar", func(t *testing.T, path string) {
		lines, ok := golden.Read(t, path).Section("v1")
		require.True(t, ok, "the file has no section v1")
		golden.File(t, filepath.Join("testdata", golden.Name(path)+".txt"), perform(t, lines))
	})
}

// perform maps what an editor gets, up to the end of the first turn.
func perform(t *testing.T, lines string) string {
	var out strings.Builder
	const at = "2026-01-01T00:00:00Z"
	chat := &ahp.Chat{Resource: ahp.ChatURI("x:/1"), Status: ahp.Idle, ModifiedAt: at, Turns: []ahp.Turn{}}
	say := func(actions ...ahp.Action) {
		for _, a := range actions {
			out.Write(append(ahp.Encode(a), '\n'))
			chat.Apply(a, at)
		}
	}
	m := &ahpmap.Mapper{Keep: func(_, text string) string { return "kept:" + strings.ReplaceAll(text, "\n", "/") }}
	m.Start("t1")
	say(&ahp.TurnStarted{TurnID: "t1", StartedAt: at, Message: ahp.Message{Text: "go", Origin: ahp.Origin{Kind: ahp.FromUser}}})
	for line := range strings.Lines(lines) {
		var message struct {
			Method string
			Params json.RawMessage
			Result *v1.PromptResponse
			Error  *struct{ Message string }
		}
		require.NoError(t, json.Unmarshal([]byte(line), &message))
		switch {
		case message.Method == v1.MethodSessionUpdate:
			var n v1.SessionNotification
			if err := json.Unmarshal(message.Params, &n); err == nil {
				say(m.Update(n.Update)...)
				say(m.Flush()...)
			}
		case message.Method == v1.MethodRequestPermission:
			var r v1.RequestPermissionRequest
			require.NoError(t, json.Unmarshal(message.Params, &r))
			say(m.Request(&r)...)
		case message.Method == v1.MethodElicitationCreate:
			var r v1.ElicitationRequest
			require.NoError(t, json.Unmarshal(message.Params, &r))
			if q, ok := ahpmap.Question("q1", &r); ok {
				say(&ahp.InputRequested{Request: q})
			}
		case message.Method != "":
		case message.Error != nil:
			say(m.Fail(message.Error.Message, 0)...)
		case message.Result != nil && message.Result.StopReason != "": // not the result of steering
			say(m.End(message.Result.StopReason, 0)...)
		}
		if chat.ActiveTurn == nil {
			break
		}
	}
	state, err := json.MarshalIndent(chat, "", " ")
	require.NoError(t, err)
	return out.String() + "\n" + string(state) + "\n"
}

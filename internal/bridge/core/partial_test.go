package core_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/bridge/core"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

const (
	partial = `"_meta":{"turnwire.dev/partial":true}`
	oneFile = `{"type":"diff","path":"/w/a","oldText":"1\n2\n","newText":"one\ntwo\n"}`
	newFile = `{"type":"diff","path":"/w/b","newText":"b\n"}`
)

// reply answers a permission request about content, and returns the answer that counts.
func reply(t *testing.T, meta, content, result string) (answer core.Answer, understood bool) {
	t.Helper()
	params := fmt.Sprintf(`{"sessionId":"s","toolCall":{"toolCallId":"c","content":[%s]},`+
		`"options":[{"optionId":"y","kind":"allow_once"},{"optionId":"always","kind":"allow_always"},{"optionId":"n","kind":"reject_once"}],%s}`, content, meta)
	r := &core.Request{
		Method: v1.MethodRequestPermission, Params: []byte(params), Offered: core.OptionsOf([]byte(params)),
		Answered: func(a core.Answer) { answer = a },
	}
	understood = r.Reply(core.Answer{Result: []byte(result)})
	return answer, understood
}

func selected(option, accepted string) string {
	return fmt.Sprintf(`{"outcome":{"outcome":"selected","optionId":%q},"_meta":{"turnwire.dev/accepted":%s}}`, option, accepted)
}

func TestAnAnswerAcceptsAPart(t *testing.T) {
	text := `{"type":"content","content":{"type":"text","text":"why"}}`
	answer, ok := reply(t, partial, oneFile+","+text+","+newFile,
		selected("y", `[{"path":"/w/b","newText":"b\n"},{"path":"/w/a","newText":"one\n2\n"}]`))
	require.True(t, ok)
	require.Equal(t, "y", answer.Chosen.ID)
	require.Equal(t, []core.Accepted{
		{Path: "/w/b", NewText: "b\n", Text: "b\n"},
		{Path: "/w/a", OldText: new("1\n2\n"), NewText: "one\ntwo\n", Text: "one\n2\n"},
	}, answer.Accepted)

	answer, ok = reply(t, partial, oneFile, selected("y", `[{"path":"/w/a","newText":"one\ntwo\n"}]`))
	require.True(t, ok)
	require.Nil(t, answer.Accepted, "all of it was accepted")

	answer, ok = reply(t, partial, oneFile, `{"outcome":{"outcome":"selected","optionId":"y"},"_meta":{"other":1}}`)
	require.True(t, ok)
	require.Nil(t, answer.Accepted)
}

func TestAnUnlawfulPartPermitsNothing(t *testing.T) {
	part := `[{"path":"/w/a","newText":"one\n2\n"}]`
	for name, c := range map[string]struct{ meta, content, result string }{
		"not offered":                 {`"_meta":{}`, oneFile, selected("y", part)},
		"offered as a text":           {`"_meta":{"turnwire.dev/partial":"true"}`, oneFile, selected("y", part)},
		"offered by the call":         {`"x":1`, oneFile + `],` + partial + `,"more":[`, selected("y", part)},
		"no changes":                  {partial, ``, selected("y", part)},
		"nothing for no changes":      {partial, ``, selected("y", `[]`)},
		"two changes of a file":       {partial, oneFile + "," + oneFile, selected("y", part)},
		"an incomplete change":        {partial, `{"type":"diff","path":"/w/a"}`, selected("y", part)},
		"allowed always":              {partial, oneFile, selected("always", part)},
		"rejected":                    {partial, oneFile, selected("n", part)},
		"an unknown option":           {partial, oneFile, selected("z", part)},
		"cancelled":                   {partial, oneFile, `{"outcome":{"outcome":"cancelled"},"_meta":{"turnwire.dev/accepted":` + part + `}}`},
		"another file":                {partial, oneFile, selected("y", `[{"path":"/w/../etc/passwd","newText":"x"}]`)},
		"one file more":               {partial, oneFile, selected("y", `[{"path":"/w/a","newText":"one\n2\n"},{"path":"/w/b","newText":""}]`)},
		"one file less":               {partial, oneFile + "," + newFile, selected("y", part)},
		"a file twice":                {partial, oneFile + "," + newFile, selected("y", `[{"path":"/w/a","newText":"x"},{"path":"/w/a","newText":"y"}]`)},
		"no text":                     {partial, oneFile, selected("y", `[{"path":"/w/a"}]`)},
		"a null text":                 {partial, oneFile, selected("y", `[{"path":"/w/a","newText":null}]`)},
		"a text of another type":      {partial, oneFile, selected("y", `[{"path":"/w/a","newText":7}]`)},
		"a member in other case":      {partial, oneFile, selected("y", `[{"path":"/w/a","NewText":"x"}]`)},
		"no list":                     {partial, oneFile, selected("y", `{"path":"/w/a","newText":"x"}`)},
		"null":                        {partial, oneFile, selected("y", `null`)},
		"nothing of the change":       {partial, oneFile, selected("y", `[{"path":"/w/a","newText":"1\n2\n"}]`)},
		"more than any file can have": {partial, oneFile, selected("y", `[{"path":"/w/a","newText":"`+strings.Repeat("x", 16<<20)+`"}]`)},
	} {
		answer, ok := reply(t, c.meta, c.content, c.result)
		require.False(t, ok, name)
		require.Equal(t, core.NotPermitted, string(answer.Result), name)
		require.Empty(t, answer.Chosen, name)
		require.Nil(t, answer.Accepted, name)
	}
}

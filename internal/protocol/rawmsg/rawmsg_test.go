package rawmsg_test

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
)

func TestTheLastOfDuplicateMembersCounts(t *testing.T) {
	object := []byte(`{"a":1,"b":"x","a":2}`)
	value, from, to := rawmsg.Member(object, "a")
	require.Equal(t, "2", string(value))
	require.Equal(t, "2", string(object[from:to]))
	require.Equal(t, "x", rawmsg.MemberText(object, "b"))
	require.Empty(t, rawmsg.MemberText(object, "a"), "a number is no text")
	missing, _, _ := rawmsg.Member(object, "c")
	require.Nil(t, missing)
}

func TestANameMayBeEscaped(t *testing.T) {
	require.Equal(t, "s", rawmsg.MemberText([]byte(`{"\u0073essionId":"s"}`), "sessionId"))
}

func TestOtherMembersStayUnchanged(t *testing.T) {
	object := []byte(`{"sessionId":"old", "x" : [1, 2]}`)
	require.Equal(t, `{"sessionId":"new", "x" : [1, 2]}`, string(rawmsg.Replace(object, "sessionId", rawmsg.Quote("new"))))
	require.Equal(t, string(object), string(rawmsg.Replace(object, "missing", []byte("1"))))
	require.Equal(t, `{"x":[1, 2]}`, string(rawmsg.Without(object, "sessionId")))
}

func TestAMemberIsSetInPlaceOrAtTheEnd(t *testing.T) {
	for object, want := range map[string]string{
		`{}`:                `{"x":1}`,
		` { } `:             ` { "x":1} `,
		`{"a":"}"}`:         `{"a":"}","x":1}`,
		`{"x" : [2],"b":3}`: `{"x" : 1,"b":3}`,
	} {
		require.Equal(t, want, string(rawmsg.Set([]byte(object), "x", []byte("1"))))
	}
}

func TestMessagesAreObjectsOnALine(t *testing.T) {
	for want, line := range map[string][]byte{
		`{"jsonrpc":"2.0","id":"a","method":"m","params":{}}`: rawmsg.Request([]byte(`"a"`), "m", []byte("{}")),
		`{"jsonrpc":"2.0","method":"m"}`:                      rawmsg.Request(nil, "m", nil),
		`{"jsonrpc":"2.0","id":1,"result":{"a":"<&>"}}`:       rawmsg.Response([]byte("1"), rawmsg.Result, rawmsg.Encode(map[string]string{"a": "<&>"})),
		`{"jsonrpc":"2.0","id":1,"error":{"code":-32601}}`:    rawmsg.Response([]byte("1"), rawmsg.Error, []byte(`{"code":-32601}`)),
	} {
		require.Equal(t, want, string(line))
	}
}

func FuzzAnObjectStaysAnObject(f *testing.F) {
	f.Add(`{"a":1,"b":{"a":[]}}`, "a", "x")
	f.Fuzz(func(t *testing.T, object, name, value string) {
		var before map[string]json.RawMessage
		if json.Unmarshal([]byte(object), &before) != nil || before == nil {
			return
		}
		require.True(t, json.Valid(rawmsg.Replace([]byte(object), name, rawmsg.Quote(value))))
		require.True(t, json.Valid(rawmsg.Without([]byte(object), name)))
		set := rawmsg.Set([]byte(object), name, rawmsg.Quote(value))
		require.True(t, json.Valid(set))
		if utf8.ValidString(name) && utf8.ValidString(value) {
			require.Equal(t, value, rawmsg.MemberText(set, name))
		}
	})
}

package protocol_test

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/test/limits"
	"github.com/turnwire/turnwire/protocol"
)

const patience = limits.Patience

const (
	badVersion = `jsonrpc must be "2.0"`
	badShape   = "a message has a method, a result or an error"
	badMethod  = "method must be a string"
	badID      = "id must be a string or an integer from 0 to 9223372036854775807"
	badBoth    = "a request has neither a result nor an error"
	noObject   = "a message is a JSON object"
	noBatch    = "batches are not supported"
)

// refused are the lines that the stream itself answers.
var refused = []struct{ name, line, answer string }{
	{"words", `hello`, parseError()},
	{"half an object", `{"jsonrpc":"2.0","id":1,`, parseError()},
	{"two objects", `{"jsonrpc":"2.0","id":1,"method":"m"}{"jsonrpc":"2.0","id":2,"method":"m"}`, parseError()},
	{"a control character in a string", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\x01\"}", parseError()},
	{"a NUL byte", "\x00", parseError()},
	{"not UTF-8", "\xff\xfe", parseError()},
	{"too deep", strings.Repeat(`{"a":`, 20_000) + "1" + strings.Repeat("}", 20_000), parseError()},
	{"a number", `42`, invalid("null", noObject)},
	{"null", `null`, invalid("null", noObject)},
	{"a string", `"x"`, invalid("null", noObject)},
	{"true", `true`, invalid("null", noObject)},
	{"an empty object", `{}`, invalid("null", badVersion)},
	{"a batch", `[{"jsonrpc":"2.0","id":1,"method":"m"},{"jsonrpc":"2.0","id":2,"method":"m"}]`, invalid("null", noBatch)},
	{"an empty batch", `[]`, invalid("null", noBatch)},
	{"no version", `{"id":7,"method":"m"}`, invalid("7", badVersion)},
	{"another version", `{"jsonrpc":"1.0","id":7,"method":"m"}`, invalid("7", badVersion)},
	{"a version that is a number", `{"jsonrpc":2.0,"id":7,"method":"m"}`, invalid("7", badVersion)},
	{"an id alone", `{"jsonrpc":"2.0","id":7}`, invalid("7", badShape)},
	{"nothing but a version", `{"jsonrpc":"2.0"}`, invalid("null", badShape)},
	{"a method that is a number", `{"jsonrpc":"2.0","id":7,"method":1}`, invalid("7", badMethod)},
	{"a method that is null", `{"jsonrpc":"2.0","id":"a","method":null}`, invalid(`"a"`, badMethod)},
	{"a method and a result", `{"jsonrpc":"2.0","id":7,"method":"m","result":1}`, invalid("7", badBoth)},
	{"a method and an error", `{"jsonrpc":"2.0","id":7,"method":"m","error":{"code":1,"message":"x"}}`, invalid("7", badBoth)},
	{"a negative id", `{"jsonrpc":"2.0","id":-1,"method":"m"}`, invalid("-1", badID)},
	{"a minus zero", `{"jsonrpc":"2.0","id":-0,"method":"m"}`, invalid("-0", badID)},
	{"a fraction", `{"jsonrpc":"2.0","id":1.5,"method":"m"}`, invalid("null", badID)},
	{"a fraction that is none", `{"jsonrpc":"2.0","id":1.0,"method":"m"}`, invalid("null", badID)},
	{"an exponent", `{"jsonrpc":"2.0","id":1e0,"method":"m"}`, invalid("null", badID)},
	{"an id beyond 63 bits", `{"jsonrpc":"2.0","id":9223372036854775808,"method":"m"}`, invalid("null", badID)},
	{"a huge id", `{"jsonrpc":"2.0","id":1` + strings.Repeat("0", 400) + `,"method":"m"}`, invalid("null", badID)},
	{"an id that is true", `{"jsonrpc":"2.0","id":true,"method":"m"}`, invalid("null", badID)},
	{"an id that is an object", `{"jsonrpc":"2.0","id":{},"method":"m"}`, invalid("null", badID)},
	{"an id that is an array", `{"jsonrpc":"2.0","id":[1],"method":"m"}`, invalid("null", badID)},
	{"an id that is null", `{"jsonrpc":"2.0","id":null,"method":"m"}`, invalid("null", badID)},
	{"half a character as an id", `{"jsonrpc":"2.0","id":"\ud83d","method":"m"}`, invalid("null", badID)},
	{"an id that is not UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":\"\xff\",\"method\":\"m\"}", invalid("null", badID)},
}

func TestInvalidLinesAndTheMessagesAfterThemAreAnswered(t *testing.T) {
	for _, c := range refused {
		t.Run(c.name, func(t *testing.T) {
			lines := converse(strings.NewReader(c.line + "\n" + `{"jsonrpc":"2.0","id":"next","method":"after"}` + "\n"))
			require.Equal(t, []string{c.answer, answer(`"next"`, "after")}, lines)
		})
	}
}

func TestAllBadLinesInOneStreamAreAnsweredInOrder(t *testing.T) {
	var in strings.Builder
	var want []string
	for _, c := range refused {
		in.WriteString(c.line + "\n")
		want = append(want, c.answer)
	}
	in.WriteString(`{"jsonrpc":"2.0","id":1,"method":"after"}` + "\n")
	require.Equal(t, append(want, answer("1", "after")), converse(strings.NewReader(in.String())))
}

func TestIDsAreEchoedExactly(t *testing.T) {
	for _, id := range []string{
		`0`, `1`, `9223372036854775807`, `""`, `"1"`, `"a b"`, `"äöü 😀"`, `"null"`, `"0aaf8a38-7cbd-4d24-9e4c-31cc4ee4a2d2"`,
	} {
		require.Equal(t, []string{answer(id, "m")}, converse(strings.NewReader(`{"jsonrpc":"2.0","id":`+id+`,"method":"m"}`+"\n")))
	}
}

func TestNotificationsAreNotAnswered(t *testing.T) {
	require.Empty(t, converse(strings.NewReader(`{"jsonrpc":"2.0","method":"_x"}`+"\n"+`{"jsonrpc":"2.0","method":"$/x","params":[]}`+"\n")))
}

// Each of these is one request with the id 1 and nothing else.
var tolerated = map[string]string{
	"a newline":                 `{"jsonrpc":"2.0","id":1,"method":"m"}` + "\n",
	"no newline at the end":     `{"jsonrpc":"2.0","id":1,"method":"m"}`,
	"CR LF":                     `{"jsonrpc":"2.0","id":1,"method":"m"}` + "\r\n",
	"CR at the end":             `{"jsonrpc":"2.0","id":1,"method":"m"}` + "\r",
	"blank lines":               "\n\r\n  \n\t\n" + `{"jsonrpc":"2.0","id":1,"method":"m"}` + "\n\n\r\n",
	"a byte-order mark":         "\xef\xbb\xbf" + `{"jsonrpc":"2.0","id":1,"method":"m"}` + "\n",
	"a byte-order mark alone":   "\xef\xbb\xbf\n" + `{"jsonrpc":"2.0","id":1,"method":"m"}` + "\n",
	"spaces around":             "  \t" + `{"jsonrpc":"2.0","id":1,"method":"m"}` + " \t \n",
	"spaces within":             `{ "jsonrpc" : "2.0" , "id" : 1 , "method" : "m" }` + "\n",
	"unknown members":           `{"jsonrpc":"2.0","x":{"y":[1,{}]},"id":1,"method":"m","meta":null}` + "\n",
	"another order":             `{"params":{},"method":"m","id":1,"jsonrpc":"2.0"}` + "\n",
	"a string that is not UTF8": "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"params\":{\"a\":\"\xff\"}}\n",
}

func TestTheFormOfALineDoesNotMatter(t *testing.T) {
	for name, text := range tolerated {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, []string{answer("1", "m")}, converse(strings.NewReader(text)))
		})
	}
}

func TestLinesMayComeByteByByte(t *testing.T) {
	for name, text := range tolerated {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, []string{answer("1", "m")}, converse(iotest.OneByteReader(strings.NewReader(text))))
		})
	}
}

// padded returns a request that is n bytes long without its newline.
func padded(id string, n int) io.Reader {
	head, tail := `{"jsonrpc":"2.0","id":`+id+`,"method":"m","params":{"a":"`, `"}}`
	return io.MultiReader(strings.NewReader(head), io.LimitReader(forever('a'), int64(n-len(head)-len(tail))), strings.NewReader(tail))
}

type forever byte

func (f forever) Read(b []byte) (int, error) {
	n := copy(b, []byte{byte(f)})
	for n > 0 && n < len(b) { // copy is cheap with the race detector, a loop over bytes is not
		n += copy(b[n:], b[:n])
	}
	return n, nil
}

func TestLongLinesAreRead(t *testing.T) {
	for _, n := range []int{4 << 10, 16<<10 - 1, 16 << 10, 16<<10 + 1, 64 << 10, 1 << 20, protocol.MaxLine} {
		in := io.MultiReader(padded("1", n), strings.NewReader("\r\n"), padded("2", 100))
		require.Equal(t, []string{answer("1", "m"), answer("2", "m")}, converse(in), "%d bytes", n)
	}
}

func TestLinesThatAreTooLongAreRefused(t *testing.T) {
	tooLong := invalid("null", "the line is longer than 32 MiB")
	const n = protocol.MaxLine + 1
	in := io.MultiReader(padded("1", n), strings.NewReader("\n"), padded("2", 100), strings.NewReader("\n"))
	require.Equal(t, []string{tooLong, answer("2", "m")}, converse(in))
	require.Equal(t, []string{tooLong}, converse(padded("1", n)), "at the end of the input")
	returns := io.MultiReader(io.LimitReader(forever('\r'), n+1), strings.NewReader("\n"))
	require.Equal(t, []string{tooLong}, converse(returns), "of carriage returns")
}

func TestAReadErrorEndsTheStreamAfterWhatWasRead(t *testing.T) {
	in := io.MultiReader(strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"m"}`), iotest.ErrReader(io.ErrUnexpectedEOF))
	require.Equal(t, []string{answer("1", "m")}, converse(in))
}

func TestOnEOFRunsOnceAndCanStillWrite(t *testing.T) {
	out := newRecord()
	s := protocol.NewStream(strings.NewReader("\n"), out, nil, silent)
	calls := 0
	s.OnEOF = func() {
		calls++
		require.NoError(t, s.WriteObject("the last word"))
	}
	var v any
	require.ErrorIs(t, s.ReadObject(&v), io.EOF)
	require.ErrorIs(t, s.ReadObject(&v), io.EOF)
	require.NoError(t, s.Close())
	require.Equal(t, 1, calls)
	require.Equal(t, []string{`"the last word"`}, out.lines())
}

func TestAFailedDecodeLeavesNothingForTheNextMessage(t *testing.T) {
	type message struct {
		ID     int    `json:"id"`
		Params string `json:"params"`
	}
	s := protocol.NewStream(strings.NewReader(
		`{"jsonrpc":"2.0","id":1,"method":"m","params":{}}`+"\n"+`{"jsonrpc":"2.0","id":2,"method":"m"}`+"\n"), newRecord(), nil, silent)
	m := message{Params: "from before"}
	require.NoError(t, s.ReadObject(&m))
	require.Equal(t, message{ID: 2}, m)
	require.NoError(t, s.Close())
}

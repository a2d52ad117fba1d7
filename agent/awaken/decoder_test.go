package awaken_test

import (
	"encoding/json"
	"path/filepath"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/awaken"
	native "github.com/turnwire/turnwire/agent/native/wire"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// decode decodes lines with a decoder of their own.
func decode(lines ...string) (events []string, err error) {
	d := awaken.Dialect.NewDecoder()
	for _, line := range lines {
		err = d.Decode(rawjson.Valid([]byte(line)), func(e agent.Event) bool {
			events = append(events, string(agent.AppendJSON(nil, e)))
			return true
		})
	}
	return events, err
}

func TestLinesOfAwakenAreRecognised(t *testing.T) {
	for line, want := range map[string]bool{
		`{"event_type":"text_delta","delta":"a"}`:                                         true,
		`{"event_type":"run_start","thread_id":"t","run_id":"r"}`:                         true,
		`{"type":"text_delta","data":{"delta":"a"}}`:                                      true,
		`{"type":"run_start","run_id":"r","thread_id":"t"}`:                               true,
		`{"type":"step_end","run_id":"r","thread_id":"t","seq":1,"timestamp_ms":2}`:       true,
		`{"type":"tool_call_ready","data":{"id":"c","name":"n","arguments":null}}`:        true,
		`{"event_id":"e","event_kind":"RunStarted","payload":{"event_type":"run_start"}}`: true,
		`{"event_id":"e","event_kind":"RunQueued","payload":{"dispatch_id":"d"}}`:         true,
		`{"event_type":"something_else"}`:                                                 false,
		`{"type":"text_delta","text":"a"}`:                                                false,
		`{"type":"run_start","provider":"p","model":"m"}`:                                 false,
		`{"type":"step_end"}`:                                        false,
		`{"type":"error","error":"e"}`:                               false,
		`{"type":"error","schema_version":1,"data":{"message":"m"}}`: false,
		`{"type":"thinking","schema_version":1,"data":{"text":"m"}}`: false,
		`{"type":"thread.message.delta","data":{"delta":{}}}`:        false,
		`[boot] ready`:               false,
		``:                           false,
		`{"event_type":"text_delta"`: false,
	} {
		require.Equal(t, want, awaken.Dialect.Recognise([]byte(line)), "%s", line)
	}
}

func TestALineThatIsNoEventIsSaidToBeNone(t *testing.T) {
	for _, line := range []string{``, `hello`, `[]`, `{"a":1}`, `{"event_type":7}`, `{"event_type":"text_delta"`} {
		_, err := decode(line)
		require.ErrorIs(t, err, dialect.ErrNotObject, "%s", line)
	}
}

func TestAnEventWithAWrongFieldIsMalformed(t *testing.T) {
	for line, name := range map[string]string{
		`{"event_type":"text_delta","delta":7}`:                                             "text_delta",
		`{"event_type":"tool_call_ready","name":"n"}`:                                       "tool_call_ready",
		`{"event_type":"tool_call_done","id":"c","result":7}`:                               "tool_call_done",
		`{"event_type":"run_finish","termination":7}`:                                       "run_finish",
		`{"type":"state_delta","data":{"delta":{}}}`:                                        "v0:state_delta",
		`{"event_kind":"StepStarted","payload":{"event_type":"step_start","message_id":1}}`: "fact:StepStarted",
	} {
		_, err := decode(line)
		var malformed *dialect.MalformedError
		require.ErrorAs(t, err, &malformed, "%s", line)
		require.Equal(t, name, malformed.Type)
		require.Equal(t, line, string(malformed.Raw))
	}
}

func TestAnUnknownTypeIsKeptWhole(t *testing.T) {
	line := `{"event_type":"from_the_future","big":12345678901234567890}`
	var got *agent.Unknown
	err := awaken.Dialect.NewDecoder().Decode([]byte(line), func(e agent.Event) bool {
		got = e.(*agent.Unknown)
		return true
	})
	require.NoError(t, err)
	require.Equal(t, "from_the_future", got.Name)
	require.Equal(t, line, string(got.Raw))
}

// The numbers of the older envelope differ in each line; whatever differs
// besides must not be taken for the same.
func TestPiecesOfTextAreTheSameHoweverTheirLinesAreRead(t *testing.T) {
	lines := []string{
		`{"type":"run_start","run_id":"r","thread_id":"t","seq":0,"timestamp_ms":1}`,
		`{"type":"text_delta","run_id":"r","thread_id":"t","seq":1,"timestamp_ms":9,"step_id":"step:0","data":{"delta":"a"}}`,
		`{"type":"text_delta","run_id":"r","thread_id":"t","seq":22,"timestamp_ms":10,"step_id":"step:0","data":{"delta":"\"b\\"}}`,
		`{"type":"text_delta","run_id":"r","thread_id":"t","seq":23,"timestamp_ms":11,"step_id":"step:1","data":{"delta":"c"}}`,
		`{"type":"text_delta","run_id":"r","thread_id":"t","seq":24,"timestamp_ms":12,"step_id":"step:1","data":{"delta":"d","more":1}}`,
		`{"type":"text_delta","run_id":"r","thread_id":"t","seq":,"timestamp_ms":12,"step_id":"step:1","data":{"delta":"lost"}}`,
		`{"type":"text_delta","run_id":"r","thread_id":"t","seq":24,"timestamp_ms":1700000:00000,"step_id":"step:1","data":{"delta":"lost"}}`,
		`{"type":"text_delta","run_id":"r","thread_id":"t","seq":24,"timestamp_ms":0170000000,"step_id":"step:1","data":{"delta":"lost"}}`,
		`{"type":"text_delta","run_id":"r","thread_id":"t","seq":25,"timestamp_ms":13,"step_id":"step:1","data":{"delta":""}}`,
		`{"type":"reasoning_delta","run_id":"r","thread_id":"t","seq":26,"timestamp_ms":14,"step_id":"step:1","data":{"delta":"e"}}`,
		`{"type":"reasoning_delta","run_id":"r","thread_id":"t","seq":27,"timestamp_ms":15,"step_id":"step:1","data":{"delta":"f"}}`,
	}
	got, err := decode(lines...)
	require.NoError(t, err)
	var texts []string
	for _, line := range got[1:] {
		var f struct{ Text, Thinking string }
		require.NoError(t, json.Unmarshal([]byte(line), &f))
		if f.Text+f.Thinking != "" {
			texts = append(texts, f.Text+f.Thinking)
		}
	}
	require.Equal(t, []string{"a", `"b\`, "c", "d", "e", "f"}, texts)
}

// Awaken's own ACP server takes every name that has "rm" in it for a deletion,
// and every one with "cat" for a reading (protocols/acp/encoder.rs).
func TestWhatAToolDoesIsNotGuessedFromPartsOfItsName(t *testing.T) {
	for _, name := range []string{"confirm", "format", "perform", "locate", "concatenate", "removal_quote"} {
		got := all(t, []byte(`{"event_type":"tool_call_ready","id":"c1","name":"`+name+`","arguments":{}}`))
		require.Len(t, got, 1)
		require.NotContains(t, got[0], `"kind":"delete"`)
		require.NotContains(t, got[0], `"kind":"read"`)
		require.Contains(t, got[0], `"toolName":"`+name+`"`)
	}
}

func TestAReaderThatHasHadEnoughIsNotAskedAgain(t *testing.T) {
	d := awaken.Dialect.NewDecoder()
	calls := 0
	err := d.Decode([]byte(`{"event_type":"run_finish","termination":{"type":"blocked","value":"no"}}`), func(agent.Event) bool {
		calls++
		return false
	})
	require.NoError(t, err)
	require.Equal(t, 1, calls)
}

func TestManyCallsAreForgotten(t *testing.T) {
	d := awaken.Dialect.NewDecoder()
	yield := func(agent.Event) bool { return true }
	for i := range 5000 {
		id, err := json.Marshal(i)
		require.NoError(t, err)
		require.NoError(t, d.Decode([]byte(`{"event_type":"tool_call_ready","id":"c`+string(id)+`","name":"n","arguments":{"i":`+string(id)+`}}`), yield))
		require.NoError(t, d.Decode([]byte(suspends("s"+string(id))), yield))
	}
}

func FuzzDecode(f *testing.F) {
	for _, kind := range []string{"variants", "streams"} {
		paths, err := filepath.Glob(filepath.Join("testdata", kind, "*.txtar"))
		require.NoError(f, err)
		for _, path := range paths {
			archive, err := txtar.ParseFile(path)
			require.NoError(f, err)
			f.Add(archive.Files[0].Data)
		}
	}
	f.Fuzz(func(t *testing.T, stream []byte) {
		first, second := all(t, stream), all(t, stream)
		require.Equal(t, first, second)
	})
}

// all decodes a stream and checks that what comes of it can be encoded.
func all(t *testing.T, stream []byte) (events []string) {
	t.Helper()
	d := awaken.Dialect.NewDecoder()
	for _, line := range lines(rawjson.Valid(stream)) {
		awaken.Dialect.Recognise(line)
		_ = d.Decode(line, func(e agent.Event) bool {
			raw := agent.AppendJSON(nil, e)
			require.True(t, json.Valid(raw) && utf8.Valid(raw), "%q", raw)
			events = append(events, string(raw))
			return true
		})
	}
	return events
}

func lines(stream []byte) (list [][]byte) {
	for len(stream) > 0 {
		n := 0
		for n < len(stream) && stream[n] != '\n' {
			n++
		}
		list = append(list, stream[:n:n])
		stream = stream[min(n+1, len(stream)):]
	}
	return list
}

func BenchmarkTextDelta(b *testing.B) {
	const text = "The roses in the second bed look thirsty, so "
	older := func(seq string) []byte {
		return []byte(`{"type":"text_delta","run_id":"019d53ae-54c7","thread_id":"019d53ae-0000","seq":` + seq +
			`,"timestamp_ms":17000000000` + seq + `,"step_id":"step:0","data":{"delta":"` + text + `"}}`)
	}
	for name, c := range map[string]struct {
		decoder dialect.Decoder
		lines   [2][]byte
	}{
		"native":       {native.Dialect.NewDecoder(), [2][]byte{[]byte(`{"type":"text_delta","text":"` + text + `"}`), []byte(`{"type":"text_delta","text":"` + text + `x"}`)}},
		"awaken":       {awaken.Dialect.NewDecoder(), [2][]byte{[]byte(says(text)), []byte(says(text + "x"))}},
		"awaken older": {awaken.Dialect.NewDecoder(), [2][]byte{older("10"), older("11")}},
		"awaken fact": {awaken.Dialect.NewDecoder(), [2][]byte{
			[]byte(fact("r1", 1, "TextDeltaObserved", says(text))), []byte(fact("r1", 2, "TextDeltaObserved", says(text+"x")))}},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			yield := func(agent.Event) bool { return true }
			for i := 0; b.Loop(); i++ {
				if err := c.decoder.Decode(c.lines[i&1], yield); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func TestTheTableKnowsEachToolOnceAndFully(t *testing.T) {
	seen := map[string]bool{}
	for _, tool := range awaken.Tools {
		require.NotEmpty(t, tool.Kind, tool.Name)
		require.NotEmpty(t, tool.Verb, tool.Name)
		require.False(t, seen[tool.Name], tool.Name)
		seen[tool.Name] = true
	}
}

package dialect_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
)

// reading is a dialect whose texts report what else was read from the line.
// It has one event for each way to read a member.
var reading = dialect.Table[struct{}]{
	Name:      "reading",
	Stateless: true,
	Forms: []dialect.Form[struct{}]{
		{Type: "type", Is: func(l *dialect.Line) bool { return !l.Has("kind") }, Kinds: kindsOfReading},
		{Type: "kind", Body: "body", Kinds: kindsOfReading},
	},
}.Compile().Dialect()

var kindsOfReading = []dialect.Kind[struct{}]{
	piece("alone", func(*dialect.Line) string { return "" }),
	piece("key", func(l *dialect.Line) string { return l.OptionalKey("a", "b") }),
	piece("has", func(l *dialect.Line) string {
		if l.Has("a") {
			return "a"
		}
		return ""
	}),
	piece("raw", func(l *dialect.Line) string { return string(l.Raw("a")) }),
	piece("object", func(l *dialect.Line) string { return string(inner(l).Raw("b")) }),
	piece("object and raw", func(l *dialect.Line) string {
		inner(l).Has("b")
		return string(l.Raw("a"))
	}),
	piece("object twice", func(l *dialect.Line) string {
		return string(inner(l).Raw("a")) + string(inner(l).Raw("b"))
	}),
	piece("objects", func(l *dialect.Line) string {
		var all []byte
		l.Lenient(func() {
			for o := range l.Objects("a") {
				all = append(all, o.Raw("b")...)
			}
		})
		return string(all)
	}),
	piece("all", func(l *dialect.Line) string {
		var all []byte
		for key, value := range inner(l).All() {
			all = append(append(all, key.String()...), value...)
		}
		return string(all)
	}),
	piece("json", func(l *dialect.Line) string { return string(inner(l).JSON()) }),
	piece("top", func(l *dialect.Line) string { return string(l.Unread()) }),
	piece("read", func(l *dialect.Line) string {
		var into struct {
			A struct {
				B agent.Raw `json:"b"`
			} `json:"a"`
			B agent.Raw `json:"b"`
		}
		l.Lenient(func() { l.Read(&into) })
		return string(into.A.B) + string(into.B)
	}),
	readNative(),
}

// inner returns the member "a", or nil if it is not an object.
func inner(l *dialect.Line) *dialect.Fields {
	if !l.IsObject("a") {
		return nil
	}
	return l.Object("a")
}

// piece returns an event whose message id reports what was read.
func piece(name string, read func(l *dialect.Line) string) dialect.Kind[struct{}] {
	return dialect.Kind[struct{}]{Name: name, Decode: func(_ *struct{}, l *dialect.Line) {
		l.EmitText(agent.TextDelta{Text: l.Piece("text"), MessageID: read(l)})
	}}
}

// readNative returns a native event with its undefined members.
func readNative() dialect.Kind[struct{}] {
	at := slices.IndexFunc(agent.Variants(), func(v agent.Variant) bool { return v.New().Type() == "text_delta" })
	return dialect.Kind[struct{}]{Name: "native", Decode: func(_ *struct{}, l *dialect.Line) {
		if e, ok := l.ReadEvent(at); ok {
			l.EmitText(*e.(*agent.TextDelta))
		}
	}}
}

// decodedAs returns a line's events, or its error.
func decodedAs(d dialect.Decoder, line string) (events []string) {
	err := d.Decode([]byte(line), func(e agent.Event) bool {
		events = append(events, string(agent.AppendJSON(nil, e)))
		return true
	})
	if err != nil {
		events = append(events, err.Error())
	}
	return events
}

// A line decoded by comparison must have the same result as when decoded
// alone.
func TestLinesDecodeTheSameByComparison(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 8))
	pick := func(from ...string) string { return from[rnd.IntN(len(from))] }
	value := func() string {
		return pick(`1`, `2`, `null`, `"x"`, `"y"`, `"\u00e4\""`, `"\ud800"`, `{"b":1}`, `{"a":1,"b":2}`, `{"a":2,"b":2,"c":"\ud83d"}`, `[{"b":1}]`, `[{"b":2,"c":3}]`, `[1]`)
	}
	same := 0
	for range 3000 {
		var keys []string
		for range rnd.IntN(5) {
			keys = append(keys, pick("a", "b", "c", `\u0061`, "messageId", "text"))
		}
		at, name, nested := rnd.IntN(len(keys)+1), "type", rnd.IntN(3) == 0
		if nested {
			name = "kind"
		}
		kind := pick("alone", "key", "has", "raw", "object", "object and raw", "object twice", "objects", "all", "json", "top", "read", "native")
		line := func() string {
			var own []string
			for _, key := range keys {
				v := value()
				if key == "text" {
					v = pick(`"piece"`, `"\ude42 half"`)
				}
				own = append(own, `"`+key+`":`+v)
			}
			own = slices.Insert(own, at, `"text":`+pick(`"a"`, `"b\n"`, `""`, `"\ud83d"`))
			member := `"` + name + `":"` + kind + `"`
			if nested {
				return `{"seq":` + value() + `,` + member + `,"body":{` + strings.Join(own, ",") + `},"ts":` + value() + `}`
			}
			return `{` + strings.Join(slices.Insert(own, 0, member), ",") + `}`
		}
		d := reading.NewDecoder()
		for range 6 {
			l := line()
			want := decodedAs(reading.NewDecoder(), l)
			require.Equal(t, want, decodedAs(d, l), "%s", l)
			if strings.Contains(want[0], "text_delta") {
				same++
			}
		}
	}
	require.Greater(t, same, 10_000, "enough of the lines were pieces for this to mean something")
}

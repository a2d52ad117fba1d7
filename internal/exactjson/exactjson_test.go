package exactjson_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/exactjson"
)

type Inner struct {
	Deep  string `json:"deep"`
	Plain int
}

type hidden struct {
	Kept  string `json:"kept"`
	Child *Inner `json:"child"`
}

type own struct{ raw string }

func (o *own) UnmarshalJSON(b []byte) error {
	o.raw = string(b)
	return nil
}

type word struct{ text string }

func (w *word) UnmarshalText(b []byte) error {
	w.text = string(b)
	return nil
}

// Outer has every kind of field.
type Outer struct {
	hidden
	*Inner
	ID       string            `json:"id"`
	Kids     []Outer           `json:"kids,omitempty"`
	Pair     [2]*Inner         `json:"pair"`
	ByName   map[string]*Inner `json:"byName"`
	Raw      json.RawMessage   `json:"raw"`
	Any      any               `json:"any"`
	Own      own               `json:"own"`
	Word     word              `json:"word"`
	Anon     struct{ X int }   `json:"anon"`
	Sink     float64           `json:"sink"`
	Ignored  string            `json:"-"`
	unusable string            //nolint:unused // it is there to be no field of JSON's
	Twice    string            `json:"ID"`
}

func TestMembersInAnotherCaseAreUnknown(t *testing.T) {
	for in, want := range map[string]string{
		`{"id":"a"}`:          `{"id":"a"}`,
		`{"Id":"b"}`:          `{}`,
		`{"id":"a","Id":"b"}`: `{"id":"a"}`,
		`{"Id":"b","id":"a"}`: `{"id":"a"}`,
		`{"Id":1,"iD":2,"id":"a","Id":3,"iD":[4]}`: `{"id":"a"}`,
		` {"id":"a"} `:                               ` {"id":"a"} `,
		` { "Id" : 1 , "iD" : 2 } `:                  ` { } `,
		`{"id":"a","ID":"b"}`:                        `{"id":"a","ID":"b"}`,
		`{"\u0069d":"a","\u0049d":"b"}`:              `{"\u0069d":"a"}`,
		`{"ſink":1,"sinK":2,"sin\u212a":3,"sink":4}`: `{"sink":4}`,
		`{"Deep":"x","Kept":"y","kept":"z","PLAIN":1,"Plain":2,"plain":3}`: `{"kept":"z","Plain":2}`,
		`{"CHILD":{"deep":"x"},"child":{"DEEP":"x","deep":"y"}}`:           `{"child":{"deep":"y"}}`,
		`{"kids":[{"Id":"a","kids":[{"ID":"a","iD":""}]},{}]}`:             `{"kids":[{"kids":[{"ID":"a"}]},{}]}`,
		`{"pair":[{"Deep":"a"},{"deep":"\"}","DEEP":"}"}]}`:                `{"pair":[{},{"deep":"\"}"}]}`,
		`{"byName":{"deep":{"Deep":""},"DEEP":{"deep":"x"}}}`:              `{"byName":{"deep":{},"DEEP":{"deep":"x"}}}`,
		`{"raw":{"Deep":1,"ID":2},"any":{"Id":1},"own":{"Own":1}}`:         `{"raw":{"Deep":1,"ID":2},"any":{"Id":1},"own":{"Own":1}}`,
		`{"anon":{"x":1,"X":2},"Ignored":"","-":"","UNUSABLE":1}`:          `{"anon":{"X":2},"Ignored":"","-":"","UNUSABLE":1}`,
		`{"kids":{"Id":1},"id":[{"Id":1}],"byName":[{"Deep":1}]}`:          `{"kids":{"Id":1},"id":[{"Id":1}],"byName":[{"Deep":1}]}`,
		`{"other":{"Id":1},"Id":1,"more":[{"Id":1},"\\"]}`:                 `{"other":{"Id":1},"more":[{"Id":1},"\\"]}`,
	} {
		require.Equal(t, want, string(exactjson.Clean([]byte(in), new(Outer))), in)
		var got, exact Outer
		err := exactjson.Unmarshal([]byte(in), &got)
		if wrong, ok := errors.AsType[*exactjson.TypeError](err); ok {
			err = wrong.Unwrap()
		}
		require.Equal(t, json.Unmarshal([]byte(want), &exact), err, in)
		require.Equal(t, exact, got, in)
	}
}

func TestDataWithOnlyExactNamesIsNotCopied(t *testing.T) {
	in := []byte(`{"id":"a","kids":[{"id":"b","other":{"Id":1}}],"unknown":[1,2,{}]}`)
	require.Same(t, &in[0], &exactjson.Clean(in, new(Outer))[0])
	require.Zero(t, testing.AllocsPerRun(10, func() { exactjson.Clean(in, new(Outer)) }))
}

func TestInvalidJSONStaysInvalid(t *testing.T) {
	for _, in := range []string{
		``, `{`, `{"Id"`, `{"Id":`, `{"Id":1`, `{"Id":1,`, `{"Id":1,}`, `{"Id":1 "id":"a"}`, `{"Id":tru}`, `{"Id":}`,
		`{"id":"a","Id":}`, `{"Id":[}`, `{"Id":]}`, `{"Id":1}}`, `{"Id":1} x`, `{"Id":"\x"}`, `{"Id":"`, `{"Id":"\`,
		`{"kids":[{"Id":01}]}`, `{"kids":[{"Id":1},]}`, `{"kids":[{"Id":1}`, `{"kids":[`, `{"kids":[{}`, `{"\u00":1}`,
		strings.Repeat(`{"kids":[`, 20000), strings.Repeat(`{"Kids":[`, 20000),
	} {
		var got Outer
		wrong, ok := errors.AsType[*json.SyntaxError](exactjson.Unmarshal([]byte(in), &got))
		require.True(t, ok, "%.80s", in)
		require.Equal(t, json.Unmarshal([]byte(in), new(Outer)).Error(), wrong.Error())
		require.Equal(t, Outer{}, got)
	}
}

func TestNonPointersAreRefusedLikeInEncodingJSON(t *testing.T) {
	for _, v := range []any{nil, Outer{}, (*Outer)(nil), "text"} {
		require.Equal(t, json.Unmarshal([]byte(`{"Id":1}`), v), exactjson.Unmarshal([]byte(`{"Id":1}`), v))
	}
}

type (
	first struct {
		Name string `json:"name"`
		Both string
	}
	second struct {
		Named string `json:"name"`
		Both  string
		Loop  *embeds `json:"loop"`
	}
	embeds struct {
		first
		*second
		Both2 string `json:"Both2"`
	}
	forest []forest
)

// In encoding/json, two fields with the same name at the same depth are ignored.
func TestAmbiguousFieldsAreUnknown(t *testing.T) {
	in := `{"NAME":1,"both":2,"both2":3,"loop":{"name":4,"Both2":"x","BOTH2":"y"}}`
	require.Equal(t, `{"NAME":1,"both":2,"loop":{"name":4,"Both2":"x"}}`, string(exactjson.Clean([]byte(in), new(embeds))))
	require.Equal(t, `[[],[[]]]`, string(exactjson.Clean([]byte(`[[],[[]]]`), new(forest))))
}

func TestAnalysingATypeIsConcurrencySafe(t *testing.T) {
	type fresh struct {
		A []struct {
			B map[string]Outer `json:"b"`
		} `json:"a"`
	}
	done := make(chan string, 8)
	for range cap(done) {
		go func() { done <- string(exactjson.Clean([]byte(`{"a":[{"b":{"x":{"Id":1}}}],"A":0}`), new(fresh))) }()
	}
	for range cap(done) {
		require.Equal(t, `{"a":[{"b":{"x":{}}}]}`, <-done)
	}
}

func BenchmarkUnmarshal(b *testing.B) {
	in := []byte(`{"id":"call_1","kids":[{"id":"read_file","raw":{"path":"/a/b.go","n":[1,2,3],"text":"` + strings.Repeat("some text\\n", 40) + `"}}],"unknown":{"x":1}}`)
	for name, unmarshal := range map[string]func([]byte, any) error{"exact": exactjson.Unmarshal, "standard": json.Unmarshal} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(in)))
			b.ReportAllocs()
			for b.Loop() {
				var o Outer
				if err := unmarshal(in, &o); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("clean", func(b *testing.B) {
		b.SetBytes(int64(len(in)))
		var o Outer
		for b.Loop() {
			exactjson.Clean(in, &o)
		}
	})
}

package exactjson_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/exactjson"
)

// A node describes the JSON of a type, without reflection.
type node struct {
	fields map[string]*node // of an object with fields
	each   *node            // of the elements of a list
	values *node            // of the members of a map
}

func outer() *node {
	inner := &node{fields: map[string]*node{"deep": nil, "Plain": nil}}
	o := &node{fields: map[string]*node{
		"kept": nil, "child": inner, "deep": nil, "Plain": nil, "id": nil, "ID": nil, "raw": nil, "any": nil, "own": nil,
		"word": nil, "sink": nil, "pair": {each: inner}, "byName": {values: inner}, "anon": {fields: map[string]*node{"X": nil}},
	}}
	o.fields["kids"] = &node{each: o}
	return o
}

// without copies the next value of d without the members that only resemble fields, in
// the simplest possible way.
func without(t *testing.T, d *json.Decoder, n *node, out *bytes.Buffer) {
	token, err := d.Token()
	require.NoError(t, err)
	if n == nil {
		n = new(node)
	}
	switch token {
	case json.Delim('['):
		for out.WriteByte('['); d.More(); {
			comma(out)
			without(t, d, n.each, out)
		}
		_, err = d.Token()
		out.WriteByte(']')
	case json.Delim('{'):
		for out.WriteByte('{'); d.More(); {
			token, err = d.Token()
			require.NoError(t, err)
			name, into := token.(string), out
			of, known := n.fields[name]
			for field := range n.fields {
				if !known && strings.EqualFold(field, name) {
					into = new(bytes.Buffer)
				}
			}
			if n.values != nil {
				of = n.values
			}
			comma(into)
			scalar(t, name, into)
			into.WriteByte(':')
			without(t, d, of, into)
		}
		_, err = d.Token()
		out.WriteByte('}')
	default:
		scalar(t, token, out)
	}
	require.NoError(t, err)
}

func comma(out *bytes.Buffer) {
	if b := out.Bytes(); len(b) > 0 && b[len(b)-1] != '{' && b[len(b)-1] != '[' {
		out.WriteByte(',')
	}
}

func scalar(t *testing.T, token any, out *bytes.Buffer) {
	raw, err := json.Marshal(token)
	require.NoError(t, err)
	out.Write(raw)
}

// requireExact compares Unmarshal with encoding/json for the same data without those
// members. Types that decode themselves may see the bytes in another form.
func requireExact(t *testing.T, data []byte) {
	t.Helper()
	var got, want Outer
	failed := exactjson.Unmarshal(data, &got)
	if !json.Valid(data) {
		require.Error(t, failed)
		require.Equal(t, Outer{}, got)
		return
	}
	var kept bytes.Buffer
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	without(t, d, outer(), &kept)
	require.Equal(t, json.Unmarshal(kept.Bytes(), &want) == nil, failed == nil, "%s\n%s\n%v", data, kept.Bytes(), failed)
	require.Equal(t, readable(t, want), readable(t, got), "%s", data)
	require.Equal(t, exactjson.Clean(kept.Bytes(), &want), kept.Bytes(), "nothing is left to take out")
}

// readable formats a decoded value, with raw JSON in a canonical form.
func readable(t *testing.T, o Outer) string {
	t.Helper()
	var plainly func(o *Outer)
	plainly = func(o *Outer) {
		o.Raw, o.Own.raw = rewritten(t, o.Raw), string(rewritten(t, []byte(o.Own.raw)))
		for i := range o.Kids {
			plainly(&o.Kids[i])
		}
	}
	plainly(&o)
	written, err := json.Marshal(o)
	require.NoError(t, err)
	return string(written) + o.Own.raw + o.Word.text
}

func rewritten(t *testing.T, raw []byte) []byte {
	t.Helper()
	if len(raw) == 0 {
		return raw
	}
	var v any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	require.NoError(t, d.Decode(&v))
	out, err := json.Marshal(v)
	require.NoError(t, err)
	return out
}

// names are the names of the fields, and names that some readers accept for them.
var names = []string{
	"id", "ID", "Id", "iD", `\u0069d`, `\u0049d`, "kids", "Kids", "KIDS", "kid\u017f", `\u212aids`, "deep", "Deep",
	"DEEP", "Plain", "plain", "kept", "Kept", `\u212aept`, "child", "Child", "raw", "RAW", "any", "Any", "pair", "Pair",
	"byName", "byname", "BYNAME", "own", "Own", "word", "Word", "anon", "Anon", "X", "x", "sink", "\u017fink", "sin\u212a",
	"Ignored", "-", "other", "", "ı", "İd", "hidden", "Inner", "inner", `a\"b`, `\\`, `\ud800`,
}

// randomJSON writes a value that resembles Outer.
func randomJSON(r *rand.Rand, out *bytes.Buffer, depth int) {
	space := func() { out.WriteString([]string{"", "", "", " ", "\n\t"}[r.IntN(5)]) }
	space()
	defer space()
	n := r.IntN(4)
	switch kind := r.IntN(9); {
	case depth == 0 || kind > 6:
		out.WriteString([]string{`"a"`, `""`, `1`, `-2.5e1`, `null`, `true`, `"\\\""`, `"},{"`, `"\ud800"`, `"ä"`}[r.IntN(10)])
	case kind > 4:
		out.WriteByte('[')
		for i := range n {
			if i > 0 {
				out.WriteByte(',')
			}
			randomJSON(r, out, depth-1)
		}
		out.WriteByte(']')
	default:
		out.WriteByte('{')
		for i := range n * 2 {
			if i > 0 {
				out.WriteByte(',')
			}
			space()
			out.WriteString(`"` + names[r.IntN(len(names))] + `"`)
			space()
			out.WriteByte(':')
			randomJSON(r, out, depth-1)
		}
		out.WriteByte('}')
	}
}

func TestUnmarshalEqualsEncodingJSONExceptForCase(t *testing.T) {
	for seed := range uint64(1_000) {
		var data bytes.Buffer
		randomJSON(rand.New(rand.NewPCG(seed, 1)), &data, 5)
		requireExact(t, data.Bytes())
	}
}

func FuzzUnmarshal(f *testing.F) {
	for seed := range uint64(20) {
		var data bytes.Buffer
		randomJSON(rand.New(rand.NewPCG(seed, 2)), &data, 4)
		f.Add(data.Bytes())
	}
	f.Fuzz(func(t *testing.T, data []byte) { requireExact(t, data) })
}

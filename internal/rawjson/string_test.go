package rawjson_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/rawjson"
)

func FuzzQuoteKeepsText(f *testing.F) {
	for _, s := range tricky {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		body := rawjson.Quote(s)
		requireClean(t, body)
		// encoding/json also decodes each invalid UTF-8 byte to U+FFFD.
		want := string([]rune(s))
		require.Equal(t, want, body.String())
		require.Equal(t, want, decoded(t, token(body)))
		require.Equal(t, token(body), rawjson.AppendString([]byte(nil), s))
		require.Equal(t, append([]byte("before"), body...), rawjson.AppendQuoted([]byte("before"), s))
		require.Equal(t, body, parse(t, token(body)))
	})
}

func FuzzParseAcceptsWhatEncodingJSONAccepts(f *testing.F) {
	for _, b := range bodies {
		f.Add(token([]byte(b)))
	}
	for _, s := range []string{``, `"`, `"a`, `a"`, `"a"b"`, `"\x"`, `"\u12g4"`, `"\u123"`, `"\`, "\"\n\"", `null`, ` "a"`, `"a" `} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		b = rawjson.Valid(b)
		valid := json.Valid(b) && b[0] == '"' && b[len(b)-1] == '"'
		s, err := rawjson.Parse(b)
		if !valid {
			require.ErrorIs(t, err, rawjson.ErrNotString, "%q", b)
			return
		}
		require.NoError(t, err, "%q", b)
		require.Equal(t, b[1:len(b)-1], []byte(s))
		require.Equal(t, decoded(t, b), s.String())

		clean := s.Clean()
		requireClean(t, clean)
		require.Equal(t, s.String(), clean.String(), "Clean changes nothing but lone surrogates")
		if !hasLone(s) {
			require.Equal(t, s, clean)
		}
		checkSplitHigh(t, s)
		checkCuts(t, s, len(s)/2)
	})
}

func checkSplitHigh(t *testing.T, s rawjson.String) {
	t.Helper()
	whole, half := s.SplitHigh()
	require.Equal(t, []byte(s), append(bytes.Clone(whole), half...))
	_, again := whole.SplitHigh()
	if half == nil {
		return
	}
	require.Len(t, half, 6)
	// The low half completes the character.
	paired := append(bytes.Clone(half), `\ude42`...)
	require.Equal(t, 1, utf8.RuneCountInString(decoded(t, token(paired))))
	require.False(t, hasLone(paired))
	require.Equal(t, decoded(t, token(whole))+"\ufffd", s.String())
	if again != nil {
		require.Len(t, again, 6)
	}
}

// checkCuts checks the contracts of Cut and Tail for one limit.
func checkCuts(t *testing.T, s rawjson.String, limit int) {
	t.Helper()
	lone := hasLone(s)
	head, tail := s.Cut(limit)
	require.Equal(t, []byte(s), append(bytes.Clone(head), tail...))
	require.Equal(t, s.String(), head.String()+tail.String(), "no character is cut in two")
	require.Equal(t, len(s) > 0, len(head) > 0)
	if len(head) > limit {
		require.Equal(t, 1, utf8.RuneCountInString(head.String()), "more than the limit only for the first character")
	}
	if len(tail) > 0 {
		first, _ := tail.Cut(1)
		require.Greater(t, len(head)+len(first), limit, "the head is as large as it can be")
	}
	if !lone {
		requireClean(t, head)
		requireClean(t, tail)
	}

	end := s.Tail(limit)
	require.LessOrEqual(t, len(end), limit)
	require.True(t, bytes.HasSuffix(s, end))
	require.True(t, strings.HasSuffix(s.String(), end.String()), "no character is cut in two")
	if dropped := s[:len(s)-len(end)]; len(dropped) > 0 {
		last := lastChar(dropped)
		require.Greater(t, len(end)+len(last), limit, "the tail is as large as it can be")
	}
	if !lone {
		requireClean(t, end)
	}
}

// lastChar returns the last character of a body.
func lastChar(s rawjson.String) rawjson.String {
	var last rawjson.String
	for len(s) > 0 {
		last, s = s.Cut(1)
	}
	return last
}

func TestCutAndTailAtEveryLimit(t *testing.T) {
	for _, b := range bodies {
		s := rawjson.String(b + "xy" + b + b)
		for limit := range len(s) + 2 {
			checkCuts(t, s, limit)
		}
	}
}

func TestSpecialCharactersAreFoundAtEveryOffset(t *testing.T) {
	// Strings are scanned eight bytes at a time, so test each offset.
	for before := range 17 {
		for after := range 17 {
			start, end := strings.Repeat("a", before), strings.Repeat("z", after)
			for _, escape := range []string{`\"`, `\\`, `\n`, `\u00e4`, `\ud83d\ude42`, `\ud83d`} {
				whole := token([]byte(start + escape + end))
				require.Equal(t, decoded(t, whole), parse(t, whole).String())
			}
			for _, raw := range []byte{0, 1, 0x0a, 0x1f} {
				_, err := rawjson.Parse(token([]byte(start + string(raw) + end)))
				require.ErrorIs(t, err, rawjson.ErrNotString, "control character %#x at %d", raw, before)
			}
			for _, raw := range []string{" ", "\x7f", "!", "#", "[", "]", "ä", "€", "🙂", "\u0080", "\u009f"} {
				whole := token([]byte(start + raw + end))
				require.Equal(t, start+raw+end, parse(t, whole).String())
			}
			_, err := rawjson.Parse([]byte(`"` + start + `"` + end + `"`))
			require.ErrorIs(t, err, rawjson.ErrNotString, "a quotation mark at %d", before)
			_, err = rawjson.Parse([]byte(`"` + start + `\"` + end))
			require.ErrorIs(t, err, rawjson.ErrNotString, "no end after %d bytes", before)
			_, err = rawjson.Parse([]byte(`"` + start + `\` + end))
			require.ErrorIs(t, err, rawjson.ErrNotString, "half an escape at %d", before)
		}
	}
}

func TestEveryByteAfterABackslash(t *testing.T) {
	for c := range 256 {
		body := fmt.Sprintf(`"12345\%c00e4678"`, c)
		_, err := rawjson.Parse([]byte(body))
		require.Equal(t, json.Valid([]byte(body)), err == nil, "%q", body)
		for at := range 4 {
			hex := []byte(`"\u00e4"`)
			hex[3+at] = byte(c)
			_, err := rawjson.Parse(hex)
			require.Equal(t, json.Valid(hex), err == nil, "%q", hex)
		}
	}
}

func TestCleanReplacesLoneSurrogates(t *testing.T) {
	for in, want := range map[string]string{
		`a\ud83d`:             `a\ufffd`,
		`\ude42b`:             `\ufffdb`,
		`\ud83d\ud83d\ude42`:  `\ufffd\ud83d\ude42`,
		`\ude42\ud83d`:        `\ufffd\ufffd`,
		`\uD83D\uDE42`:        `\uD83D\uDE42`,
		`\\ud83d`:             `\\ud83d`,
		`\\\ud83d`:            `\\\ufffd`,
		`\\\\ud83d`:           `\\\\ud83d`,
		`\ud83d\\ude42`:       `\ufffd\\ude42`,
		`\ud7ff\ue000`:        `\ud7ff\ue000`,
		`x\uDe42y\ud83dz\uD8`: `x\ufffdy\ufffdz\uD8`,
	} {
		require.Equal(t, want, string(rawjson.String(in).Clean()), "%s", in)
	}
}

func TestSplitHighCutsOnlyAWholeHighHalf(t *testing.T) {
	for in, half := range map[string]string{
		`a\ud83d`:       `\ud83d`,
		`\uDBFF`:        `\uDBFF`,
		`a\\ud83d`:      ``,
		`a\\\ud83d`:     `\ud83d`,
		`a\ude42`:       ``,
		`\ud83d\ude42`:  ``,
		`\ud83d\ud83d`:  `\ud83d`,
		`ud83d`:         ``,
		`\ud83dx`:       ``,
		`\ud7ff`:        ``,
		`\\\\\\\\ud83d`: ``,
	} {
		whole, got := rawjson.String(in).SplitHigh()
		require.Equal(t, half, string(got), "%s", in)
		require.Equal(t, in, string(whole)+string(got))
	}
}

func TestStringInsideOtherTypes(t *testing.T) {
	type message struct {
		Text rawjson.String `json:"text"`
	}
	in := []byte(`{"text":"a\n\ud83d\ude42ä\/"}`)
	var m message
	require.NoError(t, json.Unmarshal(in, &m))
	require.Equal(t, `a\n\ud83d\ude42ä\/`, string(m.Text), "kept as it came")
	clear(in) // m has a copy
	out, err := json.Marshal(m)
	require.NoError(t, err)
	require.Equal(t, `{"text":"a\n\ud83d\ude42ä\/"}`, string(out))

	require.NoError(t, json.Unmarshal([]byte(`{"text":null}`), &m))
	require.Nil(t, m.Text)
	out, err = json.Marshal(m)
	require.NoError(t, err)
	require.Equal(t, `{"text":""}`, string(out))

	for _, wrong := range []string{`{"text":1}`, `{"text":{}}`, `{"text":["a"]}`, `{"text":true}`} {
		require.ErrorIs(t, json.Unmarshal([]byte(wrong), &m), rawjson.ErrNotString)
	}
}

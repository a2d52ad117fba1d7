package jsontext_test

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/jsontext"
)

// long is from where on lines are looked at in another way.
const long = 512

// requireValid holds Valid to what the standard library says of the same bytes,
// alone and in a long line.
func requireValid(t *testing.T, b []byte) {
	t.Helper()
	requireValidLine(t, b)
	requireValidLine(t, append(bytes.Clone(b), bytes.Repeat([]byte("a"), long)...))
	requireValidLine(t, append(bytes.Repeat([]byte("a"), long), b...))
}

func requireValidLine(t *testing.T, b []byte) {
	t.Helper()
	want, got := bytes.ToValidUTF8(b, []byte("\ufffd")), jsontext.Valid(b)
	if !bytes.Equal(want, got) {
		require.Equal(t, want, got, "%q", b)
	}
	if len(b) > 0 && utf8.Valid(b) && &got[0] != &b[0] {
		require.Fail(t, "it is copied for nothing", "%q", b)
	}
}

func TestBytesThatAreNotUTF8AreFoundInEveryPlaceOfALongLine(t *testing.T) {
	sequences := []string{
		"\x80", "\xbf", "\xc0\x80", "\xc1\xbf", "\xc2", "\xc2\x41", "\xc2\x80", "\xdf\xbf", "\xdf\xbf\xbf",
		"\xe0\x80\x80", "\xe0\x9f\xbf", "\xe0\xa0\x80", "\xe2\x82", "\xe2\x82\xac", "\xe2\x28\xac", "\xed\x9f\xbf",
		"\xed\xa0\x80", "\xed\xbf\xbf", "\xee\x80\x80", "\xef\xbf\xbf", "\xf0\x80\x80\x80", "\xf0\x8f\xbf\xbf",
		"\xf0\x90\x80\x80", "\xf0\x9f\x99", "\xf0\x9f\x99\x82", "\xf0\x9f\x28\x82", "\xf4\x8f\xbf\xbf",
		"\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xf8\x88\x80\x80\x80", "\xfe", "\xff",
	}
	for _, around := range []string{"a", "ä", "€", "🙂"} {
		for before := range 100 {
			for _, behind := range []int{0, 1, 2, 3, 31, 32, 33, 70} {
				for _, s := range sequences {
					requireValid(t, []byte(strings.Repeat(around, before)+s+strings.Repeat(around, behind)))
				}
			}
		}
	}
}

func TestLinesThatAreCutOrChangedAreAsTheStandardLibrarySeesThem(t *testing.T) {
	rnd := rand.New(rand.NewPCG(13, 14))
	characters := []rune("a \n\"\\äß€日本🙂\u07ff\u0800\ud7ff\ue000\uffff\U00010000\U0010ffff")
	for range 200_000 {
		var b []byte
		for range rnd.IntN(120) {
			b = utf8.AppendRune(b, characters[rnd.IntN(len(characters))])
		}
		b = b[rnd.IntN(len(b)+1)/8:]
		b = b[:len(b)-min(len(b), rnd.IntN(4))]
		for range rnd.IntN(3) {
			if len(b) > 0 {
				b[rnd.IntN(len(b))] = byte(rnd.Uint32())
			}
		}
		requireValid(t, b)
	}
}

func FuzzValidIsWhatTheStandardLibraryMakes(f *testing.F) {
	f.Add([]byte("\xf0\x9f\x99"), 31)
	f.Add([]byte("\xe2\x82\xac\xff"), 64)
	f.Fuzz(func(t *testing.T, b []byte, before int) {
		requireValid(t, append(bytes.Repeat([]byte("a"), before&127), b...))
	})
}

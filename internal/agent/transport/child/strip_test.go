package child

import (
	"testing"

	"github.com/stretchr/testify/require"
)

var stripped = map[string]string{
	"plain\ttext\n":            "plain\ttext\n",
	"\x1b[1;31mred\x1b[m":      "red",
	"\x1b]8;;http://a\x1b\\b":  "b",
	"\x1b]0;title\x07b":        "b",
	"\x1b(Bc":                  "c",
	"\x1bPdevice\x1b\\d":       "d",
	"\x1b]never closed\nnext":  "\nnext",
	"\x1b[12\nnext":            "\nnext",
	"\x1b\x1b[1mx":             "x",
	"a\rb\r\nc\n\n\nd":         "a\nb\nc\nd",
	"bell\a null\x00 del\x7f.": "bell null del.",
	"\xff\xfe é":               "\xff\xfe é",
}

func TestEscapesAndControlsAreRemoved(t *testing.T) {
	for in, want := range stripped {
		var s stripper
		require.Equal(t, want, string(s.append(nil, []byte(in))), "%q", in)
	}
}

func TestWhereTheStreamIsCutDoesNotMatter(t *testing.T) {
	for in, want := range stripped {
		for cut := range len(in) {
			var s stripper
			out := s.append(nil, []byte(in[:cut]))
			require.Equal(t, want, string(s.append(out, []byte(in[cut:]))), "%q at %d", in, cut)
		}
	}
}

func FuzzStrippedTextHasNoControls(f *testing.F) {
	for in := range stripped {
		f.Add([]byte(in))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		var s stripper
		for _, c := range s.append(nil, in) {
			require.True(t, c == '\n' || c == '\t' || c >= 0x20 && c != del)
		}
	})
}

package jsontext

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// scanned is what a scan of the body of a token finds that goes by blocks first.
func scanned(b []byte, blocks func([]byte, int) (int, int, bool)) (end int, lone bool) {
	end, next, lone := blocks(b, 0)
	if end == 0 {
		var some bool
		end, some = scanRest(b, next)
		lone = lone || some
	}
	return end, lone && end > 0
}

// requireAlike holds the ways to scan to each other.
func requireAlike(t *testing.T, b []byte) {
	t.Helper()
	end, lone := scanRest(b, 0)
	lone = lone && end > 0
	unmarkedEnd, unmarkedLone := scanned(b, scanUnmarked)
	require.Equal(t, end, unmarkedEnd, "%q", b)
	require.Equal(t, lone, unmarkedLone, "%q", b)
	if vectors(worth) {
		markedEnd, markedLone := scanned(b, scanMarked)
		require.Equal(t, end, markedEnd, "%q", b)
		require.Equal(t, lone, markedLone, "%q", b)
	}
}

func TestEveryByteIsMarkedAsWhatItIs(t *testing.T) {
	// Plain, and behind one, two and three backslashes, in each place.
	for c := range 256 {
		for place := range 2 * block {
			for slashes := range 4 {
				b := []byte(strings.Repeat("a", place) + strings.Repeat(`\`, slashes) + string([]byte{byte(c)}) + strings.Repeat("0", 2*block) + `"`)
				requireAlike(t, b)
			}
		}
	}
}

func TestRunsOfBackslashesAreCountedAcrossBlocks(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	for range 20_000 {
		var b []byte
		for range 8 {
			b = append(b, strings.Repeat("a", rnd.IntN(40))...)
			b = append(b, strings.Repeat(`\`, rnd.IntN(5)+rnd.IntN(2)*rnd.IntN(2*block))...)
			b = append(b, []string{`"`, `n`, `u00e9`, `ud83d`, `\ude42`, ``, "\n"}[rnd.IntN(7)]...)
		}
		requireAlike(t, append(b, strings.Repeat("z", rnd.IntN(2*block))+`"`...))
	}
}

func TestSurrogatesAreFoundInEveryPlace(t *testing.T) {
	for _, escape := range []string{`\ud83d`, `\uDE42`, `\ud83d\ude42`, `\uD83D\uDE42`} {
		for before := range 3 * block {
			for _, behind := range []int{0, 1, block, worth} {
				s := strings.Repeat("u", before) + escape + strings.Repeat("d", behind)
				require.Equal(t, before, surrogate([]byte(s)), s)
			}
		}
	}
	for _, other := range []string{``, `\u00e9`, `u\nd`, `\tud8`, `ud83d`} {
		for n := range 3 * block {
			for _, behind := range []int{block, worth} {
				s := strings.Repeat("u", n) + other + strings.Repeat("d", behind)
				require.Equal(t, -1, surrogate([]byte(s)), s)
			}
		}
	}
}

func TestCleanTextHasNoHalfOfACharacter(t *testing.T) {
	pieces := []string{`\ud83d`, `\uDE42`, `\ud83d\ude42`, `\\`, `\\ud83d`, `\u00e9`, `ud8`, `a long piece without anything in it `, `ä`, `\n`}
	rnd := rand.New(rand.NewPCG(11, 12))
	for range 20_000 {
		var b strings.Builder
		for range rnd.IntN(120) {
			b.WriteString(pieces[rnd.IntN(len(pieces))])
		}
		s := String(b.String())
		clean := s.Clean()
		end, lone := scanRest(append(slices.Clip([]byte(clean)), '"'), 0)
		require.Equal(t, len(clean)+1, end, "%s", s)
		require.False(t, lone, "%s became %s", s, clean)
		require.Equal(t, s.String(), clean.String(), "%s", s)
	}
}

func FuzzAllWaysToScanAStringAgree(f *testing.F) {
	f.Add([]byte(strings.Repeat("a", block-1)+`\"b"`), 3)
	f.Add([]byte(strings.Repeat("a", block-2)+`\ud83d\ude42"`), 1)
	f.Add([]byte(strings.Repeat(`\`, block)+`"`), 2)
	f.Fuzz(func(t *testing.T, b []byte, repeat int) {
		for range repeat & 7 {
			requireAlike(t, b)
			b = append(slices.Clip(b), b[:min(len(b), block+1)]...)
		}
	})
}

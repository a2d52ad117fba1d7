package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPercentileIsTheNearestRank(t *testing.T) {
	values := []float64{5, 1, 4, 2, 3}
	for p, want := range map[float64]float64{0: 1, 20: 1, 21: 2, 50: 3, 99: 5, 100: 5} {
		require.InDelta(t, want, percentile(values, p), 0, "p%v", p)
	}
	require.Equal(t, []float64{5, 1, 4, 2, 3}, values, "the values keep their order")
}

func TestNumbersHaveThousandsSeparators(t *testing.T) {
	require.Equal(t, "0", number(0.4, 0))
	require.Equal(t, "999.50", number(999.5, 2))
	require.Equal(t, "1,000", number(1000, 0))
	require.Equal(t, "-1,234,567.9", number(-1234567.89, 1))
}

func TestAimsAreJudgedAgainstTheOtherContender(t *testing.T) {
	f := make(figures)
	f.add(eventRate, single, 2500)
	f.add(eventRate, joined, 4400)
	f.add(eventRate, peer, 100)
	require.Equal(t, []string{"25.00", "turnwire ≥ 25 × peer", "yes"}, f.judge(eventRate, aim{of: single, against: peer, atLeast: true, bound: 25}))
	require.Equal(t, []string{"44.00", "joined ≥ 45 × peer", "no"}, f.judge(eventRate, aim{of: joined, against: peer, atLeast: true, bound: 45}))
	require.Equal(t, []string{"", "joined ≤ 2 × cat", "?"}, f.judge(eventRate, aim{of: joined, against: plain, bound: 2}))
	require.Equal(t, []string{"", "peer ≤ 100", "yes"}, f.judge(eventRate, aim{of: peer, bound: 100}))
	require.Equal(t, []string{"2,400.00", "turnwire ≤ peer + 3", "no"}, f.judge(eventRate, aim{of: single, against: peer, bound: 3, beyond: true}))
}

func TestTableShowsMediansAndALineForEachAim(t *testing.T) {
	f := make(figures)
	for _, v := range []float64{30, 10, 20} {
		f.add(eventRate, single, v)
	}
	f.add(eventRate, peer, 1)
	f.add(updatesSent, peer, 7)
	var out strings.Builder
	require.NoError(t, f.print(&out))
	var got [][]string
	for line := range strings.Lines(out.String()) {
		got = append(got, strings.Fields(line))
	}
	require.Equal(t, [][]string{
		{"metric", "turnwire", "joined", "unkept", "served", "shared", "ahp", "peer", "cat", "ratio", "aim", "ok?"},
		{"events/s", "20", "–", "–", "–", "–", "–", "1", "–", "20.00", "turnwire", "≥", "25", "×", "peer", "no"},
		{"joined", "≥", "45", "×", "peer", "?"},
		{"joined", "≥", "0.9", "×", "unkept", "?"},
		{"updates", "sent", "–", "–", "–", "–", "–", "–", "7", "–"},
	}, got)
}

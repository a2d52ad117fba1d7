package main

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"
)

// An aim bounds a figure, alone or as a multiple of another contender's.
type aim struct {
	of      string
	against string // "" bounds the figure itself
	atLeast bool
	bound   float64
}

// A line of the table is a metric, how many decimals it has, and its aims.
type line struct {
	metric   metric
	decimals int
	aims     []aim
}

var lines = []line{
	{eventRate, 0, []aim{{single, peer, true, 25}, {joined, peer, true, 45}}},
	{wallTime, 3, []aim{{single, plain, false, 2.5}, {joined, plain, false, 2.5}}},
	{cpuPerMillion, 3, nil},
	{peakMixed, 1, []aim{{single, "", false, 16}, {joined, "", false, 16}}},
	{updatesSent, 0, nil},
	{writesPer1000, 1, nil},
	{resultRate, 0, []aim{{single, peer, true, 12}, {joined, peer, true, 12}}},
	{peakResults, 1, []aim{{single, "", false, 48}, {joined, "", false, 48}}},
	{delayP50, 0, []aim{{single, peer, false, 0.7}, {joined, peer, false, 0.7}}},
	{delayP99, 0, []aim{{single, peer, false, 0.5}, {joined, peer, false, 0.5}}},
	{delaySecond, 0, nil},
	{controlFull, 3, []aim{{single, peer, false, 0.5}, {joined, peer, false, 0.5}}},
	{controlSlow, 1, []aim{{single, peer, false, 1.5}, {joined, peer, false, 1.5}}},
	{startTime, 2, []aim{{joined, peer, false, 1.2}}},
	{slowGrowth, 2, []aim{{single, "", false, growthBound}, {joined, "", false, growthBound}}},
	{sessionRate, 0, nil},
	{sessionPeak, 1, nil},
}

// columns are the contenders in the order in which they are shown.
var columns = []string{single, joined, peer, plain}

// print shows what was measured. A metric with several aims takes a line for
// each.
func (f figures) print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, strings.Join(append(append([]string{"metric"}, columns...), "ratio", "aim", "ok?"), "\t"))
	for _, l := range lines {
		if len(f[l.metric]) == 0 {
			continue
		}
		cells := []string{string(l.metric)}
		for _, name := range columns {
			cell := "–"
			if v, ok := f.median(l.metric, name); ok {
				cell = number(v, l.decimals)
			}
			cells = append(cells, cell)
		}
		if len(l.aims) == 0 {
			cells = append(cells, "", "", "")
		}
		for _, a := range l.aims {
			fmt.Fprintln(t, strings.Join(append(cells, f.judge(l.metric, a)...), "\t"))
			cells = make([]string, 1+len(columns))
		}
		if len(l.aims) == 0 {
			fmt.Fprintln(t, strings.Join(cells, "\t"))
		}
	}
	return t.Flush()
}

// judge returns the ratio, the aim in words and whether it is met.
func (f figures) judge(m metric, a aim) []string {
	sign := "≤"
	if a.atLeast {
		sign = "≥"
	}
	bound := strconv.FormatFloat(a.bound, 'g', -1, 64)
	value, ok := f.median(m, a.of)
	ratio := ""
	words := fmt.Sprintf("%s %s %s", a.of, sign, bound)
	if a.against != "" {
		words = fmt.Sprintf("%s %s %s × %s", a.of, sign, bound, a.against)
		other, known := f.median(m, a.against)
		ok = ok && known && other != 0
		if ok {
			value /= other
			ratio = number(value, 2)
		}
	}
	verdict := "?"
	if ok {
		verdict = "no"
		if value == a.bound || (value > a.bound) == a.atLeast {
			verdict = "yes"
		}
	}
	return []string{ratio, words, verdict}
}

// number formats v with decimals and thousands separators.
func number(v float64, decimals int) string {
	s := strconv.FormatFloat(math.Abs(v), 'f', decimals, 64)
	whole, fraction, _ := strings.Cut(s, ".")
	var b strings.Builder
	if v < 0 {
		b.WriteByte('-')
	}
	for i, digit := range []byte(whole) {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteByte(digit)
	}
	if fraction != "" {
		b.WriteString("." + fraction)
	}
	return b.String()
}

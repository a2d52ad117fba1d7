package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/turnwire/turnwire/bench/events"
)

// An aim is a limit for a figure, absolute or as a multiple of another contender's.
type aim struct {
	of      string
	against string // "" limits the figure itself
	atLeast bool
	bound   float64
	beyond  bool // the limit applies to the difference from the other's figure
}

// A line of the table is a metric, its number of decimals, and its aims.
type line struct {
	metric   metric
	decimals int
	aims     []aim
}

var lines = []line{
	{eventRate, 0, []aim{{of: single, against: peer, atLeast: true, bound: 25}, {of: joined, against: peer, atLeast: true, bound: 45}, {of: joined, against: unkept, atLeast: true, bound: 0.9}}},
	{writtenRate, 0, []aim{{of: single, against: peer, atLeast: true, bound: 40}, {of: joined, against: peer, atLeast: true, bound: 40}, {of: joined, against: unkept, atLeast: true, bound: 0.9}}},
	{wallTime, 3, []aim{{of: single, against: plain, bound: 2.5}, {of: joined, against: plain, bound: 2.5}}},
	{cpuPerMillion, 3, []aim{{of: served, against: joined, bound: 2}, {of: shared, against: served, bound: 2}, {of: hosted, against: joined, bound: 4}}},
	{peakMixed, 1, []aim{{of: single, bound: 16}, {of: joined, bound: 16}}},
	{updatesSent, 0, nil},
	{writesPer1000, 1, nil},
	{resultRate, 0, []aim{{of: single, against: peer, atLeast: true, bound: 12}, {of: joined, against: peer, atLeast: true, bound: 12}}},
	{peakResults, 1, []aim{{of: single, bound: 48}, {of: joined, bound: 48}}},
	{delayP50, 0, []aim{{of: single, against: peer, bound: 0.7}, {of: joined, against: peer, bound: 0.7}, {of: served, against: joined, bound: 2}}},
	{delayP99, 0, []aim{{of: single, against: peer, bound: 0.5}, {of: joined, against: peer, bound: 0.5}}},
	{delaySecond, 0, nil},
	{steadyCPU, 1, []aim{{of: served, against: joined, bound: 1.6}, {of: shared, against: served, bound: 2}, {of: hosted, against: joined, bound: 4}}},
	{firstTextP50, 0, []aim{{of: served, against: joined, bound: 2}}},
	{firstTextP99, 0, nil},
	{controlFull, 3, []aim{{of: single, against: peer, bound: 0.5}, {of: joined, against: peer, bound: 0.5}}},
	{controlSlow, 1, []aim{{of: single, against: peer, bound: 1.5}, {of: joined, against: peer, bound: 1.5}}},
	{startTime, 2, []aim{{of: joined, against: peer, bound: 3, beyond: true}}},
	{slowGrowth, 2, []aim{{of: single, bound: growthBound}, {of: joined, bound: growthBound}}},
	{sessionRate, 0, nil},
	{sessionCPU, 3, nil},
	{sessionPeak, 1, []aim{{of: single, bound: 64}, {of: joined, bound: 64}}},
	{sessionIdle, 1, []aim{{of: single, bound: 40}, {of: joined, bound: 40}, {of: served, bound: 100}}},
	{clientIdle, 1, nil},
}

// toolTable returns the lines for tool events in each dialect.
func toolTable() []line {
	var table []line
	for _, d := range events.Dialects {
		table = append(table, line{toolLine(d.Name), 2, []aim{{of: single, bound: 1.2}, {of: joined, bound: 1.2}}})
	}
	return table
}

// columns are the contenders in display order.
var columns = []string{single, joined, unkept, served, shared, hosted, peer, plain}

// print writes the measurements as a table. A metric with several aims has one line per
// aim.
func (f figures) print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, strings.Join(append(append([]string{"metric"}, columns...), "ratio", "aim", "ok?"), "\t"))
	for _, l := range slices.Concat(lines, toolTable()) {
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

// judge returns the ratio, the aim in words, and whether it is met.
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
		if ok && a.beyond {
			words = fmt.Sprintf("%s ≤ %s + %s", a.of, a.against, bound)
			value -= other
			ratio = number(value, 2)
		} else if ok {
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

package main

import (
	"math"
	"slices"
)

// A metric is the displayed name of a measured quantity.
type metric string

// The metrics.
const (
	eventRate     metric = "events/s"
	writtenRate   metric = "events/s, as agents write them"
	wallTime      metric = "wall time, s"
	cpuPerMillion metric = "CPU s per million events"
	peakMixed     metric = "peak memory, MB"
	updatesSent   metric = "updates sent"
	writesPer1000 metric = "write calls per 1,000 events"
	resultRate    metric = "large results, MB/s"
	peakResults   metric = "large results: peak memory, MB"
	delayP50      metric = "delay in bursts p50, µs"
	delayP99      metric = "delay in bursts p99, µs"
	delaySecond   metric = "delay in bursts p99 of a second, µs"
	steadyCPU     metric = "CPU µs per event in bursts"
	firstTextP50  metric = "prompt to first text p50, µs"
	firstTextP99  metric = "prompt to first text p99, µs"
	controlFull   metric = "control answer, full stream, p50 ms"
	controlSlow   metric = "control answer, 1 MB/s client, p50 ms"
	startTime     metric = "start to first byte of initialize, p50 ms"
	slowGrowth    metric = "growth while the client does not read, MB"
	sessionRate   metric = "events/s, many sessions at once"
	sessionIdle   metric = "a session that waits: memory, KB"
	sessionCPU    metric = "many sessions: CPU s per million events"
	clientIdle    metric = "a client of AHP that waits: memory, KB"
	sessionPeak   metric = "many sessions: peak memory, MB"
)

// figures holds the measurements by metric and contender.
type figures map[metric]map[string][]float64

func (f figures) add(m metric, contender string, value float64) {
	if f[m] == nil {
		f[m] = make(map[string][]float64)
	}
	f[m][contender] = append(f[m][contender], value)
}

// median returns the median of the runs. It returns false if there are no runs.
func (f figures) median(m metric, contender string) (float64, bool) {
	values := f[m][contender]
	if len(values) == 0 {
		return 0, false
	}
	return percentile(values, 50), true
}

// percentile returns the smallest value that at least p per cent of the values don't
// exceed. values must not be empty.
func percentile(values []float64, p float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	rank := int(math.Ceil(p / 100 * float64(len(sorted))))
	return sorted[max(rank, 1)-1]
}

package dialect

import "time"

// Elapsed returns the milliseconds between two RFC 3339 timestamps, or 0 if
// either is invalid.
func Elapsed(from, to string) float64 {
	a, errA := time.Parse(time.RFC3339, from)
	b, errB := time.Parse(time.RFC3339, to)
	if errA != nil || errB != nil {
		return 0
	}
	return float64(b.Sub(a).Milliseconds())
}

// Duration formats milliseconds for the user, rounded to a tenth of a second.
func Duration(ms float64) string {
	const longest = float64(1 << 40) // fits a time.Duration
	return time.Duration(min(ms, longest) * float64(time.Millisecond)).Round(100 * time.Millisecond).String()
}

package dialect

import "time"

// Elapsed returns the milliseconds from one RFC 3339 date to another. They are 0
// where either is not a date.
func Elapsed(from, to string) float64 {
	a, errA := time.Parse(time.RFC3339, from)
	b, errB := time.Parse(time.RFC3339, to)
	if errA != nil || errB != nil {
		return 0
	}
	return float64(b.Sub(a).Milliseconds())
}

// Duration writes milliseconds for the user, to a tenth of a second.
func Duration(ms float64) string {
	const longest = float64(1 << 40) // what a time.Duration holds
	return time.Duration(min(ms, longest) * float64(time.Millisecond)).Round(100 * time.Millisecond).String()
}

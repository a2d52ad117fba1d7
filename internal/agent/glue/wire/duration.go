package wire

import (
	"math"
	"strconv"

	"github.com/turnwire/turnwire/internal/lazyregexp"
)

var (
	dartDuration = lazyregexp.New(`^(\d+):(\d{1,2}):(\d{1,2}(?:\.\d+)?)$`)
	isoDuration  = lazyregexp.New(`^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$`)
)

// parseDuration returns a duration in milliseconds. It accepts the format of
// Dart's Duration.toString ("0:00:01.500000"), ISO 8601 ("PT1.5S") and a plain
// number of milliseconds. It returns 0 for anything else, because an invalid
// duration should not invalidate its event.
func parseDuration(s string) float64 {
	if v, err := strconv.ParseFloat(s, 64); err == nil {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return 0
		}
		return math.Max(v, 0)
	}
	if m := dartDuration().FindStringSubmatch(s); m != nil {
		return toMilliseconds("", m[1], m[2], m[3])
	}
	if m := isoDuration().FindStringSubmatch(s); m != nil {
		return toMilliseconds(m[1], m[2], m[3], m[4])
	}
	return 0
}

func toMilliseconds(parts ...string) float64 {
	var seconds float64
	for i, unit := range []float64{24 * 3600, 3600, 60, 1} {
		if v, err := strconv.ParseFloat(parts[i], 64); err == nil {
			seconds += v * unit
		}
	}
	if math.IsInf(seconds*1000, 0) {
		return 0
	}
	return math.Round(seconds*1e6) / 1e3
}

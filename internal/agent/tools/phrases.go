package tools

import (
	"strconv"
	"strings"
)

// Shorten turns text into one line of at most limit characters.
func Shorten(text string, limit int) string {
	text = strings.Join(strings.Fields(text), " ")
	runes := []rune(text)
	if len(runes) <= limit {
		return text
	}
	return strings.TrimSpace(string(runes[:limit-1])) + "…"
}

// Plural formats a number of things.
func Plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	if stem, ok := strings.CutSuffix(thing, "y"); ok {
		thing = stem + "ie"
	}
	return strconv.Itoa(n) + " " + thing + "s"
}

// Size formats a number of bytes.
func Size(n int64) string {
	if n < 1000 {
		return Plural(int(n), "byte")
	}
	size, unit := float64(n)/1000, 0
	for size >= 999.95 && unit < 3 {
		size /= 1000
		unit++
	}
	return strconv.FormatFloat(size, 'f', 1, 64) + " " + [...]string{"kB", "MB", "GB", "TB"}[unit]
}

// clip truncates text to at most limit characters.
func clip(text string, limit int) string {
	n := 0
	for i := range text {
		if n == limit {
			return text[:i] + "…"
		}
		n++
	}
	return text
}

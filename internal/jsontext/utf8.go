package jsontext

import "unicode/utf8"

// validUTF8 tells whether b is UTF-8. Where the processor can, all but the end
// is looked at in lanes.
func validUTF8(b []byte) bool {
	if vectors(len(b)) {
		whole := len(b) &^ (lane - 1)
		if !validLanes(&b[0], whole/lane) {
			return false
		}
		// What the last lane begins and does not end is the end's to tell.
		for i := whole - 1; i >= whole-utf8.UTFMax; i-- {
			if utf8.RuneStart(b[i]) {
				whole = i
				break
			}
		}
		b = b[whole:]
	}
	return utf8.Valid(b)
}

package ansi

import "strconv"

const (
	// EraseBelow erases from the cursor to the end of the screen.
	EraseBelow = "\x1b[J"
	// EraseLine erases the cursor's line without moving the cursor.
	EraseLine = "\x1b[2K"
)

// A hidden cursor stays hidden after the program exits.
const (
	HideCursor = "\x1b[?25l"
	ShowCursor = "\x1b[?25h"
)

// The terminal shows everything between these two at once. Terminals that don't support
// synchronized updates ignore them.
const (
	BeginFrame = "\x1b[?2026h"
	EndFrame   = "\x1b[?2026l"
)

// CursorUp moves the cursor up by n rows, at least one.
func CursorUp(n int) string {
	if n <= 1 {
		return "\x1b[A"
	}
	return "\x1b[" + strconv.Itoa(n) + "A"
}

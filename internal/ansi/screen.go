package ansi

import "strconv"

const (
	// EraseBelow erases from the cursor to the end of the screen.
	EraseBelow = "\x1b[J"
	// EraseLine erases the cursor's line, and leaves the cursor where it is.
	EraseLine = "\x1b[2K"
)

// A cursor that is hidden stays so beyond the end of the program.
const (
	HideCursor = "\x1b[?25l"
	ShowCursor = "\x1b[?25h"
)

// What stands between these is shown at once. A terminal that knows no frames
// ignores them.
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

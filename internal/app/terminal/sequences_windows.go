package terminal

import (
	"io"
	"os"

	"golang.org/x/sys/windows"
)

// controlSequences makes a console interpret control sequences until undo is called. Old
// consoles ignore them by default.
func controlSequences(out io.Writer) (undo func()) {
	f, ok := out.(*os.File)
	if !ok {
		return func() {}
	}
	console := windows.Handle(f.Fd())
	var mode uint32
	if windows.GetConsoleMode(console, &mode) != nil {
		return func() {}
	}
	_ = windows.SetConsoleMode(console, mode|windows.ENABLE_PROCESSED_OUTPUT|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING)
	return func() { _ = windows.SetConsoleMode(console, mode) }
}

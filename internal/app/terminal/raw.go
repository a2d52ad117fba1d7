package terminal

import (
	"fmt"
	"io"

	"golang.org/x/term"
)

// rawMode makes the terminal deliver keys as they are pressed, without echo, until
// restore is called. It does nothing if in is not a terminal.
func rawMode(in io.Reader, out io.Writer) (restore func(), err error) {
	type file interface{ Fd() uintptr }
	f, ok := in.(file)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return func() {}, nil
	}
	fd := int(f.Fd())
	before, err := term.MakeRaw(fd)
	if err != nil {
		return nil, fmt.Errorf("read keys from the terminal: %w", err)
	}
	undo := controlSequences(out)
	return func() {
		undo()
		_ = term.Restore(fd, before)
	}, nil
}

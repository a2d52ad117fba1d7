package jsontext

import "golang.org/x/sys/cpu"

// marked tells whether this processor can read marks.
var marked = cpu.X86.HasAVX2

// readMarks is in marks_amd64.s.
//
//go:noescape
func readMarks(b *[block]byte, m *marks)

func (m *marks) read(b *[block]byte) { readMarks(b, m) }

package jsontext

import "github.com/turnwire/turnwire/internal/lazy"

// vectors tells whether this processor, and the system, have AVX2. The answer
// takes a while in a virtual machine, so it is asked for when it is needed and
// not at every start.
func vectors() bool { return avx2.Get() }

var avx2 = lazy.Value[bool]{Make: hasAVX2}

// hasAVX2 is in vectors_amd64.s.
//
//go:noescape
func hasAVX2() bool

// lane is how many bytes one instruction looks at.
const lane = 32

// validLanes tells whether n lanes from b on are UTF-8, but for a character at
// their end that goes on behind them. It is in utf8_amd64.s.
//
//go:noescape
func validLanes(b *byte, n int) bool

// readMarks is in marks_amd64.s.
//
//go:noescape
func readMarks(b *[block]byte, m *marks)

func (m *marks) read(b *[block]byte) { readMarks(b, m) }

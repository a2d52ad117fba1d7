package jsontext

import "sync/atomic"

// worth is how many bytes must come together before the processor is asked
// whether it has AVX2. To ask takes tens of microseconds in a virtual machine:
// an editor's first request is shorter, and does not wait for that.
const worth = 8 * block

const (
	unknown int32 = iota
	without
	with
)

// avx2 is what the processor, and the system, have said.
var avx2 atomic.Int32

// vectors tells whether to look at n bytes with instructions that look at many.
func vectors(n int) bool {
	switch avx2.Load() {
	case with:
		return n >= block
	case unknown:
		if n >= worth {
			return ask()
		}
	}
	return false
}

func ask() bool {
	if hasAVX2() {
		avx2.Store(with)
		return true
	}
	avx2.Store(without)
	return false
}

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

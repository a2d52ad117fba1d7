package prefault

import "unsafe"

// The advice of madvise(2) that is asked for.
const (
	populateRead  = 22 // MADV_POPULATE_READ
	populateWrite = 23 // MADV_POPULATE_WRITE
)

const (
	pageSize = 4 << 10
	// heapSize is as much as a bridge has taken of the heap, in bytes, when it
	// has given its first answer, and is soon in use anyway.
	heapSize = 512 << 10
)

// mark is the first object that the program allocates for itself: what follows
// in its arena is free.
var mark *[64]byte

func init() {
	mark = new([64]byte)
	text, etext, data, edata := sections()
	heap := uintptr(unsafe.Pointer(mark))
	populate(heap, heap+heapSize, populateWrite)
	populate(data, edata, populateWrite)
	populate(text, etext, populateRead)
}

// populate has the pages of the addresses from begin until end put in place.
func populate(begin, end, advice uintptr) {
	begin &^= pageSize - 1
	madvise(begin, end-begin, advice)
}

// sections returns where the program's code, and its variables that are pointers
// and have a value from the start, begin and end.
func sections() (text, etext, data, edata uintptr)

// madvise makes the system call. Its result is of no use to anybody.
func madvise(begin, length, advice uintptr)

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
	// smallSize is where the variables without pointers are that packages set as
	// they are initialised, in bytes from the first: the linker has small ones
	// begin, and tables end. A page of the program's file that is written to when
	// other threads run already is the most expensive of all.
	smallSize = 16 << 10
)

// mark is the first object that the program allocates for itself: what follows
// in its arena is free.
var mark *[64]byte

func init() {
	mark = new([64]byte)
	text, etext, noptrdata, data, edata := sections()
	heap := uintptr(unsafe.Pointer(mark))
	populate(heap, heap+heapSize, populateWrite)
	populate(noptrdata, noptrdata+smallSize, populateWrite)
	populate(data, edata, populateWrite)
	populate(text, etext, populateRead)
}

// populate has the pages of the addresses from begin until end put in place.
func populate(begin, end, advice uintptr) {
	begin &^= pageSize - 1
	madvise(begin, end-begin, advice)
}

// sections returns where the program's code begins and ends; where the variables
// with a value begin that hold no pointers; and where those that hold some begin
// and end.
func sections() (text, etext, noptrdata, data, edata uintptr)

// madvise makes the system call. Its result is of no use to anybody.
func madvise(begin, length, advice uintptr)

package prefault

import (
	"encoding/binary"
	"os"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

func TestThePagesAreInPlace(t *testing.T) {
	text, etext, noptrdata, data, edata := sections()
	require.Less(t, text, etext)
	require.Less(t, noptrdata, data)
	require.Less(t, data, edata)
	heap := uintptr(unsafe.Pointer(mark))
	// The runtime maps the heap piece by piece, and begins anywhere in the first.
	const piece = 4 << 20
	heapEnd := min(heap+heapSize, heap&^(piece-1)+piece)

	pages, err := os.Open("/proc/self/pagemap")
	require.NoError(t, err)
	defer pages.Close()
	for _, part := range []struct {
		name       string
		begin, end uintptr
		own        bool // not the page of the program's file
	}{
		{"code", text, etext, false},
		{"small variables without pointers", noptrdata, min(noptrdata+smallSize, data), true},
		{"variables with pointers", data, edata, true},
		{"heap", heap, heapEnd, true},
	} {
		for page := part.begin / pageSize; page < part.end/pageSize; page++ {
			entry := make([]byte, 8)
			_, err := pages.ReadAt(entry, int64(page)*8)
			require.NoError(t, err)
			state := binary.NativeEndian.Uint64(entry)
			require.NotZero(t, state&(1<<63), "%s: page %d is not there", part.name, page-part.begin/pageSize)
			ofFile := state&(1<<61) != 0
			require.NotEqual(t, part.own, ofFile, "%s: page %d is of the file: %t", part.name, page-part.begin/pageSize, ofFile)
		}
	}
}

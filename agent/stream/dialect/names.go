package dialect

import "hash/maphash"

const (
	maxName  = 64 // longer strings are hardly names
	nameSets = 64 // a power of two
)

var nameSeed = maphash.MakeSeed()

// names gives strings for bytes that come again and again, ids above all: only
// the first costs an allocation. What falls on the place of another string takes
// it, so the memory is bounded. The zero value is ready.
type names struct{ known []string }

func (n *names) get(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	if len(b) > maxName {
		return string(b)
	}
	if n.known == nil {
		n.known = make([]string, nameSets)
	}
	at := &n.known[maphash.Bytes(nameSeed, b)&(nameSets-1)]
	if *at != string(b) {
		*at = string(b)
	}
	return *at
}

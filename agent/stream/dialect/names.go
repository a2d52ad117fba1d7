package dialect

import "hash/maphash"

const (
	maxName  = 64 // longer strings are unlikely to recur
	nameSets = 64 // a power of two
)

var nameSeed = maphash.MakeSeed()

// names interns strings that recur, mainly ids: only the first use allocates. It
// is a cache with one entry for each hash value, so its memory is bounded. The
// zero value is ready to use.
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

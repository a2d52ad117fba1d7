package v1

// A Variant is a member of a union, with its tag.
type Variant[T any] struct {
	Tag string
	New func() T
}

// makeVariant returns a new member for a tag.
func makeVariant[T any](union []Variant[T], tag string) (member T, ok bool) {
	for i := range union {
		if union[i].Tag == tag {
			return union[i].New(), true
		}
	}
	return member, false
}

package v1

// A Variant is a member of a union, by the tag that it has on the wire.
type Variant[T any] struct {
	Tag string
	New func() T
}

// makeVariant makes the member that has a tag.
func makeVariant[T any](union []Variant[T], tag string) (member T, ok bool) {
	for i := range union {
		if union[i].Tag == tag {
			return union[i].New(), true
		}
	}
	return member, false
}

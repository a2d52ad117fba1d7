package normalize

import (
	"bytes"
	"slices"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// sameArgs reports whether a and b are the same arguments, except for white
// space, escapes and member order. Clients would take repeated arguments for
// another call.
func sameArgs(a, b agent.Raw) bool {
	if bytes.Equal(a, b) {
		return true
	}
	if len(a) == 0 || len(b) == 0 || a[0] != '{' || b[0] != '{' || len(a)+len(b) > maxArgs {
		return false
	}
	return rawjson.Depth(a) <= maxDepth && rawjson.Depth(b) <= maxDepth && sameJSON(a, b)
}

// sameJSON compares two well-formed values. Numbers are equal only if they are
// written the same way.
func sameJSON(a, b []byte) bool {
	if len(a) == 0 || len(b) == 0 || a[0] != b[0] {
		return bytes.Equal(a, b)
	}
	switch a[0] {
	case '{':
		return slices.EqualFunc(members(a), members(b), func(x, y member) bool { return x.key == y.key && sameJSON(x.value, y.value) })
	case '[':
		return slices.EqualFunc(slices.Collect(rawjson.Elements(a)), slices.Collect(rawjson.Elements(b)), sameJSON)
	case '"':
		return bytes.Equal(a, b) || rawjson.String(a[1:len(a)-1]).String() == rawjson.String(b[1:len(b)-1]).String()
	}
	return bytes.Equal(a, b)
}

type member struct {
	key   string
	value []byte
}

// members returns an object's members sorted by name. Members with the same
// name keep their order.
func members(object []byte) (out []member) {
	o := rawjson.Walk(object)
	for {
		key, value, ok := o.Next()
		if !ok {
			break
		}
		out = append(out, member{rawjson.String(key).String(), value})
	}
	slices.SortStableFunc(out, func(x, y member) int { return strings.Compare(x.key, y.key) })
	return out
}

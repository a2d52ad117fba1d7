package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/turnwire/turnwire/internal/exactjson"
)

// difference returns where the second transcript begins to differ.
func difference(first, second string) string {
	a, b := strings.Split(strings.TrimSpace(first), "\n"), strings.Split(strings.TrimSpace(second), "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			var x, y any
			if exactjson.Unmarshal([]byte(a[i]), &x) == nil && exactjson.Unmarshal([]byte(b[i]), &y) == nil {
				return between(nil, x, y)
			}
			return fmt.Sprintf("%s instead of %s", b[i], a[i])
		}
	}
	return fmt.Sprintf("%d lines instead of %d", len(b), len(a))
}

// between returns the first part that differs, with the names on the way to it.
func between(path []string, x, y any) string {
	a, isObject := x.(map[string]any)
	b, both := y.(map[string]any)
	if !isObject || !both {
		return fmt.Sprintf("%s is %q instead of %q", strings.Join(path, "."), fmt.Sprint(y), fmt.Sprint(x))
	}
	all := maps.Clone(a)
	maps.Copy(all, b)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if fmt.Sprint(a[name]) != fmt.Sprint(b[name]) {
			return between(append(path, name), a[name], b[name])
		}
	}
	return "nothing"
}

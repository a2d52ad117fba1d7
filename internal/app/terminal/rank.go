package terminal

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sahilm/fuzzy"
)

// rank returns the indexes of the names that match what was typed, best first: an exact
// name, the beginning of a name, a part of it, and then any name with the letters in the
// same order. In paths, the file's name takes precedence over its folders.
func rank(typed string, names []string) []int {
	if typed == "" {
		all := make([]int, len(names))
		for i := range all {
			all[i] = i
		}
		return all
	}
	matches := fuzzy.Find(typed, names)
	slices.SortStableFunc(matches, func(a, b fuzzy.Match) int {
		return cmp.Or(cmp.Compare(tier(typed, a.Str), tier(typed, b.Str)), cmp.Compare(b.Score, a.Score), cmp.Compare(len(a.Str), len(b.Str)))
	})
	found := make([]int, len(matches))
	for i, m := range matches {
		found[i] = m.Index
	}
	return found
}

// tier returns how well a name fits; 0 is best.
func tier(typed, name string) int {
	typed, name = strings.ToLower(typed), strings.ToLower(name)
	base := filepath.Base(name)
	stem := strings.TrimSuffix(base, filepath.Ext(base))
	for i, fits := range []bool{
		name == typed || base == typed,
		stem == typed,
		strings.HasPrefix(base, typed),
		strings.HasPrefix(name, typed),
		strings.Contains(base, typed),
		strings.Contains(name, typed),
	} {
		if fits {
			return i
		}
	}
	return 6
}

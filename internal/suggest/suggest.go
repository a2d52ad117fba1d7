// Package suggest guesses which name a user meant when they mistyped one.
package suggest

// Of returns the name in known that is most similar to word, or "" if none is
// similar enough.
func Of(word string, known []string) string {
	best, fewest := "", max(1, min(3, len(word)/2))+1
	a := []rune(word)
	if len(a) > maxWord {
		return ""
	}
	for _, name := range known {
		b := []rune(name)
		if len(b) > maxWord || max(len(a)-len(b), len(b)-len(a)) >= fewest {
			continue
		}
		if n := distance(a, b); n < fewest {
			best, fewest = name, n
		}
	}
	return best
}

// Hint returns a question with the probably intended name, to be appended to an error
// message. It returns "" if no name is similar enough.
func Hint(word string, known []string) string {
	if name := Of(word, known); name != "" {
		return "; did you mean " + name + "?"
	}
	return ""
}

// maxWord limits the work: a longer word is not a mistyped name.
const maxWord = 100

// distance returns the edit distance between a and b: how many characters must be
// inserted, removed, replaced, or swapped with the next one. Both must have at most
// maxWord characters.
func distance(a, b []rune) int {
	var rows [3][maxWord + 1]int
	before, last, row := rows[0][:len(b)+1], rows[1][:len(b)+1], rows[2][:len(b)+1]
	for j := range last {
		last[j] = j
	}
	for i := range a {
		row[0] = i + 1
		for j := range b {
			replace := last[j]
			if a[i] != b[j] {
				replace++
			}
			row[j+1] = min(replace, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}

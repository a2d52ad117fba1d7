package linediff_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/linediff"
)

// written formats hunks as a patch, with "@" before each.
func written(hunks []linediff.Hunk) string {
	marks := map[linediff.Kind]string{linediff.Stays: " ", linediff.Removed: "-", linediff.Added: "+"}
	var out strings.Builder
	for _, h := range hunks {
		out.WriteString("@")
		for _, l := range h {
			out.WriteString(marks[l.Kind] + l.Text)
		}
	}
	return out.String()
}

func TestCompare(t *testing.T) {
	for name, c := range map[string]struct{ before, after, want string }{
		"nothing":                   {"", "", ""},
		"no change":                 {"a\nb", "a\nb", ""},
		"a new text":                {"", "a\nb\n", "@+a\n+b\n"},
		"a text that is removed":    {"a\nb\n", "", "@-a\n-b\n"},
		"a line in the middle":      {"a\nb\nc\n", "a\nB\nc\n", "@ a\n-b\n+B\n c\n"},
		"three lines of context":    {"1\n2\n3\n4\nb\n6\n7\n8\n9\n", "1\n2\n3\n4\n6\n7\n8\n9\n", "@ 2\n 3\n 4\n-b\n 6\n 7\n 8\n"},
		"six lines between":         {"a\n1\n2\n3\n4\n5\n6\nb\n", "A\n1\n2\n3\n4\n5\n6\nB\n", "@-a\n+A\n 1\n 2\n 3\n 4\n 5\n 6\n-b\n+B\n"},
		"seven lines between":       {"a\n1\n2\n3\n4\n5\n6\n7\nb\n", "A\n1\n2\n3\n4\n5\n6\n7\nB\n", "@-a\n+A\n 1\n 2\n 3\n@ 5\n 6\n 7\n-b\n+B\n"},
		"the last newline goes":     {"a\nb\n", "a\nb", "@ a\n-b\n+b"},
		"the last newline comes":    {"a\nb", "a\nb\n", "@ a\n-b+b\n"},
		"more after no newline":     {"a", "a\nb", "@-a+a\n+b"},
		"other ends of lines":       {"a\r\nb\r\n", "a\r\nb\n", "@ a\r\n-b\r\n+b\n"},
		"a carriage return is text": {"a\rb\n", "a\rc\n", "@-a\rb\n+a\rc\n"},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, written(linediff.Compare(c.before, c.after)))
		})
	}
}

func TestReplaceComparesNothing(t *testing.T) {
	require.Equal(t, "@-a\n-b\n+a\n+c", written(linediff.Replace("a\nb\n", "a\nc")))
	require.Equal(t, "@+a", written(linediff.Replace("", "a")))
	require.Empty(t, linediff.Replace("a\n", "a\n"))
}

// The search for common lines is limited; its result must be correct even then.
func TestTextsThatHaveLittleInCommon(t *testing.T) {
	var before, after strings.Builder
	for i := range 3000 {
		before.WriteString(strings.Repeat("x", i%7) + "\n")
		after.WriteString(strings.Repeat("x", i%11) + "\n")
	}
	holds(t, before.String(), after.String(), linediff.Compare(before.String(), after.String()))
}

func FuzzHunks(f *testing.F) {
	f.Add("a\nb\nc\n", "a\nc\nd")
	f.Add("a\n1\n2\n3\n4\n5\n6\n7\nb", "A\n1\n2\n3\n4\n5\n6\n7\nB\r\n")
	f.Add("a\na\na\na\na\na\na\na\na\n", "a\na\nb\na\na\na\na\na\na\na\n")
	f.Add("\n\n\r\n", "")
	f.Fuzz(func(t *testing.T, before, after string) {
		if strings.Count(before, "\n")+strings.Count(after, "\n") > 200 {
			return // finding the positions of the hunks would take too long
		}
		holds(t, before, after, linediff.Compare(before, after))
		holds(t, before, after, linediff.Replace(before, after))
	})
}

// holds checks the package's contract.
func holds(t *testing.T, before, after string, hunks []linediff.Hunk) {
	t.Helper()
	require.Equal(t, before != after, len(hunks) > 0)
	for _, h := range hunks {
		for _, l := range h {
			text := after
			if l.Kind == linediff.Removed {
				text = before
			}
			require.Equal(t, l.Text, lines(text)[l.Number-1])
		}
		lead, most, trail := stays(h)
		require.LessOrEqual(t, lead, 3)
		require.LessOrEqual(t, most, 6)
		require.LessOrEqual(t, trail, 3)
		require.Less(t, lead, len(h), "a hunk changes something")
	}
	require.True(t, explains(lines(before), lines(after), hunks, false), "%q to %q: %q", before, after, written(hunks))
}

// explains reports whether the hunks turn before into after, together with the same
// unchanged lines in both. No such line may be next to a hunk that has less context than
// possible, and at least one must be between two hunks.
func explains(before, after []string, hunks []linediff.Hunk, between bool) bool {
	if len(hunks) == 0 {
		return slices.Equal(before, after)
	}
	was, is := sides(hunks[0])
	lead, _, trail := stays(hunks[0])
	for n := 0; n <= min(len(before), len(after)); n++ {
		if n > 0 && (before[n-1] != after[n-1] || lead < 3) {
			return false
		}
		if n == 0 && between || !begins(before[n:], was) || !begins(after[n:], is) {
			continue
		}
		b, a := before[n+len(was):], after[n+len(is):]
		if (trail == 3 || len(b) == 0) && explains(b, a, hunks[1:], true) {
			return true
		}
	}
	return false
}

// sides returns a hunk's lines in the old text and in the new text.
func sides(h linediff.Hunk) (was, is []string) {
	for _, l := range h {
		if l.Kind != linediff.Added {
			was = append(was, l.Text)
		}
		if l.Kind != linediff.Removed {
			is = append(is, l.Text)
		}
	}
	return was, is
}

// stays counts the unchanged lines at the start and at the end of a hunk, and the longest
// run of them.
func stays(h linediff.Hunk) (lead, most, trail int) {
	for i, l := range h {
		if l.Kind != linediff.Stays {
			trail = 0
			continue
		}
		trail++
		most = max(most, trail)
		if trail == i+1 {
			lead = trail
		}
	}
	return lead, most, trail
}

func begins(all, some []string) bool {
	return len(all) >= len(some) && slices.Equal(all[:len(some)], some)
}

func lines(text string) []string {
	all := strings.SplitAfter(text, "\n")
	if all[len(all)-1] == "" {
		return all[:len(all)-1]
	}
	return all
}

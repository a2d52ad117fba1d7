package edit_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/aymanbagabas/go-udiff"
	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/agent/stream/edit"
)

// result applies a patch to one file.
func result(t *testing.T, patch, old string) (string, error) {
	t.Helper()
	changes := edit.Patch(patch, "")
	require.Len(t, changes, 1, "%s", patch)
	r, err := changes[0].Apply(&old)
	return r.New, err
}

func update(hunks string) string {
	return "*** Begin Patch\n*** Update File: x\n" + hunks + "*** End Patch\n"
}

func TestPatches(t *testing.T) {
	old := "def f():\n    return 1\n\ndef g():\n    return 1\n"
	for name, c := range map[string]struct{ hunks, want string }{
		"the first that fits":       {"@@\n-    return 1\n+    return 2\n", "def f():\n    return 2\n\ndef g():\n    return 1\n"},
		"under a line":              {"@@ def g():\n-    return 1\n+    return 2\n", "def f():\n    return 1\n\ndef g():\n    return 2\n"},
		"no mark at first":          {" def g():\n-    return 1\n+    return 2\n", "def f():\n    return 1\n\ndef g():\n    return 2\n"},
		"one after the other":       {"@@\n-    return 1\n+    return 2\n@@\n-    return 1\n+    return 3\n", "def f():\n    return 2\n\ndef g():\n    return 3\n"},
		"at the end":                {"@@\n-    return 1\n+    return 2\n*** End of File\n", "def f():\n    return 1\n\ndef g():\n    return 2\n"},
		"only new lines":            {"@@\n+\n+x = 1\n", old + "\nx = 1\n"},
		"an empty line has a space": {"@@\n     return 1\n \n-def g():\n+def h():\n", "def f():\n    return 1\n\ndef h():\n    return 1\n"},
		"an empty line has none":    {"@@\n     return 1\n\n-def g():\n+def h():\n", "def f():\n    return 1\n\ndef h():\n    return 1\n"},
		"white space at the end":    {"@@\n def f():  \n-    return 1\t\n+    return 2\n", "def f():\n    return 2\n\ndef g():\n    return 1\n"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := result(t, update(c.hunks), old)
			require.NoError(t, err)
			require.Equal(t, c.want, got)
		})
	}
	for name, hunks := range map[string]string{
		"lines that are not there":  "@@\n-    return 2\n+    return 3\n",
		"under no such line":        "@@ def h():\n-    return 1\n+    return 2\n",
		"new lines somewhere after": "@@ def f():\n+    pass\n",
		"not at the end":            "@@\n-def f():\n+def h():\n*** End of File\n",
	} {
		t.Run(name, func(t *testing.T) {
			_, err := result(t, update(hunks), old)
			require.Error(t, err)
		})
	}
}

func TestAPatchOfSeveralFiles(t *testing.T) {
	changes := edit.Patch(`*** Begin Patch
*** Add File: new.txt
+a
+
+b
*** Delete File: old.txt
*** Update File: from.txt
*** Move to: to.txt
@@
-x
+y
*** Update File: name.txt
*** Move to: other.txt
*** End Patch
`, "")
	require.Len(t, changes, 4)
	text := "x\n"
	var got []string
	for _, c := range changes {
		r, err := c.Apply(&text)
		require.NoError(t, err)
		got = append(got, c.Path+" "+c.Target()+" "+r.New)
	}
	require.Equal(t, []string{"new.txt new.txt a\n\nb\n", "old.txt old.txt ", "from.txt to.txt y\n", "name.txt other.txt x\n"}, got)
	require.True(t, changes[1].Deletes())
}

func TestInvalidPatchesAreIgnored(t *testing.T) {
	for name, patch := range map[string]string{
		"nothing":              "",
		"prose":                "please change x",
		"no change":            "*** Begin Patch\n*** Update File: x\n*** End Patch",
		"a hunk of nothing":    update("@@\n a\n"),
		"no name":              "*** Begin Patch\n*** Delete File:  \n*** End Patch",
		"a line of no kind":    "*** Begin Patch\n*** Add File: x\nno plus\n*** End Patch",
		"an unknown part":      "*** Begin Patch\n*** Frob File: x\n*** End Patch",
		"too short":            "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\n",
		"too long":             "--- a/x\n+++ b/x\n@@ -1,1 +1,1 @@\n-a\n-b\n+a\n",
		"names only":           "--- a/x\n+++ b/x\n",
		"one name":             "--- a/x\n@@ -1 +1 @@\n-a\n+b\n",
		"no numbers":           "--- a/x\n+++ b/x\n@@ -a +b @@\n-a\n+b\n",
		"hunks of nothing":     "@@ -1 +1 @@\n-a\n+b\n",
		"both are no file":     "--- /dev/null\n+++ /dev/null\n@@ -1 +1 @@\n-a\n+b\n",
		"a number beyond size": "--- a/x\n+++ b/x\n@@ -99999999999999999999 +1 @@\n-a\n+b\n",
	} {
		require.Empty(t, edit.Patch(patch, ""), name)
	}
}

func TestUnifiedDiffs(t *testing.T) {
	git := "diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@ func\n a\n-b\n+c\n\\ No newline at end of file\n"
	got, err := result(t, git, "a\nb\n")
	require.NoError(t, err)
	require.Equal(t, "a\nc", got)

	got, err = result(t, "--- x\t2026-01-01\n+++ x\t2026-01-02\n@@ -1 +1 @@\n-b\n\\ No newline at end of file\n+b\n", "b")
	require.NoError(t, err)
	require.Equal(t, "b\n", got)

	got, err = result(t, "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-b\n+c\n", "1\n2\n3\nb\n")
	require.NoError(t, err, "the lines have moved")
	require.Equal(t, "1\n2\n3\nc\n", got)

	got, err = result(t, "--- a/x\n+++ b/x\n@@ -4 +4 @@\n-b\n+c\n", "b\n1\n2\n3\nb\nb\n")
	require.NoError(t, err)
	require.Equal(t, "b\n1\n2\n3\nc\nb\n", got, "the nearest place counts")

	_, err = result(t, "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-b \n+c\n", "b\n")
	require.ErrorIs(t, err, edit.ErrNotFound)

	changes := edit.Patch("--- /dev/null\n+++ b/new\n@@ -0,0 +1,2 @@\n+a\n+b\n--- a/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n--- a/p\n+++ b/q\n@@ -1 +1 @@\n-a\n+b\n", "")
	require.Len(t, changes, 3)
	require.Equal(t, "new", changes[0].Path)
	r, err := changes[0].Apply(nil)
	require.NoError(t, err)
	require.Equal(t, edit.Result{New: "a\nb\n"}, r)
	there := "there"
	_, err = changes[0].Apply(&there)
	require.ErrorIs(t, err, edit.ErrExists)
	require.True(t, changes[1].Deletes())
	require.Equal(t, "gone", changes[1].Path)
	require.Equal(t, "p", changes[2].Path)
	require.Equal(t, "q", changes[2].Target())
}

// The diff between any two texts transforms one into the other.
func TestADiffProducesTheNewText(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	text := func() string {
		var b strings.Builder
		for range random.IntN(30) {
			b.WriteString(strings.Repeat("x", random.IntN(4)) + "\n")
		}
		if random.IntN(3) == 0 {
			b.WriteString("end")
		}
		return b.String()
	}
	for range 2000 {
		old, want := text(), text()
		diff := udiff.Unified("a/x", "b/x", old, want)
		if diff == "" {
			continue
		}
		got, err := result(t, diff, old)
		require.NoError(t, err, "%s\n---\n%q", diff, old)
		require.Equal(t, want, got, "%s", diff)
	}
}

package edit_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/agent/stream/edit"
	"github.com/turnwire/turnwire/internal/agent/stream/toolargs"
)

func of(name, args string) []edit.Change { return edit.Of(name, toolargs.Parse(nil, []byte(args))) }

// applied returns the result of a call for one file, as "path: new text".
func applied(t *testing.T, name, args string, old *string) string {
	t.Helper()
	var out []string
	for _, c := range of(name, args) {
		r, err := c.Apply(old)
		if err != nil {
			out = append(out, c.Path+": "+err.Error())
			continue
		}
		text := r.New
		if c.Deletes() {
			text = "(deleted)"
		}
		out = append(out, c.Target()+": "+text)
	}
	return strings.Join(out, " | ")
}

func TestArgumentsOfAllFrameworksAreRead(t *testing.T) {
	old := "one\ntwo\nthree\n"
	for name, c := range map[string]struct{ tool, args, want string }{
		"write_file":             {"write_file", `{"path":"x","content":"new"}`, "x: new"},
		"another case":           {"WriteFileTool", `{"file_path":"x","content":"new"}`, "x: new"},
		"write":                  {"write", `{"filePath":"x","content":"new"}`, "x: new"},
		"create_file":            {"create_file", `{"filepath":"x","contents":"new"}`, "x: new"},
		"of a server":            {"mcp__filesystem__write_file", `{"path":"x","content":"new"}`, "x: new"},
		"of a group":             {"fs/write_text_file", `{"path":"x","content":"new"}`, "x: new"},
		"an empty file":          {"write_file", `{"path":"x","content":""}`, "x: "},
		"append_file":            {"append_file", `{"path":"x","content":"four"}`, "x: one\ntwo\nthree\nfour"},
		"to append":              {"write_file", `{"file_path":"x","content":"four","append":true}`, "x: one\ntwo\nthree\nfour"},
		"a mode that appends":    {"write_file", `{"path":"x","content":"four","mode":"a"}`, "x: one\ntwo\nthree\nfour"},
		"edit":                   {"edit", `{"path":"x","old_string":"two","new_string":"2"}`, "x: one\n2\nthree\n"},
		"any name":               {"frobnicate", `{"file":"x","oldString":"two","newString":"2"}`, "x: one\n2\nthree\n"},
		"not there":              {"edit", `{"path":"x","oldText":"four","newText":"4"}`, "x: edit 1: " + edit.ErrNotFound.Error()},
		"more than once":         {"edit", `{"path":"x","old_text":"o","new_text":"0"}`, "x: edit 1: " + edit.ErrAmbiguous.Error()},
		"all of them":            {"edit", `{"path":"x","old_text":"o","new_text":"0","replace_all":true}`, "x: 0ne\ntw0\nthree\n"},
		"as many as expected":    {"replace", `{"path":"x","old_string":"o","new_string":"0","expected_replacements":2}`, "x: 0ne\ntw0\nthree\n"},
		"fewer than expected":    {"replace", `{"path":"x","old_string":"o","new_string":"0","expected_replacements":3}`, "x: edit 1: " + edit.ErrAmbiguous.Error()},
		"multi_edit":             {"multi_edit", `{"file_path":"x","edits":[{"old_string":"one","new_string":"1"},{"old_string":"1\ntwo","new_string":"12"}]}`, "x: 12\nthree\n"},
		"one of them fails":      {"multi_edit", `{"file_path":"x","edits":[{"old_string":"one","new_string":"1"},{"old_string":"one","new_string":"1"}]}`, "x: edit 2: " + edit.ErrNotFound.Error()},
		"of several files":       {"multi_replace", `{"replacements":[{"filePath":"x","oldString":"one","newString":"1"},{"filePath":"y","oldString":"two","newString":"2"}]}`, "x: 1\ntwo\nthree\n | y: one\n2\nthree\n"},
		"no edits":               {"multi_edit", `{"file_path":"x","edits":[]}`, ""},
		"edits of another kind":  {"multi_edit", `{"file_path":"x","edits":[{"line":1}]}`, ""},
		"a try":                  {"edit_file", `{"path":"x","edits":[{"oldText":"one","newText":"1"}],"dryRun":true}`, ""},
		"create":                 {"str_replace_based_edit_tool", `{"command":"create","path":"x","file_text":"new"}`, "x: new"},
		"str_replace":            {"str_replace_editor", `{"command":"str_replace","path":"x","old_str":"two","new_str":"2"}`, "x: one\n2\nthree\n"},
		"str_replace by none":    {"str_replace_editor", `{"command":"str_replace","path":"x","old_str":"two\n"}`, "x: one\nthree\n"},
		"insert":                 {"str_replace_editor", `{"command":"insert","path":"x","insert_line":1,"insert_text":"1.5"}`, "x: one\n1.5\ntwo\nthree\n"},
		"insert at the top":      {"str_replace_editor", `{"command":"insert","path":"x","insert_line":0,"new_str":"0\n"}`, "x: 0\none\ntwo\nthree\n"},
		"insert at the end":      {"str_replace_editor", `{"command":"insert","path":"x","insert_line":3,"new_str":"4"}`, "x: one\ntwo\nthree\n4\n"},
		"insert nowhere":         {"str_replace_editor", `{"command":"insert","path":"x","insert_line":4,"new_str":"4"}`, "x: edit 1: " + edit.ErrNotFound.Error()},
		"view":                   {"str_replace_editor", `{"command":"view","path":"x","content":"a"}`, ""},
		"a command":              {"write_file", `{"command":"ls","path":"x"}`, ""},
		"a patch":                {"apply_patch", `{"input":"*** Begin Patch\n*** Update File: x\n@@\n one\n-two\n+2\n*** End Patch"}`, "x: one\n2\nthree\n"},
		"a command that patches": {"shell", `{"command":["apply_patch","*** Begin Patch\n*** Update File: x\n@@\n one\n-two\n+2\n*** End Patch"]}`, "x: one\n2\nthree\n"},
		"another command":        {"shell", `{"command":["echo","*** Begin Patch\n*** Delete File: x\n*** End Patch"]}`, ""},
		"a unified diff":         {"apply_diff", `{"path":"x","diff":"@@ -2 +2 @@\n-two\n+2\n"}`, "x: one\n2\nthree\n"},
		"a part of a file":       {"write_file", `{"path":"x","content":"new","start_line":3}`, ""},
		"a file elsewhere":       {"write_file", `{"owner":"o","repo":"r","path":"x","content":"new"}`, ""},
		"a message":              {"send_message", `{"path":"x","content":"new"}`, ""},
		"a name that holds one":  {"rewrite_file_history", `{"path":"x","content":"new"}`, ""},
		"no path":                {"write_file", `{"content":"new"}`, ""},
		"no text":                {"write_file", `{"path":"x","content":{"a":1}}`, ""},
		"half a pair":            {"edit", `{"path":"x","old_string":"a"}`, ""},
		"a review":               {"review", `{"path":"x","diff":"@@ -2 +2 @@\n-two\n+2\n"}`, ""},
		"arguments of no kind":   {"write_file", `["x"]`, ""},
		"no arguments":           {"write_file", ``, ""},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, applied(t, c.tool, c.args, &old))
		})
	}
}

func TestOnlyWritesAndEmptyEditsCreateAFile(t *testing.T) {
	require.Equal(t, "x: new", applied(t, "write_file", `{"path":"x","content":"new"}`, nil))
	require.Equal(t, "x: new", applied(t, "append_file", `{"path":"x","content":"new"}`, nil))
	require.Equal(t, "x: new", applied(t, "edit", `{"path":"x","old_string":"","new_string":"new"}`, nil))
	require.Equal(t, "x: edit 1: "+edit.ErrMissing.Error(), applied(t, "edit", `{"path":"x","old_string":"a","new_string":"new"}`, nil))
}

func TestEditsThatGrowTooLongAreErrors(t *testing.T) {
	double := `{"old_text":"a","new_text":"aa","replace_all":true}`
	old := "a"
	got := applied(t, "multi_edit", `{"path":"x","edits":[`+strings.Repeat(double+",", 40)+double+`]}`, &old)
	require.Equal(t, "x: edit 24: "+edit.ErrTooLong.Error(), got)
}

func TestWindowsLineEndingsArePreserved(t *testing.T) {
	old := "one\r\ntwo\r\nthree\r\n"
	require.Equal(t, "x: one\r\n2\r\n2b\r\nthree\r\n", applied(t, "edit", `{"path":"x","old_string":"two\nthree","new_string":"2\n2b\nthree"}`, &old))
	require.Equal(t, "x: one\r\n2\r\nthree\r\n", applied(t, "apply_patch", `{"input":"*** Begin Patch\n*** Update File: x\n@@\n one\n-two\n+2\n*** End Patch"}`, &old))
}

func TestNotebookCellsCanBeEdited(t *testing.T) {
	book := `{"cells":[{"id":"a","cell_type":"code","source":["x = 1\n","y = 2"]},{"id":"b","source":"z"}],"nbformat":4}`
	r, err := of("NotebookEdit", `{"notebook_path":"n.ipynb","cell_id":"a","new_source":"x = 2"}`)[0].Apply(&book)
	require.NoError(t, err)
	require.Equal(t, "x = 1\ny = 2", *r.Old)
	require.Equal(t, "x = 2", r.New)

	for _, place := range []string{`"cell_id":"cell-1"`, `"cell_number":1`} {
		r, err = of("notebook_edit", `{"notebook_path":"n.ipynb",`+place+`,"edit_mode":"delete"}`)[0].Apply(&book)
		require.NoError(t, err, place)
		require.Equal(t, "z", *r.Old)
		require.Empty(t, r.New)
	}
	insert := of("NotebookEdit", `{"notebook_path":"n.ipynb","cell_id":"a","edit_mode":"insert","new_source":"new"}`)[0]
	r, err = insert.Apply(&book)
	require.NoError(t, err)
	require.Equal(t, edit.Result{Old: new(string), New: "new"}, r)

	for _, wrong := range []string{`"cell_id":"c"`, `"cell_number":2`, `"cell_number":-1`} {
		_, err = of("NotebookEdit", `{"notebook_path":"n.ipynb",`+wrong+`,"new_source":"x"}`)[0].Apply(&book)
		require.ErrorIs(t, err, edit.ErrNotFound, wrong)
	}
	none := "no notebook"
	_, err = of("NotebookEdit", `{"notebook_path":"n.ipynb","cell_id":"a","new_source":"x"}`)[0].Apply(&none)
	require.Error(t, err)
	require.Empty(t, of("NotebookEdit", `{"notebook_path":"n.ipynb","cell_id":"a"}`))
	require.Empty(t, of("NotebookEdit", `{"notebook_path":"n.ipynb","edit_mode":"frob","new_source":"x"}`))

	now := strings.Replace(book, `"x = 1\n","y = 2"`, `"x = 3"`, 1)
	change := of("NotebookEdit", `{"notebook_path":"n.ipynb","cell_id":"a","new_source":"x = 2"}`)[0]
	r, ok := change.After(&book, &now)
	require.True(t, ok)
	require.Equal(t, "x = 3", r.New, "what is there counts")
	_, ok = change.After(&book, &book)
	require.False(t, ok)
}

func TestAfterReturnsTheActualChange(t *testing.T) {
	old, now := "a\n", "b\n"
	write := of("write_file", `{"path":"x","content":"b"}`)[0]
	r, ok := write.After(&old, &now)
	require.True(t, ok)
	require.Equal(t, edit.Result{Old: &old, New: now}, r)
	r, ok = write.After(nil, &now)
	require.True(t, ok)
	require.Equal(t, edit.Result{New: now}, r)
	_, ok = write.After(&old, &old)
	require.False(t, ok, "nothing has changed")
	_, ok = write.After(&old, nil)
	require.False(t, ok, "the file is gone")

	remove := edit.Patch("*** Begin Patch\n*** Delete File: x\n*** End Patch\n", "")[0]
	r, ok = remove.After(&old, nil)
	require.True(t, ok)
	require.Equal(t, edit.Result{Old: &old}, r)
	_, ok = remove.After(&old, &old)
	require.False(t, ok)
}

// The changes of a large file are separate diffs, whose lines have the file's numbers.
func TestADiffOfAPartSaysWhereItBegins(t *testing.T) {
	var lines []string
	for i := range 20_000 {
		lines = append(lines, fmt.Sprintln("line", i+1))
	}
	old := strings.Join(lines, "")
	lines[99], lines[199], lines[19_999] = "one\nmore\n", "two\n", ""
	diffs, line := edit.Diffs("x", edit.Result{Old: &old, New: strings.Join(lines, "")}, edit.MaxDiffs)
	require.Equal(t, 100, line)
	var at []int
	for _, d := range diffs {
		at = append(at, d.Line)
	}
	require.Equal(t, []int{97, 198, 19_998}, at)
	diffs, _ = edit.Diffs("x", edit.Result{Old: new("a\n"), New: "b\n"}, edit.MaxDiffs)
	require.Zero(t, diffs[0].Line, "it is the whole file")
}

func TestStatedReturnsTheDescribedChange(t *testing.T) {
	one, two, hunk := "1", "2", "a\nb\n"
	for name, c := range map[string]struct {
		tool, args string
		want       []edit.Result
	}{
		"a pair":                          {"edit", `{"path":"x","old_str":"1","new_str":""}`, []edit.Result{{Old: &one}}},
		"a list":                          {"edit", `{"path":"x","edits":[{"old_str":"1","new_str":"2"},{"old_str":"2","new_str":"3"}]}`, []edit.Result{{&one, "2"}, {&two, "3"}}},
		"a hunk":                          {"apply_patch", `{"input":"*** Begin Patch\n*** Update File: x\n@@\n a\n-b\n+c\n*** End Patch"}`, []edit.Result{{&hunk, "a\nc\n"}}},
		"a new file":                      {"apply_patch", `{"input":"*** Begin Patch\n*** Add File: x\n+a\n*** End Patch"}`, []edit.Result{{New: "a\n"}}},
		"a text that may replace another": {"write_file", `{"path":"x","content":"a"}`, nil},
	} {
		require.Equal(t, c.want, of(c.tool, c.args)[0].Stated(), name)
	}
}

func TestACallThatWritesNothingAllocatesNothing(t *testing.T) {
	args := []byte(`{"path":"a/b.go","start_line":7,"content":12,"command":"go test ./..."}`)
	require.Zero(t, testing.AllocsPerRun(100, func() {
		var room [8]toolargs.Member
		if edit.Of("mcp__files__read_file", toolargs.Parse(room[:0], args)) != nil {
			t.Error("a change")
		}
	}))
}

func FuzzOf(f *testing.F) {
	f.Add("write_file", `{"path":"x","content":"a"}`, "b")
	f.Add("edit", `{"path":"x","edits":[{"old_string":"a","new_string":"b"}]}`, "a\r\nb")
	f.Add("apply_patch", `{"input":"*** Begin Patch\n*** Update File: x\n@@ a\n-b\n+c\n*** End of File\n*** End Patch"}`, "a\nb")
	f.Add("apply_diff", `{"path":"x","diff":"--- a/x\n+++ b/x\n@@ -1,2 +0,0 @@\n-a\n-b\n\\ No newline at end of file\n"}`, "a\nb")
	f.Add("NotebookEdit", `{"notebook_path":"x","cell_id":"1","new_source":"b"}`, `{"cells":[{"source":["a"]},{"source":"b"}]}`)
	f.Add("x", `{"command":"insert","path":"x","insert_line":2,"insert_text":"a"}`, "")
	f.Fuzz(func(t *testing.T, name, args, old string) {
		for _, c := range of(name, args) {
			require.NotEmpty(t, c.Path)
			require.NotEmpty(t, c.Target())
			for _, text := range []*string{&old, nil} {
				r, err := c.Apply(text)
				if err != nil {
					continue
				}
				for _, limit := range []int{0, 10, edit.MaxDiffs} {
					diffs, _ := edit.Diffs("x", r, limit)
					size := 0
					for _, d := range diffs {
						size += len(d.NewText)
						if d.OldText != nil {
							size += len(*d.OldText)
						}
					}
					require.LessOrEqual(t, size, limit)
				}
			}
		}
	})
}

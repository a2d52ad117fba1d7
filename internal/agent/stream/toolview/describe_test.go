package toolview_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/toolview"
)

func at(path string, line int) []agent.Location { return []agent.Location{{Path: path, Line: line}} }

func diff(path, from, to string) []agent.Diff {
	return []agent.Diff{{Path: path, OldText: &from, NewText: to}}
}

func TestDescribe(t *testing.T) {
	for name, c := range map[string]struct {
		tool, args string
		want       agent.View
	}{
		"a known tool": {
			"read_file", `{"path":"a/b.go","start_line":7}`,
			agent.View{Kind: "read", Title: "Read a/b.go", Locations: at("/src/a/b.go", 7)},
		},
		"an absolute path": {
			"write_file", `{"path":"/etc/x","content":"c"}`,
			agent.View{Kind: "edit", Title: "Write /etc/x", Locations: at("/etc/x", 0)},
		},
		"a path with dots": {
			"list_directory", `{"path":"../other/./x"}`,
			agent.View{Kind: "read", Title: "List ../other/./x", Locations: at("/other/x", 0)},
		},
		"a known tool without arguments": {"read_file", ``, agent.View{Kind: "read", Title: "Read"}},
		"a command":                      {"terminal", `{"command":"go test"}`, agent.View{Kind: "execute", Title: "Run go test"}},
		"a subject that is no path":      {"search_files", `{"pattern":"x.*","path":"sub"}`, agent.View{Kind: "search", Title: "Search for x.*"}},
		"a tool without a subject":       {"run_code", `{"code":"1"}`, agent.View{Kind: "execute", Title: "Run code"}},
		"an edit": {
			"edit_file", `{"path":"x","old_text":"a\n","new_text":""}`,
			agent.View{Kind: "edit", Title: "Edit x", Locations: at("/src/x", 0), Diffs: diff("/src/x", "a\n", "")},
		},
		"a name that holds a known one":    {"confirm_read_file", `{}`, agent.View{Kind: "other", Title: "confirm_read_file"}},
		"a name in other letters":          {"READ_FILE", `{}`, agent.View{Kind: "other", Title: "READ_FILE"}},
		"no name":                          {"", ``, agent.View{Kind: "other", Title: "Tool call"}},
		"an unknown tool with a command":   {"bash", `{"cmd":"ls"}`, agent.View{Kind: "execute", Title: "Run ls"}},
		"an unknown tool with a url":       {"get", `{"url":"http://x"}`, agent.View{Kind: "fetch", Title: "Fetch http://x"}},
		"an unknown tool with a pattern":   {"rg", `{"regex":"x"}`, agent.View{Kind: "search", Title: "Search for x"}},
		"an unknown tool with a file only": {"peek", `{"file_path":"x","line":3}`, agent.View{Kind: "other", Title: "peek", Locations: at("/src/x", 3)}},
		"an unknown tool that edits": {
			"str_replace", `{"filePath":"x","oldText":"a","newText":"b"}`,
			agent.View{Kind: "edit", Title: "Edit x", Locations: at("/src/x", 0), Diffs: diff("/src/x", "a", "b")},
		},
		"another that edits": {
			"multi", `{"file_path":"x","old_string":"a","new_string":"b"}`,
			agent.View{Kind: "edit", Title: "Edit x", Locations: at("/src/x", 0), Diffs: diff("/src/x", "a", "b")},
		},
		"an unknown tool that writes": {
			"write", `{"filePath":"x","content":"a"}`,
			agent.View{Kind: "edit", Title: "Edit x", Locations: at("/src/x", 0)},
		},
		"a patch of two files": {
			"apply_patch", `{"input":"*** Begin Patch\n*** Add File: x\n+a\n*** Delete File: y\n*** End Patch"}`,
			agent.View{Kind: "edit", Title: "Edit x, y", Locations: append(at("/src/x", 0), at("/src/y", 0)...), Diffs: []agent.Diff{{Path: "/src/x", NewText: "a\n"}}},
		},
		"half a replacement":        {"multi", `{"path":"x","old_string":"a"}`, agent.View{Kind: "other", Title: "multi", Locations: at("/src/x", 0)}},
		"arguments of other kinds":  {"read_file", `{"path":7,"line":"x"}`, agent.View{Kind: "read", Title: "Read"}},
		"arguments that are a list": {"read_file", `["x"]`, agent.View{Kind: "read", Title: "Read"}},
		"arguments that are null":   {"read_file", `null`, agent.View{Kind: "read", Title: "Read"}},
		"arguments that are broken": {"read_file", `{"path":"x"`, agent.View{Kind: "read", Title: "Read"}},
		"lines that are none": {
			"read_file", `{"path":"x","line":-4,"start_line":1e300,"offset":0.5}`,
			agent.View{Kind: "read", Title: "Read x", Locations: at("/src/x", 0)},
		},
		"a title of many lines":   {"terminal", `{"command":"cat <<E  \r\nx\nE"}`, agent.View{Kind: "execute", Title: "Run cat <<E ⏎ x ⏎ E"}},
		"a command behind a line": {"terminal", `{"command":" \n\u2028echo hi\n\n\trm -rf /\n"}`, agent.View{Kind: "execute", Title: "Run echo hi ⏎ rm -rf /"}},
		"a command of nothing":    {"terminal", `{"command":" \n "}`, agent.View{Kind: "execute", Title: "Run"}},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, toolview.Describe(toolview.Common, agent.View{}, c.tool, []byte(c.args), "/src"))
		})
	}
}

func TestTheAgentsDescriptionWins(t *testing.T) {
	given := agent.View{Title: "Given", Kind: "delete", Locations: at("rel", 2), Diffs: []agent.Diff{{Path: "new", NewText: "n"}}}
	got := toolview.Describe(toolview.Common, given, "edit_file", []byte(`{"path":"x","old_text":"a","new_text":"b"}`), "/src")
	require.Equal(t, agent.View{
		Title: "Given", Kind: "delete", Locations: at("/src/rel", 2), Diffs: []agent.Diff{{Path: "/src/new", NewText: "n"}},
	}, got)
	require.Equal(t, "rel", given.Locations[0].Path, "the agent's own slices are left alone")
	require.Equal(t, "new", given.Diffs[0].Path)

	none := agent.View{Locations: []agent.Location{}, Diffs: []agent.Diff{}}
	got = toolview.Describe(toolview.Common, none, "edit_file", []byte(`{"path":"x","old_text":"a","new_text":"b"}`), "/src")
	require.Empty(t, got.Locations, "none is an answer too")
	require.Empty(t, got.Diffs)
}

func TestDescribeNeedsNoTableAndNoDirectory(t *testing.T) {
	got := toolview.Describe(nil, agent.View{}, "read_file", []byte(`{"path":"x"}`), "")
	require.Equal(t, agent.View{Kind: "other", Title: "read_file", Locations: at("x", 0)}, got)
}

func TestTitlesAreOneLineOfBoundedLength(t *testing.T) {
	got := toolview.Describe(nil, agent.View{Title: strings.Repeat("ä", 500)}, "x", nil, "/")
	require.Equal(t, strings.Repeat("ä", 159)+"…", got.Title)
	exact := strings.Repeat("ä", 160)
	require.Equal(t, exact, toolview.Describe(nil, agent.View{Title: exact}, "x", nil, "/").Title)
	require.Equal(t, "a ⏎ b", toolview.Describe(nil, agent.View{Title: "a\r\n b "}, "x", nil, "/").Title)
	require.Equal(t, "x", toolview.Describe(nil, agent.View{Title: " \n"}, "x", nil, "/").Title, "a blank title is none")
}

func FuzzDescribe(f *testing.F) {
	f.Add("read_file", `{"path":"x"}`, "")
	f.Add(" ", "", "\n")
	f.Add("", `{"file_path":"\u0000","old_text":"","new_text":""}`, "a\nb")
	f.Fuzz(func(t *testing.T, name, args, title string) {
		got := toolview.Describe(toolview.Common, agent.View{Title: title}, name, []byte(args), "/src")
		require.NotEmpty(t, got.Kind)
		require.NotEmpty(t, got.Title)
		require.NotContains(t, got.Title, "\n")
		require.LessOrEqual(t, utf8.RuneCountInString(got.Title), 160)
		for _, l := range got.Locations {
			require.True(t, strings.HasPrefix(l.Path, "/"))
			require.GreaterOrEqual(t, l.Line, 0)
		}
	})
}

func TestEachToolIsInTheTableOnceAndCompletely(t *testing.T) {
	seen := map[string]bool{}
	for _, tool := range toolview.Common {
		require.NotEmpty(t, tool.Kind, tool.Name)
		require.NotEmpty(t, tool.Verb, tool.Name)
		require.False(t, seen[tool.Name], tool.Name)
		seen[tool.Name] = true
	}
}

package tools

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
)

func TestReadReturnsALineRange(t *testing.T) {
	d := newDesk(t, map[string]string{"a": "1\n2\n3\n4"})
	require.Equal(t, Result{Text: "1\n2\n3\n4", OK: true}, d.call(ReadFile, `{"path":"a"}`))
	require.Equal(t, "2\n3\n", d.call(ReadFile, `{"path":"a","line":2,"limit":2}`).Text)
	require.Equal(t, "1\n", d.call(ReadFile, `{"path":"a","limit":1}`).Text)
	require.Equal(t, "4", d.call(ReadFile, `{"path":"a","line":4}`).Text)
	require.Equal(t, Result{Text: "Error: a has only 4 lines"}, d.call(ReadFile, `{"path":"a","line":5}`))
	require.Equal(t, Result{Text: "Error: b does not exist"}, d.call(ReadFile, `{"path":"b"}`))
}

func TestListMatchesAGlob(t *testing.T) {
	d := newDesk(t, map[string]string{"a.go": "", "sub/b.go": "", "sub/deep/c.go": "", "sub/d.md": "", "node_modules/x.go": ""})
	require.Equal(t, "a.go (0 bytes)\nnode_modules/\nsub/\n", d.call(ListFiles, `{}`).Text)
	require.Equal(t, "a.go\nsub/b.go\nsub/deep/c.go\n", d.call(ListFiles, `{"glob":"*.go"}`).Text)
	require.Equal(t, "sub/b.go\nsub/deep/c.go\n", d.call(ListFiles, `{"glob":"**/*.go","path":"sub"}`).Text)
	require.Equal(t, "No file matches.\n", d.call(ListFiles, `{"glob":"*.rs"}`).Text)
	require.Equal(t, "Error: the glob [a: syntax error in pattern", d.call(ListFiles, `{"glob":"[a"}`).Text)
}

func TestEditsOfAFileAreAllMadeOrNone(t *testing.T) {
	d := newDesk(t, map[string]string{"a": "one two three"})
	d.decide = agent.AllowOnce
	r := d.call(EditFile, `{"path":"a","edits":[{"old_text":"one","new_text":"1"},{"old_text":"1 two","new_text":"2"}]}`)
	require.Equal(t, Result{Text: "Changed a: it has 7 bytes now.", OK: true}, r)
	require.Equal(t, "2 three", d.text())
	r = d.call(EditFile, `{"path":"a","edits":[{"old_text":"2","new_text":"two"},{"old_text":"nothing","new_text":"x"}]}`)
	require.Equal(t, Result{Text: "Error: a: edit 2: the old text is not in the file"}, r)
	require.Equal(t, "2 three", d.text())
}

func TestARefusedCallTellsTheModel(t *testing.T) {
	d := newDesk(t, map[string]string{"a": "one"})
	d.decide = agent.RejectOnce
	for name, args := range map[string]string{
		WriteFile:  `{"path":"a","content":"two"}`,
		EditFile:   `{"path":"a","edits":[{"old_text":"one","new_text":"two"}]}`,
		RunCommand: `{"command":"echo two > a"}`,
	} {
		r := d.call(name, args)
		require.True(t, r.Refused, name)
		require.False(t, r.OK, name)
		require.Contains(t, r.Text, "did not allow", name)
		require.Equal(t, []string{"tool_ready", "tool_confirmation_request", "tool_confirmation_resolved", "tool_end"}, d.types(), name)
	}
	require.Equal(t, "one", d.text())
}

func TestACommandsOutputIsItsResult(t *testing.T) {
	d := newDesk(t, nil)
	d.decide = agent.AllowOnce
	require.Equal(t, Result{Text: "hello\n[exit code 0]", OK: true, ending: true}, d.call(RunCommand, `{"command":"echo hello"}`))
	require.Equal(t, Result{Text: "no\n[exit code 3]", ending: true}, d.call(RunCommand, `{"command":"echo no && exit 3"}`))
}

func TestACommandIsStoppedAtItsTimeLimit(t *testing.T) {
	d := newDesk(t, nil)
	d.decide = agent.AllowOnce
	r := d.call(RunCommand, `{"command":"echo begun && sleep 3600","timeout":0.2}`)
	require.False(t, r.OK)
	require.Contains(t, r.Text, "Error: the command was stopped because it ran for more than 200ms")
}

func TestACancelledTurnRunsNothing(t *testing.T) {
	d := newDesk(t, map[string]string{"a": "one"})
	d.decide = agent.AllowAlways
	d.cancel()
	for name, args := range map[string]string{
		ReadFile: `{"path":"a"}`, WriteFile: `{"path":"b","content":""}`, RunCommand: `{"command":"touch b"}`,
		AskUser: `{"question":"?"}`, UpdatePlan: `{"entries":[]}`,
	} {
		require.False(t, d.call(name, args).Refused, name)
	}
	require.Empty(t, d.types())
	require.NoFileExists(t, d.path("b"))
}

func TestAQuestionReturnsTheAnswer(t *testing.T) {
	d := newDesk(t, nil)
	d.answer.Answer = "tea"
	require.Equal(t, Result{Text: "tea", OK: true}, d.call(AskUser, `{"question":"What?","options":["tea","milk"]}`))
	q := d.events[0].(*agent.QuestionAsked)
	require.Equal(t, []string{"tea", "milk"}, q.Options)
	require.False(t, q.AllowCustom)
	d.answer.Cancelled = true
	require.Equal(t, Result{Text: "The user did not answer.", Refused: true}, d.call(AskUser, `{"question":"What?"}`))
}

func TestAPlanIsShown(t *testing.T) {
	d := newDesk(t, nil)
	require.True(t, d.call(UpdatePlan, `{"entries":[{"content":"Look","status":"in_progress"}]}`).OK)
	require.Equal(t, []agent.PlanEntry{{Content: "Look", Status: "in_progress", Priority: "medium"}}, d.events[0].(*agent.Plan).Entries)
	require.Contains(t, d.call(UpdatePlan, `{"entries":[{"content":"Look","status":"soon"}]}`).Text, `unknown status "soon"`)
}

func TestMistakesOfAModelAreFailedCalls(t *testing.T) {
	d := newDesk(t, map[string]string{"a": "one"})
	for _, c := range []struct{ name, args, want string }{
		{"no_such_tool", `{}`, `unknown tool "no_such_tool"`},
		{ReadFile, `[]`, "the arguments are invalid"},
		{ReadFile, `{"path":1}`, "the arguments are invalid"},
		{ReadFile, `{}`, `"" is not a path`},
		{Search, `{}`, "the pattern is missing"},
		{EditFile, `{"path":"a"}`, "edits is missing"},
		{EditFile, `{"path":"a","edits":[{"old_text":"","new_text":"x"}]}`, "old_text is missing"},
		{WriteFile, `{"path":"a"}`, "content is missing"},
		{RunCommand, `{}`, "the command is missing"},
		{AskUser, `{}`, "the question is missing"},
	} {
		r := d.call(c.name, c.args)
		require.False(t, r.OK, c.args)
		require.Contains(t, r.Text, c.want)
		require.Equal(t, []string{"tool_start", "tool_end"}, d.types(), c.args)
	}
	require.Equal(t, "one", d.text())
}

func TestResultsAreCut(t *testing.T) {
	text := strings.Repeat("é", 100)
	r, truncated := Result{Text: text}.Cut(100)
	require.False(t, truncated)
	require.Equal(t, text, r.Text)
	r, truncated = Result{Text: text}.Cut(40)
	require.True(t, truncated)
	require.Equal(t, strings.Repeat("é", 40)+"\n[60 of 100 characters are left out here.]\n", r.Text)
	r, _ = Result{Text: strings.Repeat("a", 50) + strings.Repeat("b", 50), ending: true}.Cut(40)
	require.Equal(t, strings.Repeat("a", 10)+"\n[60 of 100 characters are left out here.]\n"+strings.Repeat("b", 30), r.Text)
}

// The schemas are what a model is told, so they must describe what the tools accept.
func TestSchemasDescribeTheArguments(t *testing.T) {
	valid := map[string]string{
		ReadFile: `{"path":"a","line":1,"limit":2}`, ListFiles: `{"path":".","glob":"*"}`, Search: `{"pattern":"x","glob":"*"}`,
		EditFile: `{"path":"a","edits":[{"old_text":"a","new_text":"b"}]}`, WriteFile: `{"path":"a","content":""}`,
		RunCommand: `{"command":"ls","timeout":1.5}`, AskUser: `{"question":"?","options":["a"],"free_text":true}`,
		UpdatePlan: `{"entries":[{"content":"a","status":"pending"}]}`,
	}
	all := All()
	require.Len(t, all, len(valid))
	for _, offered := range all {
		require.NotEmpty(t, offered.Description)
		var document any
		require.NoError(t, json.Unmarshal(offered.Parameters, &document), offered.Name)
		c := jsonschema.NewCompiler()
		require.NoError(t, c.AddResource("schema.json", document))
		compiled, err := c.Compile("schema.json")
		require.NoError(t, err, offered.Name)
		var args any
		require.NoError(t, json.Unmarshal([]byte(valid[offered.Name]), &args))
		require.NoError(t, compiled.Validate(args), offered.Name)
	}
}

func TestNamedToolsMustExist(t *testing.T) {
	list, err := Named([]string{Search, ReadFile})
	require.NoError(t, err)
	require.Equal(t, []string{ReadFile, Search}, []string{list[0].Name, list[1].Name})
	_, err = Named([]string{"grep"})
	require.ErrorContains(t, err, `unknown tool "grep"; the tools are read_file, list_files, search,`)
	_, err = Named([]string{AppendFile})
	require.Error(t, err)
}

func TestTheNoticeNamesWhatIsOffered(t *testing.T) {
	for _, c := range []struct {
		names []string
		want  string
	}{
		{[]string{ReadFile}, "tools: read_file. It reads the files in this folder without asking, and asks before it reads others."},
		{[]string{Search}, "tools: search. It reads the files in this folder without asking."},
		{[]string{ReadFile, EditFile, RunCommand}, "tools: read_file, edit_file, run_command. It reads the files in this folder without asking, and asks before it reads others, changes files or runs commands."},
		{[]string{WriteFile, RunCommand}, "tools: write_file, run_command. It asks before it changes files or runs commands."},
		{[]string{AskUser}, "tools: ask_user."},
	} {
		list, err := Named(c.names)
		require.NoError(t, err)
		require.Equal(t, "This agent may use Turnwire's "+c.want, Notice(list))
	}
}

// FuzzCall shows that no arguments make a tool write, run or panic without consent.
func FuzzCall(f *testing.F) {
	for _, offered := range All() {
		f.Add(offered.Name, []byte(`{"path":"a","content":"x","edits":[{"old_text":"o","new_text":"x"}],"command":"touch b","pattern":"o","glob":"**"}`))
	}
	f.Fuzz(func(t *testing.T, name string, args []byte) {
		d := newDesk(t, map[string]string{"a": "one"})
		d.decide = agent.RejectAlways
		d.answer.Cancelled = true
		d.box.Run(d, "call", name, args)
		require.Equal(t, "one", d.text())
		require.NoFileExists(t, d.path("b"))
	})
}

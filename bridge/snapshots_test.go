package bridge_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// openIn is like [open], for a session that works in a directory.
func openIn(t *testing.T, dir, capabilities string) (*editor, *puppetSession) {
	t.Helper()
	p := newPuppet()
	e := connect(t, p)
	e.initialize(capabilities)
	e.request(`"new1"`, "session/new", `{"cwd":`+quoted(dir)+`,"mcpServers":[]}`)
	e.expectLike(`"new1"`)
	return e, p.session(t)
}

func quoted(v any) string {
	out, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(out)
}

const readsFiles = `{"fs":{"readTextFile":true}}`

// A diff is the diff of one file in an update or a request.
type diff struct {
	Type    string  `json:"type"`
	Path    string  `json:"path"`
	OldText *string `json:"oldText"`
	NewText string  `json:"newText"`
}

func (d diff) String() string {
	old := "new file"
	if d.OldText != nil {
		old = fmt.Sprintf("%q", *d.OldText)
	}
	return fmt.Sprintf("%s: %s > %q", filepath.Base(d.Path), old, d.NewText)
}

// diffs returns the diffs in a line, and its other texts.
func diffs(t *testing.T, line string) (out []string) {
	t.Helper()
	var m struct {
		Params struct {
			Update   struct{ Content []diff }
			ToolCall struct{ Content []diff }
		}
	}
	require.NoError(t, json.Unmarshal([]byte(line), &m), "%s", line)
	for _, d := range append(m.Params.Update.Content, m.Params.ToolCall.Content...) {
		if d.Type == "diff" {
			out = append(out, d.String())
		}
	}
	return out
}

func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	old := time.Now().Add(-time.Hour) // like a file of the user
	require.NoError(t, os.Chtimes(path, old, old))
	return path
}

// writeNow writes a file so that it counts as just written, however slow the test is.
func writeNow(t *testing.T, dir, name, text string) {
	t.Helper()
	path := write(t, dir, name, text)
	now := time.Now().Add(time.Hour)
	require.NoError(t, os.Chtimes(path, now, now))
}

// starts returns a call that does not wait for consent.
func starts(id, tool string, args any) string {
	return fmt.Sprintf(`{"type":"tool_start","toolCallId":%q,"toolName":%q,"args":%s}`, id, tool, quoted(args))
}

func ends(id string) string {
	return fmt.Sprintf(`{"type":"tool_end","toolCallId":%q,"ok":true,"result":"written"}`, id)
}

// confirmation returns a call that waits for consent.
func confirmation(id, tool string, args any) string {
	return fmt.Sprintf(`{"type":"tool_confirmation_request","toolCallId":%q,"toolName":%q,"args":%s}`, id, tool, quoted(args))
}

type args map[string]any

func TestTheUserIsShownWhatAWriteWouldChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		write(t, dir, "a.txt", "one\ntwo\n")
		e, s := openIn(t, dir, `{}`)
		e.write(promptS1(`"p"`, "go"))
		s.expect(`{"type":"prompt"}`)

		go s.say(confirmation("c", "write_file", args{"path": "a.txt", "content": "one\n2\n"}))
		want := []string{`a.txt: "one\ntwo\n" > "one\n2\n"`}
		require.Equal(t, want, diffs(t, e.expectLike(`"tool_call"`, `"line":2`)))
		require.Equal(t, want, diffs(t, e.expectLike(`"session/request_permission"`)))
		e.answer(1, `{"outcome":{"outcome":"selected","optionId":"allow_once"}}`)
		s.expect(`{"decision":"allow_once"}`)

		go s.say(starts("c", "write_file", args{"path": "a.txt", "content": "one\n2\n"}))
		require.Empty(t, diffs(t, e.expectLike(`"in_progress"`)), "it has been shown")
		writeNow(t, dir, "a.txt", "one\n2 formatted\n")
		go s.say(ends("c"), done)
		require.Equal(t, []string{`a.txt: "one\ntwo\n" > "one\n2 formatted\n"`}, diffs(t, e.expectLike(`"completed"`, "written")), "what is there counts")
		e.stopped(`"p"`, "end_turn")
	})
}

// An agent that does not ask may already be in its next call when the end of one is
// read.
func TestADiffExcludesTheNextCallsWrites(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		write(t, dir, "a.txt", "one\n")
		e, s := openIn(t, dir, `{}`)
		e.write(promptS1(`"p"`, "go"))
		s.expect(`{"type":"prompt"}`)
		go s.say(starts("c", "edit", args{"path": "a.txt", "old_string": "one", "new_string": "two"}))
		want := []string{`a.txt: "one\n" > "two\n"`}
		require.Equal(t, want, diffs(t, e.expectLike(`"tool_call"`)))
		writeNow(t, dir, "a.txt", "") // the next call starts to write
		go s.say(ends("c"))
		require.Equal(t, want, diffs(t, e.expectLike(`"completed"`)))
		go s.say(starts("d", "write_file", args{"path": "a.txt", "content": "three\n"}))
		require.Empty(t, diffs(t, e.expectLike(`"tool_call"`, "```\\nthree\\n```")), "the text is shown as it is")

		// An old empty file is not believed either, because its modification time may
		// not be updated yet.
		write(t, dir, "c.txt", "")
		go s.say(starts("c2", "write_file", args{"path": "c.txt", "content": "two"}))
		require.Empty(t, diffs(t, e.expectLike(`"tool_call"`)))
		write(t, dir, "c.txt", "two")
		go s.say(starts("c3", "edit", args{"path": "c.txt", "old_string": "two", "new_string": "three"}))
		require.Equal(t, []string{`c.txt: "two" > "three"`}, diffs(t, e.expectLike(`"tool_call"`)))
		write(t, dir, "c.txt", "")
		go s.say(ends("c3"))
		require.Equal(t, []string{`c.txt: "two" > "three"`}, diffs(t, e.expectLike(`"completed"`)))

		// Nor is an empty file believed to be the result of a call that asked for
		// consent.
		write(t, dir, "b.txt", "one\n")
		go s.say(confirmation("e", "edit", args{"path": "b.txt", "old_string": "one", "new_string": "two"}))
		e.expectLike(`"tool_call"`)
		e.expectLike("request_permission")
		e.answer(1, `{"outcome":{"outcome":"selected","optionId":"allow_once"}}`)
		s.expect(`{"decision":"allow_once"}`)
		writeNow(t, dir, "b.txt", "")
		go s.say(ends("e"))
		require.Equal(t, []string{`b.txt: "one\n" > "two\n"`}, diffs(t, e.expectLike(`"completed"`)))
		go s.say(done)
		e.stopped(`"p"`, "end_turn")
	})
}

func TestEveryKindOfEditHasADiff(t *testing.T) {
	book := `{"cells":[{"id":"a","source":["x = 1"]}]}`
	for name, c := range map[string]struct {
		tool string
		args args
		want []string
	}{
		"a new file":       {"create_file", args{"path": "new.txt", "content": "n"}, []string{`new.txt: new file > "n"`}},
		"an empty file":    {"write", args{"file_path": "empty.txt", "content": "n"}, nil},
		"a text at an end": {"append_file", args{"path": "a.txt", "text": "3\n"}, []string{`a.txt: "1\n2\n" > "1\n2\n3\n"`}},
		"a replacement":    {"edit", args{"path": "a.txt", "old_string": "2", "new_string": "3"}, []string{`a.txt: "1\n2\n" > "1\n3\n"`}},
		"replacements": {"multi_edit", args{"path": "a.txt", "edits": []args{{"old_string": "2", "new_string": "3"}, {"old_string": "1", "new_string": "2"}}},
			[]string{`a.txt: "1\n2\n" > "2\n3\n"`}},
		"an editor's command": {"str_replace_based_edit_tool", args{"command": "insert", "path": "a.txt", "insert_line": 1, "insert_text": "1.5"}, []string{`a.txt: "1\n2\n" > "1\n1.5\n2\n"`}},
		"a patch": {"apply_patch", args{"input": "*** Begin Patch\n*** Add File: new.txt\n+n\n*** Update File: a.txt\n@@\n-2\n+3\n*** Delete File: b.txt\n*** End Patch"},
			[]string{`new.txt: new file > "n\n"`, `a.txt: "1\n2\n" > "1\n3\n"`, `b.txt: "b" > ""`}},
		"a unified diff": {"apply_patch", args{"patch": "--- a/a.txt\n+++ b/a.txt\n@@ -2 +2 @@\n-2\n+3\n"}, []string{`a.txt: "1\n2\n" > "1\n3\n"`}},
		"a cell":         {"NotebookEdit", args{"notebook_path": "n.ipynb", "cell_id": "a", "new_source": "x = 2"}, []string{`n.ipynb: "x = 1" > "x = 2"`}},

		// These calls describe themselves what they would do.
		"a text that is not there":       {"edit", args{"path": "a.txt", "old_string": "4", "new_string": "3"}, []string{`a.txt: "4" > "3"`}},
		"a text that is there twice":     {"edit", args{"path": "a.txt", "old_string": "\n", "new_string": ";"}, []string{`a.txt: "\n" > ";"`}},
		"the same text":                  {"write_file", args{"path": "a.txt", "content": "1\n2\n"}, nil},
		"a directory":                    {"write_file", args{"path": "sub", "content": "n"}, nil},
		"a link that leads out":          {"write_file", args{"path": "out", "content": "n"}, nil},
		"a link that leads nowhere":      {"write_file", args{"path": "nowhere", "content": "n"}, nil},
		"a path that leads out":          {"write_file", args{"path": "../x", "content": "n"}, nil},
		"a file elsewhere":               {"write_file", args{"path": "/etc/hostname", "content": "n"}, nil},
		"a file that is no text":         {"write_file", args{"path": "binary", "content": "n"}, nil},
		"a file that is too large":       {"write_file", args{"path": "huge", "content": "n"}, nil},
		"a file below a file":            {"write_file", args{"path": "a.txt/x", "content": "n"}, nil},
		"a link to a file in the folder": {"write_file", args{"path": "in", "content": "n"}, []string{`in: "1\n2\n" > "n"`}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				dir := t.TempDir()
				write(t, dir, "a.txt", "1\n2\n")
				write(t, dir, "b.txt", "b")
				write(t, dir, "empty.txt", "")
				write(t, dir, "n.ipynb", book)
				write(t, dir, "binary", "a\x00b")
				write(t, dir, "huge", strings.Repeat("x", 2<<20))
				require.NoError(t, os.Mkdir(filepath.Join(dir, "sub"), 0o700))
				require.NoError(t, os.Symlink(write(t, t.TempDir(), "x", "secret"), filepath.Join(dir, "out")))
				require.NoError(t, os.Symlink(filepath.Join(dir, "none"), filepath.Join(dir, "nowhere")))
				require.NoError(t, os.Symlink(filepath.Join(dir, "a.txt"), filepath.Join(dir, "in")))
				e, s := openIn(t, dir, `{}`)
				e.write(promptS1(`"p"`, "go"))
				s.expect(`{"type":"prompt"}`)
				go s.say(starts("c", c.tool, c.args))
				require.Equal(t, c.want, diffs(t, e.expectLike(`"tool_call"`)))
				go s.say(done)
				e.stopped(`"p"`, "end_turn")
			})
		})
	}
}

func TestLargeFilesShowOnlyTheChangedParts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		text := strings.Repeat("line\n", 20000)
		write(t, dir, "a.txt", "first\n"+text+"last\n")
		e, s := openIn(t, dir, `{}`)
		e.write(promptS1(`"p"`, "go"))
		s.expect(`{"type":"prompt"}`)
		go s.say(starts("c", "multi_edit", args{"path": "a.txt", "edits": []args{{"oldText": "first", "newText": "1"}, {"oldText": "last", "newText": "2"}}}))
		require.Equal(t, []string{
			`a.txt: "first\nline\nline\nline\n" > "1\nline\nline\nline\n"`, `a.txt: "line\nline\nline\nlast\n" > "line\nline\nline\n2\n"`,
		}, diffs(t, e.expectLike(`"tool_call"`)))
		go s.say(done)
		e.stopped(`"p"`, "end_turn")
	})
}

// A call that does not wait may have written the file before it is read.
func TestAHalfWrittenFileIsNotTheOldText(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		writeNow(t, dir, "a.txt", "half")
		e, s := openIn(t, dir, `{}`)
		e.write(promptS1(`"p"`, "go"))
		s.expect(`{"type":"prompt"}`)
		go s.say(starts("c", "write_file", args{"path": "a.txt", "content": "half and half"}))
		require.Empty(t, diffs(t, e.expectLike(`"tool_call"`)))
		go s.say(ends("c"))
		require.Empty(t, diffs(t, e.expectLike(`"completed"`)))

		// A call that waits for consent has not written yet.
		go s.say(confirmation("d", "write_file", args{"path": "a.txt", "content": "all"}))
		require.Equal(t, []string{`a.txt: "half" > "all"`}, diffs(t, e.expectLike(`"tool_call"`)))
		e.expectLike("request_permission")
		e.answer(1, `{"outcome":{"outcome":"selected","optionId":"allow_once"}}`)
		s.expect(`{"decision":"allow_once"}`)
		writeNow(t, dir, "a.txt", "all")
		go s.say(ends("d"))
		require.Equal(t, []string{`a.txt: "half" > "all"`}, diffs(t, e.expectLike(`"completed"`)))

		// What the session saw one call write is what the next call starts from.
		go s.say(starts("e", "edit", args{"path": "a.txt", "old_string": "all", "new_string": "none"}))
		require.Equal(t, []string{`a.txt: "all" > "none"`}, diffs(t, e.expectLike(`"tool_call"`)))
		go s.say(done)
		e.stopped(`"p"`, "end_turn")
	})
}

func TestACallThatChangesNothingHasNoDiffAtItsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		write(t, dir, "a.txt", "one")
		e, s := openIn(t, dir, `{}`)
		e.write(promptS1(`"p"`, "go"))
		s.expect(`{"type":"prompt"}`)
		go s.say(starts("c", "write_file", args{"path": "a.txt", "content": "two"}), ends("c"),
			starts("d", "write_file", args{"path": "a.txt", "content": "two"}), `{"type":"tool_end","toolCallId":"d","ok":false,"error":"no"}`, done)
		want := []string{`a.txt: "one" > "two"`}
		require.Equal(t, want, diffs(t, e.expectLike(`"tool_call"`)))
		require.Empty(t, diffs(t, e.expectLike(`"completed"`)), "the agent says ok, but the file is as it was")
		require.Equal(t, want, diffs(t, e.expectLike(`"tool_call"`)))
		require.Equal(t, want, diffs(t, e.expectLike(`"failed"`)), "what has failed is shown as it was meant")
		e.stopped(`"p"`, "end_turn")
	})
}

func TestADiffOfTheAgentIsLeftAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		write(t, dir, "a.txt", "one")
		e, s := openIn(t, dir, readsFiles)
		e.write(promptS1(`"p"`, "go"))
		s.expect(`{"type":"prompt"}`)
		start := strings.Replace(starts("c", "write_file", args{"path": "a.txt", "content": "two"}), `}}`, `},"diffs":[{"path":"a.txt","oldText":"1","newText":"2"}]}`, 1)
		go s.say(start, ends("c"), done)
		require.Equal(t, []string{`a.txt: "1" > "2"`}, diffs(t, e.expectLike(`"tool_call"`)), "and the editor is not asked")
		require.Equal(t, []string{`a.txt: "1" > "2"`}, diffs(t, e.expectLike(`"completed"`)))
		e.stopped(`"p"`, "end_turn")
	})
}

func TestStreamedArgumentsAreInThePermissionRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		write(t, dir, "a.txt", "one")
		e, s := openIn(t, dir, `{}`)
		e.write(promptS1(`"p"`, "go"))
		s.expect(`{"type":"prompt"}`)
		go s.say(`{"type":"tool_pending","toolCallId":"c","toolName":"write_file"}`,
			`{"type":"tool_args_delta","toolCallId":"c","delta":"{\"path\":\"a.txt\","}`, `{"type":"tool_args_delta","toolCallId":"c","delta":"\"content\":\"two\"}"}`,
			`{"type":"tool_confirmation_request","toolCallId":"c"}`)
		e.expectLike(`"tool_call"`)
		e.expectLike(`"tool_call_update"`, `"rawInput":{"path":"a.txt","content":"two"}`)
		require.Equal(t, []string{`a.txt: "one" > "two"`}, diffs(t, e.expectLike("request_permission", `"rawInput":{"path":"a.txt","content":"two"}`)))
		e.answer(1, `{"outcome":{"outcome":"cancelled"}}`)
		s.expect(`{"decision":"cancelled"}`)
		go s.say(done)
		e.stopped(`"p"`, "end_turn")
	})
}

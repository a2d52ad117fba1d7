package tools

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
)

const (
	before   = "1\n2\n3\n4\n5\n6\n7\n8\n9\n"
	proposed = "one\n2\n3\n4\n5\n6\n7\n8\nnine\n"
	part     = "one\n2\n3\n4\n5\n6\n7\n8\n9\n"
	rewrite  = `{"path":"a","content":"one\n2\n3\n4\n5\n6\n7\n8\nnine\n"}`
)

func TestAPartialAnswerWritesTheAcceptedPart(t *testing.T) {
	for name, args := range map[string]string{
		WriteFile: rewrite,
		EditFile:  `{"path":"a","edits":[{"old_text":"1","new_text":"one"},{"old_text":"9","new_text":"nine"}]}`,
	} {
		d := newDesk(t, map[string]string{"a": before})
		d.decide, d.accept = agent.AllowOnce, part
		r := d.call(name, args)
		require.True(t, r.OK, r.Text)
		require.Equal(t, part, d.text())
		require.Equal(t, "Changed a: it has 20 bytes now.\nThe user refused the rest of the change, so don't make it in another way:\n"+
			"@@\n 6\n 7\n 8\n-9\n+nine\n", r.Text)

		asked := d.events[1].(*agent.ConfirmationRequested)
		require.True(t, asked.Partial)
		require.Equal(t, proposed, asked.Diffs[0].NewText, "what was shown stays")
		end := d.events[4].(*agent.ToolEnd)
		require.Equal(t, part, end.Diffs[0].NewText, "the diff shows what was written")
		require.Equal(t, before, *end.Diffs[0].OldText)
	}
}

func TestAPartOfANewFileIsCreated(t *testing.T) {
	d := newDesk(t, nil)
	d.decide, d.accept = agent.AllowOnce, "one\n"
	r := d.call(WriteFile, `{"path":"a","content":"one\ntwo\n"}`)
	require.Contains(t, r.Text, "Created a: it has 4 bytes now.")
	require.Contains(t, r.Text, "+two")
	require.Equal(t, "one\n", d.text())
}

func TestAPartialAnswerIsForOneCall(t *testing.T) {
	d := newDesk(t, map[string]string{"a": before})
	d.decide, d.accept = agent.AllowOnce, part
	d.call(WriteFile, rewrite)
	d.accept = ""
	r := d.call(WriteFile, rewrite)
	require.Equal(t, "Changed a: it has 23 bytes now.", r.Text)
	require.Equal(t, proposed, d.text())
}

func TestAPartOfAFileThatChangedIsNotWritten(t *testing.T) {
	d := newDesk(t, map[string]string{"a": before})
	d.decide, d.accept = agent.AllowOnce, part
	d.before = func() { d.write("a", "mine") }
	r := d.call(WriteFile, rewrite)
	require.Contains(t, r.Text, "the file changed after the diff was shown")
	require.Equal(t, "mine", d.text())
}

func TestAPartialAnswerAfterACancelWritesNothing(t *testing.T) {
	d := newDesk(t, map[string]string{"a": before})
	d.decide, d.accept = agent.AllowOnce, part
	d.before = d.cancel
	require.True(t, d.call(WriteFile, rewrite).Cancelled)
	require.Equal(t, before, d.text())
}

func TestARefusedAnswerWithTextsWritesNothing(t *testing.T) {
	for _, decision := range []agent.Decision{agent.RejectOnce, agent.RejectAlways, agent.NotDecided, "x"} {
		d := newDesk(t, map[string]string{"a": before})
		d.decide, d.accept = decision, part
		require.True(t, d.call(WriteFile, rewrite).Refused)
		require.Equal(t, before, d.text())
	}
}

func accepts(path, text string) agent.AcceptedText { return agent.AcceptedText{Path: path, Text: text} }

// The bridge lets none of these through.
func TestUnlawfulTextsWriteNothing(t *testing.T) {
	for name, texts := range map[string]func(path string) []agent.AcceptedText{
		"another file": func(path string) []agent.AcceptedText { return []agent.AcceptedText{accepts(path+"b", part)} },
		"two files": func(path string) []agent.AcceptedText {
			return []agent.AcceptedText{accepts(path, part), accepts(path+"b", part)}
		},
		"none":          func(string) []agent.AcceptedText { return []agent.AcceptedText{} },
		"no part":       func(path string) []agent.AcceptedText { return []agent.AcceptedText{accepts(path, before)} },
		"no text":       func(path string) []agent.AcceptedText { return []agent.AcceptedText{accepts(path, "\x00")} },
		"invalid UTF-8": func(path string) []agent.AcceptedText { return []agent.AcceptedText{accepts(path, "\xff")} },
		"too large": func(path string) []agent.AcceptedText {
			return []agent.AcceptedText{accepts(path, strings.Repeat("x", maxFile+1))}
		},
	} {
		d := newDesk(t, map[string]string{"a": before})
		d.decide, d.texts = agent.AllowOnce, texts
		require.False(t, d.call(WriteFile, rewrite).OK, name)
		require.Equal(t, before, d.text(), name)
		require.NoFileExists(t, d.path("ab"), name)
	}
}

func TestOnlyWritesAreOfferedInPart(t *testing.T) {
	d := newDesk(t, map[string]string{"a": "one"})
	d.decide = agent.RejectOnce
	d.call(RunCommand, `{"command":"echo"}`)
	d.call(ReadFile, fmt.Sprintf(`{"path":%q}`, t.TempDir()+"/x"))
	asked := 0
	for _, e := range d.events {
		if e, ok := e.(*agent.ConfirmationRequested); ok {
			require.False(t, e.Partial, e.ToolName)
			asked++
		}
	}
	require.Equal(t, 2, asked)
}

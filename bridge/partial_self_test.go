package bridge_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/handler"
)

// selfWriter is an agent that writes files by itself, if it may. "write TEXT" is the text of
// a.txt, and so is "guess TEXT", of which it shows a diff that doesn't fit. It says any other
// prompt.
func selfWriter(local bool) agent.Agent {
	return handler.New(agent.Info{Name: "self", Local: local}, func(_ context.Context, t *handler.Turn) error {
		verb, text, _ := strings.Cut(t.Prompt.Text, " ")
		if verb != "write" && verb != "guess" {
			t.Text("I read: " + t.Prompt.Text)
			return nil
		}
		text = strings.ReplaceAll(text, `\n`, "\n")
		path := filepath.Join(t.Prompt.Cwd, "a.txt")
		old, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		before := string(old)
		if verb == "guess" {
			before = "guessed\n"
		}
		err = t.Call(handler.Tool{Name: "put", View: agent.View{
			Title: "Write a.txt", Kind: "edit", Diffs: []agent.Diff{{Path: path, OldText: &before, NewText: text}},
		}}, func(c *handler.Call) error {
			if err := c.Confirm("It has to change."); err != nil {
				return err
			}
			return os.WriteFile(path, []byte(text), 0o600)
		})
		if errors.Is(err, handler.ErrRefused) {
			t.Text("I may not.")
			return nil
		}
		return err
	})
}

// The agent is told within the same turn.
func TestPartialAnswersToAgentsThatWriteThemselves(t *testing.T) {
	answerPartially(t, "partial-self", selfWriter(true))
}

func TestNoPartIsOfferedForFilesElsewhere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newProject(t)
		d.agent = selfWriter(false)
		require.NoError(t, os.WriteFile(d.file, []byte("1\n2\n3\n"), 0o600))
		lines := d.perform(`write one\n2\nthree\n`, `{"outcome":{"outcome":"selected","optionId":"allow_once"},"_meta":{"turnwire.dev/accepted":[{"path":"/project/a.txt","newText":"one\n2\n3\n"}]}}`)
		require.NotContains(t, lines, "turnwire.dev/partial")
		require.Contains(t, lines, "I may not.")
		require.Equal(t, "not decided by the user", d.decisions[0].Sentence())
	})
}

func TestAPartIsNotWrittenAfterACancel(t *testing.T) {
	for _, message := range []string{
		cancelS1,
		call(`"close"`, "session/close", `{"sessionId":"S1"}`),
	} {
		synctest.Test(t, func(t *testing.T) {
			d := newProject(t)
			d.agent = selfWriter(true)
			d.refusePart(`write one\n2\nthree\n`, message)
		})
	}
}

// A client that takes long to write is not interrupted: it may still write.
func TestAPartIsWrittenSlowly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newProject(t)
		e := d.startWriting()
		time.Sleep(40 * time.Second)
		e.answer(2, "null")
		lines := strings.Join(e.until(`"p"`), "\n")
		require.Contains(t, lines, "Write the accepted part of a.txt")
		e.close()
		require.Len(t, d.decisions, 1)
		require.Equal(t, "allowed in part by the user", d.decisions[0].Sentence())
	})
}

// startWriting accepts a part of an agent's change, and returns the editor when it is about to
// write the part.
func (p *project) startWriting() *editor {
	require.NoError(p.t, os.WriteFile(p.file, []byte("1\n2\n3\n"), 0o600))
	e := connect(p.t, selfWriter(true), keeping(p.store), auditing(p))
	e.initialize(`{"fs":{"writeTextFile":true}}`)
	e.request(`"new"`, "session/new", `{"cwd":"`+p.dir+`","mcpServers":[]}`)
	e.until(`"new"`)
	e.write(promptS1(`"p"`, `write one\n2\nthree\n`))
	e.expectLike("tool_call")
	e.expectLike("session/request_permission")
	e.answer(1, `{"outcome":{"outcome":"selected","optionId":"allow_once"},"_meta":{"turnwire.dev/accepted":[{"path":"`+p.file+`","newText":"one\n2\n3\n"}]}}`)
	e.expectLike("fs/write_text_file", `"content":"one\n2\n3\n"`)
	return e
}

// A cancel doesn't interrupt a client that writes already. The agent is told with the next
// prompt.
func TestAPartIsWrittenDuringACancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newProject(t)
		e := d.startWriting()
		e.write(cancelS1)
		e.until(`"p"`)
		e.answer(2, "null")
		synctest.Wait()
		e.write(promptS1(`"q"`, "go on"))
		lines := strings.Join(e.until(`"q"`), "\n")
		require.Contains(t, lines, "Write the accepted part of a.txt")
		require.Contains(t, lines, `"sessionUpdate":"user_message_chunk"`)
		require.Contains(t, lines, "I read: I accepted only a part of your change of a.txt.")
		require.Contains(t, lines, "+three")
		e.close()
		require.Len(t, d.decisions, 1)
		require.Equal(t, "allowed in part by the user", d.decisions[0].Sentence())
	})
}

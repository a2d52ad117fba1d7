package bridge_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestDiffsUseTheEditorsBuffer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		path := write(t, dir, "a.txt", "saved\n")
		e, s := openIn(t, dir, readsFiles)
		e.write(promptS1(`"p"`, "go"))
		s.expect(`{"type":"prompt"}`)
		go s.say(starts("c", "edit", args{"path": "a.txt", "old_string": "buf", "new_string": "BUF"}))
		e.expect(`{"id":1,"method":"fs/read_text_file","params":{"sessionId":"S1","path":` + quoted(path) + `}}`)
		e.answer(1, `{"content":"buffer\n"}`)
		require.Equal(t, []string{`a.txt: "buffer\n" > "BUFfer\n"`}, diffs(t, e.expectLike(`"tool_call"`)))

		// The file on disk has not changed, so the change is in the editor's buffer.
		go s.say(ends("c"))
		e.expectLike(`"id":2`, "fs/read_text_file")
		e.answer(2, `{"content":"BUFfer!\n"}`)
		require.Equal(t, []string{`a.txt: "buffer\n" > "BUFfer!\n"`}, diffs(t, e.expectLike(`"completed"`)))

		// Content written while the editor was asked is not the old content.
		write(t, dir, "b.txt", "old\n")
		go s.say(starts("b", "write_file", args{"path": "b.txt", "content": "new\n"}))
		e.expectLike(`"id":3`, "fs/read_text_file")
		write(t, dir, "b.txt", "new\n")
		e.answer(3, `{"content":"new\n"}`)
		require.Equal(t, []string{`b.txt: "old\n" > "new\n"`}, diffs(t, e.expectLike(`"tool_call"`)))

		// A file that the editor does not have is read from the disk.
		go s.say(starts("d", "write_file", args{"path": "a.txt", "content": "new\n"}))
		e.expectLike(`"id":4`, "fs/read_text_file")
		e.refuse(4)
		require.Equal(t, []string{`a.txt: "saved\n" > "new\n"`}, diffs(t, e.expectLike(`"tool_call"`)))
		write(t, dir, "a.txt", "new\n")
		go s.say(ends("d"))
		require.Equal(t, []string{`a.txt: "saved\n" > "new\n"`}, diffs(t, e.expectLike(`"completed"`)), "the editor may not know it yet")

		// An editor that refuses files is not asked forever.
		go s.say(starts("e", "edit", args{"path": "a.txt", "old_string": "n", "new_string": "N"}))
		e.expectLike(`"id":5`, "fs/read_text_file")
		e.refuse(5)
		e.expectLike(`"tool_call"`)
		go s.say(starts("f", "edit", args{"path": "a.txt", "old_string": "w", "new_string": "W"}), done)
		require.Equal(t, []string{`a.txt: "new\n" > "neW\n"`}, diffs(t, e.expectLike(`"tool_call"`)))
		e.stopped(`"p"`, "end_turn")
	})
}

func TestAnUnresponsiveEditorIsWaitedForOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		write(t, dir, "a.txt", "saved\n")
		e, s := openIn(t, dir, readsFiles)
		e.write(promptS1(`"p"`, "go"))
		s.expect(`{"type":"prompt"}`)
		began := time.Now()
		go s.say(starts("c", "write_file", args{"path": "a.txt", "content": "new\n"}))
		e.expectLike("fs/read_text_file")
		e.expectLike("$/cancel_request")
		want := []string{`a.txt: "saved\n" > "new\n"`}
		require.Equal(t, want, diffs(t, e.expectLike(`"tool_call"`)))
		require.Equal(t, 400*time.Millisecond, time.Since(began))
		go s.say(starts("d", "write_file", args{"path": "a.txt", "content": "new\n"}), done)
		require.Equal(t, want, diffs(t, e.expectLike(`"tool_call"`, `"d"`)))
		e.stopped(`"p"`, "end_turn")
		require.Equal(t, 400*time.Millisecond, time.Since(began))
	})
}

func TestACancelEndsASnapshot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, s := openIn(t, t.TempDir(), readsFiles)
		e.write(promptS1(`"p"`, "go"))
		s.expect(`{"type":"prompt"}`)
		began := time.Now()
		go s.say(starts("c", "write_file", args{"path": "a.txt", "content": "new\n"}), `{"type":"done","text":"","stopReason":"cancelled"}`)
		e.expectLike("fs/read_text_file")
		e.write(cancelS1)
		e.stopped(`"p"`, "cancelled")
		require.Zero(t, time.Since(began))
	})
}

package sim

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// An edit is an agent's change of a file on the real disk. No two are of the same file.
type edit struct {
	subject string // of the request
	turn    string
	path    string
	writes  bool // the call has the file's new text as an argument, and no diff
	lines   int
	isNew   bool   // the file does not exist before
	around  string // a line before and after the changed text; "" if all of the text changes
	real    string // what the agent writes instead of what it shows; "" if it writes that
	other   string // the file's text, if it is not the one that the agent shows

	// The world's lock guards the following fields.
	parts []string // the texts that clients have accepted instead of the agent's
	wrote bool     // the agent has written its text
}

// text returns the text that the agent changes, with the new lines that bits has.
func (e *edit) text(bits uint32) string {
	var b strings.Builder
	for i := range e.lines {
		switch {
		case bits&(1<<i) != 0:
			fmt.Fprintf(&b, "%s becomes %d\n", e.subject, i)
		case !e.isNew:
			fmt.Fprintf(&b, "%s was %d\n", e.subject, i)
		}
	}
	return b.String()
}

// all has all of the new lines.
func (e *edit) all() uint32 { return 1<<e.lines - 1 }

// file returns the file's text if the changed text is another one.
func (e *edit) file(text string) string { return e.around + text + e.around }

// noFile is returned instead of the text of a file that doesn't exist.
const noFile = "(no file)"

// before returns the file's text before the change.
func (e *edit) before() string {
	switch {
	case e.isNew:
		return noFile
	case e.other != "":
		return e.other
	}
	return e.file(e.text(0))
}

// after returns the file's text after the agent has changed it.
func (e *edit) after() string { return cmp.Or(e.real, e.file(e.text(e.all()))) }

// diff returns the diff that the agent shows.
func (e *edit) diff() object {
	d := object{"path": e.path, "newText": e.text(e.all())}
	if !e.isNew {
		d["oldText"] = e.text(0)
	}
	return d
}

// write writes the file. Its time is virtual.
func (e *edit) write(text string, age time.Duration) error {
	if err := os.WriteFile(e.path, []byte(text), 0o600); err != nil {
		return err
	}
	at := time.Now().Add(-age)
	return os.Chtimes(e.path, at, at)
}

// read returns the file's text.
func (e *edit) read() (string, error) {
	text, err := os.ReadFile(e.path)
	if os.IsNotExist(err) {
		return noFile, nil
	}
	return string(text), err
}

// name returns the file's name in its session's folder.
func (e *edit) name() string { return filepath.Base(e.path) }

// cwdOf returns the folder of an agent's sessions.
func (w *World) cwdOf(a *agentSpec) string {
	if a.Skills&edits != 0 {
		return w.files
	}
	return cwd
}

// A changer is a language of agents that change files.
type changer interface {
	// change requests permission for an edit, and changing says that it is being made.
	change(t *turn, e *edit) string
	changing(t *turn, e *edit) string
}

// edit changes a file, after a permission.
func (t *turn) edit() {
	w, speaks := t.actor.world, t.actor.language.(changer) //nolint:forcetypeassert // only agents that can have the skill
	e := &edit{subject: fmt.Sprintf("%s/call%d", t.token, t.calls), turn: t.token, lines: 2 + t.skilled.IntN(4), isNew: t.skilled.IntN(6) == 0, writes: t.skilled.IntN(3) == 0}
	t.calls++
	e.path = filepath.Join(w.files, strings.ReplaceAll(e.subject, "/", "-")+".txt")
	if e.writes && t.skilled.IntN(2) == 0 {
		e.real = e.subject + " is something else\n"
	}
	if !e.isNew && !e.writes {
		switch t.skilled.IntN(6) {
		case 0:
			e.other = "something else\n"
		case 1, 2:
			e.around = "not changed\n"
		}
	}
	if !e.isNew {
		if err := e.write(e.before(), time.Hour); err != nil {
			w.fail("files can be written", err)
			return
		}
	}
	w.mu.Lock()
	w.edits[e.subject] = e
	w.mu.Unlock()
	if !t.wait(e.subject, func(t *turn, _ string) string { return speaks.change(t, e) }) {
		if !t.isOver() {
			t.write(t.actor.language.end(t, e.subject, false))
		}
		return
	}
	if t.isOver() {
		return
	}
	t.write(speaks.changing(t, e))
	if err := e.write(e.after(), 0); err != nil {
		w.fail("files can be written", err)
		return
	}
	w.mu.Lock()
	e.wrote = true
	w.mu.Unlock()
	t.write(t.actor.language.end(t, e.subject, true))
}

// tool returns the members that describe an edit's call in the native dialect.
func (e *edit) tool(o object) string {
	o["toolCallId"] = e.subject
	if e.writes {
		o["toolName"], o["args"] = "write_file", object{"path": e.path, "content": e.file(e.text(e.all()))}
	} else {
		o["toolName"], o["kind"], o["diffs"] = "alter", "edit", []object{e.diff()}
	}
	return line(o)
}

// change implements [changer].
func (*nativeLanguage) change(_ *turn, e *edit) string {
	return e.tool(object{"type": "tool_confirmation_request", "confirmationId": e.subject, "decisions": []string{"allow_always", "allow_once", "reject_once"}})
}

// changing implements [changer].
func (*nativeLanguage) changing(_ *turn, e *edit) string { return e.tool(object{"type": "tool_start"}) }

// change implements [changer].
func (a *acpLanguage) change(t *turn, e *edit) string {
	diff := e.diff()
	diff["type"] = "diff"
	call := object{"toolCallId": e.subject, "title": "Edit", "kind": "edit", "status": "pending", "content": []object{diff}}
	request := a.request(t, e.subject, call, always, once[0], once[1])
	call["sessionUpdate"] = "tool_call"
	return a.update(t, call) + request
}

// changing implements [changer].
func (a *acpLanguage) changing(t *turn, e *edit) string {
	return a.update(t, object{"sessionUpdate": "tool_call_update", "toolCallId": e.subject, "status": "in_progress"})
}

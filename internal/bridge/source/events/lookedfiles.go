package events

import (
	"context"
	"errors"
	"time"

	"github.com/turnwire/turnwire/internal/agent/stream/edit"
	"github.com/turnwire/turnwire/internal/textfile"
)

// fresh is how old a file must be at least to be surely what a running call has
// found, and not what it has written. Clocks of file systems are up to 10 ms
// slow.
const fresh = 50 * time.Millisecond

// maxRefusals is how many files that are there an editor may refuse to read
// before it is asked no more: it may not want to be, and show that as an error
// each time. One that does not answer is not asked again either.
const maxRefusals = 2

// maxSettled bounds the files whose last change is known.
const maxSettled = 256

// lookedFiles reads what calls write, in one goroutine at a time: through the
// editor where it can, because that has text which is not saved yet, and from
// the disk. Both only in the session's directories.
type lookedFiles struct {
	cwd      string
	dirs     []string
	editor   *editorFiles
	refusals int                  // of files that are there
	settled  map[string]time.Time // when the session's calls have last changed a file
}

func (f *lookedFiles) path(path string) string { return absolute(f.cwd, path) }

// before returns the files of the changes. Unless the agent has asked, it waits
// for nobody, and the call may be writing already.
func (f *lookedFiles) before(ctx context.Context, changes []edit.Change, asked bool) []lookedFile {
	began := time.Now()
	out := make([]lookedFile, len(changes))
	for i, c := range changes {
		v, written, err := f.read(ctx, c.Path)
		one := lookedFile{change: c, before: v, known: err == nil}
		isFresh := !written.Before(began.Add(-fresh)) && !written.Equal(f.settled[f.path(c.Path)])
		// Some file systems empty a file first, and note the time then.
		if isEmpty := v.text != nil && *v.text == ""; !asked && (isFresh || isEmpty) {
			one.known = false
		}
		if one.known {
			if r, err := c.Apply(v.text); err == nil {
				one.expected = &r
			}
		}
		out[i] = one
	}
	return out
}

// read returns a file, and when it was saved. That is zero for a file that is
// not.
func (f *lookedFiles) read(ctx context.Context, path string) (v version, written time.Time, err error) {
	path = f.path(path)
	disk, err := textfile.Read(f.dirs, path, maxLooked)
	if err != nil || ctx.Err() != nil {
		return v, written, errors.Join(err, ctx.Err())
	}
	if disk != nil {
		v.text, v.disk, written = &disk.Text, &disk.Text, disk.ModTime
	}
	text, ok := f.ask(ctx, path, disk)
	if !ok {
		return v, written, nil
	}
	// While the editor was asked, the call may have written the file, and the
	// editor may have read that.
	if again, err := textfile.Read(f.dirs, path, maxLooked); err == nil && (disk == nil) == (again == nil) &&
		(disk == nil || again.Text == disk.Text) {
		v.text = &text
	}
	return v, written, nil
}

// ask reads a file through the editor. disk is the file as it is saved, or nil.
func (f *lookedFiles) ask(ctx context.Context, path string, disk *textfile.File) (text string, ok bool) {
	if !f.editor.CanRead() || f.refusals >= maxRefusals {
		return "", false
	}
	text, err := f.editor.ReadTextFile(ctx, path)
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		f.refusals = maxRefusals
	case err != nil && disk != nil && ctx.Err() == nil:
		f.refusals++
	case text == "" && disk == nil:
		return "", false // some editors know no missing files
	}
	return text, err == nil && len(text) <= maxLooked && textfile.Check(text) == nil
}

// after returns what has become of the files, nil for those of which it does
// not know. An agent that asks for nothing may write a file again as soon as it
// has said that a call has ended. So a text that is fresh, and not what the call
// was to make of the file, may be the next one's.
func (f *lookedFiles) after(ctx context.Context, files []lookedFile, asked bool) []*edit.Result {
	began := time.Now()
	out := make([]*edit.Result, len(files))
	for i, one := range files {
		if !one.known {
			continue
		}
		now, written, ok := f.now(ctx, one)
		if !ok {
			continue
		}
		r, changed := one.change.After(one.before.text, now)
		expected := changed && one.expected != nil && r.New == one.expected.New
		isFresh := !written.IsZero() && !written.Before(began.Add(-fresh))
		switch {
		case !changed:
		case expected:
			f.settle(f.path(one.change.Target()), written)
			out[i] = &r
		case isFresh && (!asked || one.expected == nil), now != nil && *now == "":
			out[i] = one.expected
		default:
			out[i] = &r
		}
	}
	return out
}

// now returns a file that a call may have changed, and when it was saved. What
// is saved counts, if it has changed: an editor may notice that later.
func (f *lookedFiles) now(ctx context.Context, one lookedFile) (text *string, written time.Time, ok bool) {
	path := f.path(one.change.Target())
	disk, err := textfile.Read(f.dirs, path, maxLooked)
	if err != nil || ctx.Err() != nil {
		return nil, written, false
	}
	if disk != nil {
		text, written = &disk.Text, disk.ModTime
	}
	if one.change.MoveTo != "" || !same(text, one.before.disk) {
		return text, written, true
	}
	asked, ok := f.ask(ctx, path, disk)
	return &asked, time.Time{}, ok
}

func (f *lookedFiles) settle(path string, at time.Time) {
	if f.settled == nil || len(f.settled) >= maxSettled {
		f.settled = make(map[string]time.Time)
	}
	f.settled[path] = at
}

func same(a, b *string) bool { return a == b || a != nil && b != nil && *a == *b }

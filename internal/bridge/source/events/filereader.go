package events

import (
	"context"
	"errors"
	"time"

	"github.com/turnwire/turnwire/internal/agent/stream/edit"
	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/textfile"
)

// fresh is the minimum age of a file whose content surely predates a running call. A
// younger file may already contain what the call wrote. File system clocks are up to 10
// ms slow.
const fresh = 50 * time.Millisecond

// maxRefusals is how many existing files an editor may refuse to read before it is not
// asked again. It may not want to be asked, and may show an error each time. An editor
// that does not answer is not asked again either.
const maxRefusals = 2

// maxSettled bounds the files whose last change is known.
const maxSettled = 256

// fileReader reads the files that calls write, on one goroutine at a time. It reads
// them from the disk, and through the editor if that is supported, because the editor
// has unsaved text. Both are limited to the session's directories.
type fileReader struct {
	cwd      string
	dirs     []string
	editor   *core.ClientFiles
	refusals int                  // of files that exist
	settled  map[string]time.Time // when the session's calls last changed a file
}

func (f *fileReader) path(path string) string { return absolute(f.cwd, path) }

// captureBefore returns the files of the changes as they are before the call. Unless
// asked is set, the agent does not wait for permission, and the call may be writing
// already.
func (f *fileReader) captureBefore(ctx context.Context, changes []edit.Change, asked bool) []fileSnapshot {
	began := time.Now()
	out := make([]fileSnapshot, len(changes))
	for i, c := range changes {
		v, written, err := f.read(ctx, c.Path)
		one := fileSnapshot{change: c, before: v, known: err == nil}
		isFresh := !written.Before(began.Add(-fresh)) && !written.Equal(f.settled[f.path(c.Path)])
		// Some file systems truncate a file first, and set its time then.
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

// read returns a file and its modification time, which is zero if the file does not
// exist on disk.
func (f *fileReader) read(ctx context.Context, path string) (v version, written time.Time, err error) {
	path = f.path(path)
	disk, err := textfile.Read(f.dirs, path, maxFileSize)
	if err != nil || ctx.Err() != nil {
		return v, written, errors.Join(err, ctx.Err())
	}
	if disk != nil {
		v.text, v.disk, written = &disk.Text, &disk.Text, disk.ModTime
	}
	text, ok := f.readByEditor(ctx, path, disk)
	if !ok {
		return v, written, nil
	}
	// While the editor was asked, the call may have written the file, and the editor
	// may have read the new content.
	if again, err := textfile.Read(f.dirs, path, maxFileSize); err == nil && (disk == nil) == (again == nil) &&
		(disk == nil || again.Text == disk.Text) {
		v.text = &text
	}
	return v, written, nil
}

// readByEditor reads a file through the editor. disk is the file on disk, or nil.
func (f *fileReader) readByEditor(ctx context.Context, path string, disk *textfile.File) (text string, ok bool) {
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
		return "", false // some editors return "" for a missing file
	}
	return text, err == nil && len(text) <= maxFileSize && textfile.Check(text) == nil
}

// captureAfter returns the results of the changes, nil for files it can't be sure about. An
// agent that doesn't ask for permission may write a file again as soon as it reports
// the end of a call. A fresh text that differs from the call's expected result may
// therefore come from the next call.
func (f *fileReader) captureAfter(ctx context.Context, files []fileSnapshot, asked bool) []*edit.Result {
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

// now returns a file that a call may have changed, and its modification time. If the
// file on disk changed, that counts, because an editor may notice the change later.
func (f *fileReader) now(ctx context.Context, one fileSnapshot) (text *string, written time.Time, ok bool) {
	path := f.path(one.change.Target())
	disk, err := textfile.Read(f.dirs, path, maxFileSize)
	if err != nil || ctx.Err() != nil {
		return nil, written, false
	}
	if disk != nil {
		text, written = &disk.Text, disk.ModTime
	}
	if one.change.MoveTo != "" || !same(text, one.before.disk) {
		return text, written, true
	}
	asked, ok := f.readByEditor(ctx, path, disk)
	return &asked, time.Time{}, ok
}

func (f *fileReader) settle(path string, at time.Time) {
	if f.settled == nil || len(f.settled) >= maxSettled {
		f.settled = make(map[string]time.Time)
	}
	f.settled[path] = at
}

func same(a, b *string) bool { return a == b || a != nil && b != nil && *a == *b }

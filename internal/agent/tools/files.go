package tools

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/turnwire/turnwire/agent"
)

// maxFile limits the size of a file that is read or written. It also limits
// events, which contain a file twice when they show a change.
const maxFile = 1 << 20

var (
	errChanged  = errors.New("the file changed after the diff was shown; nothing was written")
	errTooLarge = errors.New("is larger than the limit of 1 MiB")
	errNotText  = errors.New("is not UTF-8 text")
)

// files is the session's access to the workspace. It knows which directories
// the session may use, and whether to use the editor or the disk.
type files struct {
	dirs     []string // the working directory, then the additional ones
	editor   agent.FileSystem
	confined bool // a location outside dirs is an error
}

func newFiles(o agent.Options, confined bool) *files {
	return &files{dirs: cleanDirs(append([]string{o.Cwd}, o.Roots...)), editor: o.Editor, confined: confined}
}

func (f *files) editorReads() bool  { return f.editor != nil && f.editor.CanRead() }
func (f *files) editorWrites() bool { return f.editor != nil && f.editor.CanWrite() }

// A version is a file's content at some moment. The zero version is a file that
// does not exist.
type version struct {
	text   string
	exists bool
}

// load returns the content of the file at p, from the editor's buffer if the
// editor supports that.
func (f *files) load(ctx context.Context, p location) (version, error) {
	onDisk, err := p.exists()
	if err != nil {
		return version{}, err
	}
	if !f.editorReads() {
		return p.load(onDisk)
	}
	text, err := f.editor.ReadTextFile(ctx, p.path())
	switch {
	case ctx.Err() != nil:
		return version{}, fmt.Errorf("read %s through the editor: %w", p.name(), ctx.Err())
	case err != nil && p.outside:
		// Many editors only serve the session's directories, and the user has allowed this.
		return p.load(onDisk)
	case err != nil && !onDisk:
		// Editors have no common error for a file that does not exist.
		return version{}, nil
	case err != nil:
		return version{}, fmt.Errorf("read %s through the editor: %w", p.name(), err)
	case text == "" && !onDisk:
		// Some editors answer with an empty text instead of an error.
		return version{}, nil
	}
	return checked(p, text)
}

// load returns the content of the file at p on the disk.
func (p location) load(exists bool) (version, error) {
	if !exists {
		return version{}, nil
	}
	data, err := p.read()
	if err != nil {
		return version{}, err
	}
	return checked(p, string(data))
}

// checked returns the version of an existing file, or an error if it is too
// large or not text.
func checked(p location, text string) (version, error) {
	switch {
	case len(text) > maxFile:
		return version{}, fmt.Errorf("%s %w", p.name(), errTooLarge)
	case !utf8.ValidString(text) || strings.IndexByte(text, 0) >= 0:
		return version{}, fmt.Errorf("%s %w", p.name(), errNotText)
	}
	return version{text, true}, nil
}

// save replaces old with text in the file at p. It fails if the file no longer
// contains old.
func (f *files) save(ctx context.Context, p location, old version, text string) error {
	now, err := f.load(ctx, p)
	if err != nil {
		return err
	}
	if now != old {
		return fmt.Errorf("%s: %w", p.name(), errChanged)
	}
	// This is the last moment at which a cancel can still prevent the write.
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("write %s: %w", p.name(), err)
	}
	onDisk, err := p.exists()
	if err != nil {
		return err
	}
	switch {
	case f.editorWrites():
		// Not every editor creates the directories of a new file.
		if err := p.makeDirs(); err != nil {
			return err
		}
		err := f.editor.WriteTextFile(ctx, p.path(), text)
		switch {
		case err == nil:
			return nil
		case !p.outside || ctx.Err() != nil:
			return fmt.Errorf("write %s through the editor: %w", p.name(), err)
		case !onDisk:
			return p.create(text)
		}
		return p.replace(&old.text, text)
	case !onDisk:
		return p.create(text)
	case f.editorReads():
		// The editor's text may not be saved yet, so the disk may hold another
		// text. The new text is based on the editor's.
		return p.replace(nil, text)
	default:
		return p.replace(&old.text, text)
	}
}

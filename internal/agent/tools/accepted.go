package tools

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/turnwire/turnwire/agent"
)

var (
	errOtherFile = errors.New("the file is not the one in the diff; nothing was written")
	errSeveral   = errors.New("the diff's old text occurs more than once in the file; nothing was written")
)

// WriteAccepted writes the text that the user accepts for a file instead of the one in a
// diff. The diff is about the whole file, or about a text that occurs in it once. The file
// must be in the session's directories. If ctx is done before the text is written, nothing is.
func WriteAccepted(ctx context.Context, o agent.Options, a agent.AcceptedText) error {
	f := newFiles(o, true)
	p, err := f.find(a.Path)
	if err != nil {
		return err
	}
	old, err := f.load(ctx, p)
	if err != nil {
		return err
	}
	text, err := old.accept(a)
	if err != nil {
		return fmt.Errorf("%s: %w", p.name(), err)
	}
	if _, err := checked(p, text); err != nil {
		return fmt.Errorf("the accepted text of %w", err)
	}
	return f.save(ctx, p, old, text)
}

// accept returns the file's text after the accepted change.
func (old version) accept(a agent.AcceptedText) (string, error) {
	switch {
	case a.OldText == nil && old.exists:
		return "", errOtherFile
	case a.OldText == nil, *a.OldText == old.text:
		return a.Text, nil
	}
	at := strings.Index(old.text, *a.OldText)
	switch {
	case at < 0 || *a.OldText == "":
		return "", errOtherFile
	case at != strings.LastIndex(old.text, *a.OldText):
		return "", errSeveral
	}
	return old.text[:at] + a.Text + old.text[at+len(*a.OldText):], nil
}

// Contains reports whether the path of a text file is in the session's directories, judging
// by the names alone.
func Contains(o agent.Options, path string) bool {
	return filepath.IsAbs(path) && inAny(newFiles(o, true).dirs, filepath.Clean(path))
}

// IsText reports whether the tools would read and write a file with this text.
func IsText(text string) bool {
	_, err := checked(location{}, text)
	return err == nil
}

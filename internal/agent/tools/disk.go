package tools

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

var (
	errDirectory  = errors.New("is a directory")
	errNotDir     = errors.New("is not a directory")
	errNotRegular = errors.New("is not a regular file")
)

// exists reports whether there is a regular file at p. Any other kind of file
// is an error.
func (p location) exists() (bool, error) {
	root, err := p.root()
	if err != nil {
		return false, err
	}
	defer closeQuietly(root)
	info, err := root.Lstat(p.rel)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, p.explain(err)
	}
	return true, p.regular(info)
}

// read returns the content of the file at p.
func (p location) read() ([]byte, error) {
	f, err := p.open(os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer closeQuietly(f)
	return p.readAll(f)
}

func (p location) readAll(f *os.File) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, p.explain(err)
	}
	if len(data) > maxFile {
		return nil, fmt.Errorf("%s %w", p.name(), errTooLarge)
	}
	return data, nil
}

// makeDirs creates the directories above p.
func (p location) makeDirs() error {
	root, err := p.root()
	if err != nil {
		return err
	}
	defer closeQuietly(root)
	if err := root.MkdirAll(filepath.Dir(p.rel), 0o755); err != nil {
		return p.explain(err)
	}
	return nil
}

// create creates a file with text. It fails if the file exists.
func (p location) create(text string) error {
	if err := p.makeDirs(); err != nil {
		return err
	}
	root, err := p.root()
	if err != nil {
		return err
	}
	defer closeQuietly(root)
	f, err := root.OpenFile(p.rel, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s: %w", p.name(), errChanged)
	}
	if err != nil {
		return p.explain(err)
	}
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Close()); err != nil {
		return p.explain(errors.Join(err, root.Remove(p.rel)))
	}
	return nil
}

// replace overwrites the file at p with text. The file keeps its owner, mode
// and links. If writing fails, the old content is restored. If expected is not
// nil, the file must contain it.
func (p location) replace(expected *string, text string) (err error) {
	f, err := p.open(os.O_RDWR)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	old, err := p.readAll(f)
	if err != nil {
		return err
	}
	if expected != nil && string(old) != *expected {
		return fmt.Errorf("%s: %w", p.name(), errChanged)
	}
	if err := overwrite(f, []byte(text)); err != nil {
		if again := overwrite(f, old); again != nil {
			return fmt.Errorf("%s is damaged: writing failed (%w), and so did restoring it: %w", p.name(), err, again)
		}
		return p.explain(err)
	}
	return nil
}

// overwrite truncates after it has written everything, so that the old content
// keeps its blocks and can be restored.
func overwrite(f *os.File, data []byte) error {
	if _, err := f.WriteAt(data, 0); err != nil {
		return err
	}
	return f.Truncate(int64(len(data)))
}

// open opens the regular file at p. It checks the file before it opens it,
// because opening a device can have side effects. It checks it again
// afterwards, because the name may lead to another file by then.
func (p location) open(flag int) (*os.File, error) {
	root, err := p.root()
	if err != nil {
		return nil, err
	}
	defer closeQuietly(root)
	info, err := root.Lstat(p.rel)
	if err != nil {
		return nil, p.explain(err)
	}
	if err := p.regular(info); err != nil {
		return nil, err
	}
	f, err := root.OpenFile(p.rel, flag|openNonblock, 0)
	if err != nil {
		return nil, p.explain(err)
	}
	opened, err := f.Stat()
	switch {
	case err != nil:
		err = p.explain(err)
	case !os.SameFile(info, opened):
		err = p.explain(errMoved)
	default:
		err = p.regular(opened)
	}
	if err != nil {
		closeQuietly(f)
		return nil, err
	}
	return f, nil
}

// root opens the directory that p must stay in.
func (p location) root() (*os.Root, error) {
	open := os.OpenRoot
	if p.outside {
		open = openReal
	}
	root, err := open(p.real)
	if err != nil {
		return nil, fmt.Errorf("the directory %s %w", p.dir, plain(err))
	}
	return root, nil
}

// regular returns an error for a file that is not regular or too large.
func (p location) regular(info fs.FileInfo) error {
	switch {
	case info.IsDir():
		return fmt.Errorf("%s %w", p.name(), errDirectory)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s %w", p.name(), errNotRegular)
	case info.Size() > maxFile:
		return fmt.Errorf("%s (%s) %w", p.name(), Size(info.Size()), errTooLarge)
	}
	return nil
}

func (p location) explain(err error) error { return fmt.Errorf("%s %w", p.name(), plain(err)) }

// closeQuietly closes a file that was only read, so that an error does not
// matter.
func closeQuietly(c io.Closer) { _ = c.Close() }

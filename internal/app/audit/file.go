package audit

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"

	"github.com/turnwire/turnwire/internal/bridge/consent"
)

// FileName is the file's name in the state folder.
const FileName = "audit.jsonl"

// A File is the audit log of this machine's user.
type File struct {
	Path string
	Log  *slog.Logger // receives one warning when a line could not be written

	reported atomic.Bool
}

// Note appends a decision. It is safe for concurrent use.
func (f *File) Note(d consent.Decision) {
	if err := f.write(append(d.Line(), '\n')); err != nil && !f.reported.Swap(true) {
		f.Log.Warn("the audit log is missing decisions", "file", f.Path, "error", err)
	}
}

func (f *File) write(line []byte) error {
	file, err := open(f.Path)
	if errors.Is(err, os.ErrNotExist) {
		if err = os.MkdirAll(filepath.Dir(f.Path), 0o700); err == nil {
			file, err = open(f.Path)
		}
	}
	if err != nil {
		return err
	}
	_, err = file.Write(line)
	return errors.Join(err, file.Close())
}

// open opens the file. It refuses anything but a regular file: a pipe, for example, would
// block until it has a reader.
func open(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY|syscall.O_NONBLOCK, 0o600)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a regular file", path)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

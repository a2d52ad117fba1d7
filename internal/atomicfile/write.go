package atomicfile

import (
	"errors"
	"os"
	"path/filepath"
)

// Write replaces the file at path. A reader sees either the old or the new content, never
// a part. The new file has the mode and the owner of the old one.
func Write(path string, text []byte) (err error) {
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(file.Name()))
		}
	}()
	_, err = file.Write(text)
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return err
	}
	if _, missing := os.Stat(path); missing == nil {
		err = TakeAfter(path, file.Name())
	} else {
		err = os.Chmod(file.Name(), 0o644)
	}
	if err != nil {
		return err
	}
	return rename(file.Name(), path)
}

// WritePrivate is like [Write], but only the file's owner can read or write the new file.
func WritePrivate(path string, text []byte) error {
	private, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if err := errors.Join(private.Chmod(0o600), private.Close()); err != nil {
		return err
	}
	return Write(path, text) // keeps the mode
}

// TakeAfter gives the file at path the mode and the owner of model.
func TakeAfter(model, path string) error {
	info, err := os.Stat(model)
	if err != nil {
		return err
	}
	if err := chownLike(info, path); err != nil {
		return err
	}
	return os.Chmod(path, info.Mode().Perm())
}

// Package atomicfile reads and writes whole files whose paths come from users or
// strangers. Such a path may lead to a pipe without a writer, or to an endless file, so
// the package reads only regular files of a limited size. A write replaces the file
// atomically.
package atomicfile

import (
	"fmt"
	"io"
	"os"
)

// Read reads a regular file of at most limit bytes, and returns an error for anything
// else. For an empty file, it returns a slice that is empty but not nil.
func Read(path string, limit int64) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(text)) > limit {
		return nil, fmt.Errorf("%s is longer than %d bytes", path, limit)
	}
	return text, nil
}

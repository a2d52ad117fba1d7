// Package atomicfile reads and writes whole files that users, or strangers, have
// put somewhere. A name may be that of a pipe nobody writes to, and a file may
// have no end: what is read is a regular file of a bounded size. What is written
// takes the place of the file before in one step.
package atomicfile

import (
	"fmt"
	"io"
	"os"
)

// Read reads a regular file of at most limit bytes. It refuses any other, and
// an empty file is not nil.
func Read(path string, limit int64) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no file", path)
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

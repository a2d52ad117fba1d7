package audit

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"

	"github.com/turnwire/turnwire/internal/bridge/consent"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// maxLine bounds a line, in bytes. Ours are shorter.
const maxLine = 4 << 20

// Read yields the decisions of a file from the oldest on. A line that is none is an
// error that names it, and the next one follows. Of a file that does not exist there
// are none.
func Read(path string) iter.Seq2[consent.Decision, error] {
	return func(yield func(consent.Decision, error) bool) {
		file, err := os.Open(path)
		if errors.Is(err, os.ErrNotExist) {
			return
		}
		if err != nil {
			yield(consent.Decision{}, err)
			return
		}
		defer file.Close()
		in := bufio.NewReader(file)
		for n := 1; ; n++ {
			line, err := readLine(in)
			if errors.Is(err, io.EOF) && len(line) == 0 {
				return
			}
			if err != nil && !errors.Is(err, io.EOF) {
				yield(consent.Decision{}, err)
				return
			}
			var d consent.Decision
			if len(line) > maxLine || exactjson.Unmarshal(line, &d) != nil || d.Verdict == "" {
				if !yield(consent.Decision{}, fmt.Errorf("%s:%d: this is not a decision", path, n)) {
					return
				}
				continue
			}
			if !yield(d, nil) {
				return
			}
		}
	}
}

// readLine reads a line, and of one that is too long a bit more than may be.
func readLine(in *bufio.Reader) (line []byte, err error) {
	for {
		part, err := in.ReadSlice('\n')
		if len(line) <= maxLine {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

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

// maxLine is the longest accepted line, in bytes. Our lines are shorter.
const maxLine = 4 << 20

// Read yields the decisions in a file, oldest first. For an invalid line it yields an
// error that names the line, and continues. A missing file has no decisions.
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
				if !yield(consent.Decision{}, fmt.Errorf("%s:%d: not a decision", path, n)) {
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

// readLine reads a line. It truncates one that is longer than maxLine to slightly more
// than that.
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

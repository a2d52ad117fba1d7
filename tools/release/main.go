// Turnwire-release does the release steps that GoReleaser doesn't support. The script
// build runs it:
//
//	turnwire-release gzip FILE…
//	turnwire-release bills VERSION FILE…
//	turnwire-release images VERSION LAYER…
//	turnwire-release extensions VERSION NPM-PACKAGE…
//
// SOURCE_DATE_EPOCH is the time of the commit, and COMMIT is its hash.
package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"
)

const repository = "https://github.com/turnwire/turnwire"

// A commit is the commit that is released.
type commit struct {
	version, hash string
	time          time.Time
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "turnwire-release:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) < 2 {
		return errors.New("name what to make, and the files")
	}
	what, files := args[0], args[1:]
	if what == "gzip" {
		return each(files, compress)
	}
	seconds, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64)
	if err != nil {
		return fmt.Errorf("SOURCE_DATE_EPOCH: %w", err)
	}
	c := commit{version: files[0], hash: os.Getenv("COMMIT"), time: time.Unix(seconds, 0).UTC()}
	switch what {
	case "bills":
		return each(files[1:], c.completeBill)
	case "images":
		return each(files[1:], c.writeImage)
	case "extensions":
		return each(files[1:], c.writeExtension)
	default:
		return fmt.Errorf("cannot make %q", what)
	}
}

func each(files []string, do func(string) error) error {
	for _, file := range files {
		if err := do(file); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	return nil
}

// compress replaces a file with file.gz. Unlike gzip(1), it writes the same bytes on
// every system.
func compress(file string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := w.Write(data); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	if err := os.WriteFile(file+".gz", out.Bytes(), 0o644); err != nil {
		return err
	}
	return os.Remove(file)
}

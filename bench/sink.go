package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// tail is how many of the last bytes are kept to find the line that ends a turn. That
// line is short; a longer last line can't be it.
const tail = 1 << 10

// chunk is the size of a read, which is larger than a pipe's buffer.
const chunk = 256 << 10

// taken is the amount of output of a turn.
type taken struct {
	lines int // except the last
	bytes int64
}

// turn sends a prompt, and reads as fast as possible until the turn ends.
func turn(s subject, text string) (taken, error) {
	if err := s.prompt(text); err != nil {
		return taken{}, err
	}
	return drain(s, func([]byte) {})
}

// drain reads until the turn ends. It counts newlines, and examines only the last line
// received so far, because nothing follows the end of a turn. It passes every chunk to
// see first.
func drain(s subject, see func([]byte)) (taken, error) {
	var t taken
	buf := make([]byte, tail+chunk)
	kept := 0 // bytes of the previous chunk at the beginning of buf
	for {
		n, err := s.Read(buf[kept : kept+chunk])
		see(buf[kept : kept+n])
		t.bytes += int64(n)
		t.lines += bytes.Count(buf[kept:kept+n], []byte{'\n'})
		seen := buf[:kept+n]
		if end, failed := endsWith(s, seen[max(0, len(seen)-tail):]); end || failed != nil {
			t.lines--
			return t, failed
		}
		if errors.Is(err, io.EOF) {
			return t, fmt.Errorf("the stream ended within a turn: %w", io.ErrUnexpectedEOF)
		}
		if err != nil {
			return t, err
		}
		kept = copy(buf, seen[max(0, len(seen)-tail):])
	}
}

// endsWith reports whether b ends with a complete line that ends the turn.
func endsWith(s subject, b []byte) (bool, error) {
	if len(b) == 0 || b[len(b)-1] != '\n' {
		return false, nil
	}
	b = b[:len(b)-1]
	start := bytes.LastIndexByte(b, '\n')
	if start < 0 && len(b) >= tail-1 {
		return false, nil
	}
	return s.ends(b[start+1:])
}

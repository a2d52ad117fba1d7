package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// tail is the number of the last bytes that are kept to find the line that
// ends a turn. Such a line is short; a longer last line cannot be it.
const tail = 1 << 10

// chunk is the size of a read: more than a pipe holds.
const chunk = 256 << 10

// taken is what a turn brought.
type taken struct {
	lines int // but the last
	bytes int64
}

// turn prompts and takes what arrives as fast as possible until the turn
// ends.
func turn(s subject, text string) (taken, error) {
	if err := s.prompt(text); err != nil {
		return taken{}, err
	}
	return drain(s, func([]byte) {})
}

// drain takes what arrives until the turn ends. It counts newlines and looks
// at nothing but the last line of what has arrived so far: nothing follows
// the end of a turn. Every chunk is shown to see first.
func drain(s subject, see func([]byte)) (taken, error) {
	var t taken
	buf := make([]byte, tail+chunk)
	kept := 0 // bytes of the former chunk at the beginning of buf
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

// endsWith reports whether b ends with a whole line that ends the turn.
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

package terminal

import (
	"context"
	"io"
	"time"
	"unicode/utf8"

	"github.com/muesli/cancelreader"

	"github.com/turnwire/turnwire/internal/visible"
)

// A key is a key press and its time.
type key struct {
	code keyCode
	char rune // for keyChar
	at   time.Time
	// burst reports that other characters arrived with this one: it was pasted, or typed
	// before it could be read.
	burst bool
}

type keyCode uint8

const (
	keyChar keyCode = iota
	keyEnter
	keyEscape
	keyErase     // backspace
	keyEraseWord // Ctrl-W
	keyEraseAll  // Ctrl-U
	keyInterrupt // Ctrl-C
	keyEnd       // Ctrl-D, or EOF
)

// escapeWait is how long to wait after ESC for the rest of a sequence, such as that of an
// arrow key, before treating it as the Escape key.
const escapeWait = 50 * time.Millisecond

// readKeys sends the keys read from in until ctx ends. EOF is a key too. If the terminal
// is in line mode, keys arrive one line at a time.
func readKeys(ctx context.Context, in io.Reader, keys chan<- key) error {
	reader, err := cancelreader.NewReader(in)
	if err != nil {
		return err
	}
	chunks := make(chan []byte)
	finished := make(chan struct{})
	go func() {
		defer close(finished)
		defer close(chunks)
		for {
			buf := make([]byte, 256)
			n, err := reader.Read(buf)
			if n > 0 {
				select {
				case chunks <- buf[:n]:
				case <-ctx.Done():
					return
				}
			}
			if err != nil {
				return
			}
		}
	}()
	defer func() {
		// A reader that is not a file can't be cancelled. Abandon it, because waiting for
		// it would mean waiting for the user.
		if reader.Cancel() {
			<-finished
		}
		_ = reader.Close()
	}()
	return decodeKeys(ctx, chunks, keys)
}

func decodeKeys(ctx context.Context, chunks <-chan []byte, keys chan<- key) error {
	var pending []byte
	var timeout <-chan time.Time
	for {
		final := false
		select {
		case chunk, ok := <-chunks:
			if !ok {
				chunks, final = nil, true
				break
			}
			pending = append(pending, chunk...)
		case <-timeout:
			final = true
		case <-ctx.Done():
			return ctx.Err()
		}
		at := time.Now()
		found, rest := parseKeys(pending, final)
		pending, timeout = rest, nil
		if len(rest) > 0 {
			timeout = time.After(escapeWait)
		}
		if chunks == nil && final {
			found = append(found, key{code: keyEnd})
		}
		several := chars(found) > 1
		for _, k := range found {
			k.at, k.burst = at, several && k.code == keyChar
			select {
			case keys <- k:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		if chunks == nil {
			return nil
		}
	}
}

// chars counts the characters among keys.
func chars(keys []key) (n int) {
	for _, k := range keys {
		if k.code == keyChar {
			n++
		}
	}
	return n
}

// parseKeys returns the keys in b. Unless final is set, an incomplete sequence at the end
// is returned as rest.
func parseKeys(b []byte, final bool) (keys []key, rest []byte) {
	for len(b) > 0 {
		if b[0] == 0x1b {
			n := sequence(b)
			if n == 0 && !final {
				return keys, b
			}
			if n <= 1 {
				keys = append(keys, key{code: keyEscape})
				n = 1
			}
			b = b[n:]
			continue
		}
		if !utf8.FullRune(b) && !final {
			return keys, b
		}
		r, n := utf8.DecodeRune(b)
		b = b[n:]
		if k, ok := keyOf(r); ok {
			keys = append(keys, k)
		}
	}
	return keys, nil
}

// sequence returns the length of the escape sequence at the start of b. It is 0 if the
// sequence is incomplete, and 1 if it is the Escape key before another key.
func sequence(b []byte) int {
	if len(b) == 1 {
		return 0
	}
	switch b[1] {
	case 'O': // ESC O and one character: a function key
		return min(3, len(b)/3*3)
	case '[':
		return controlSequence(b)
	}
	return 1
}

// controlSequence returns the length of the control sequence at the start of b, which has
// parameters, intermediates, and one final byte. A byte that can't belong to it ends it,
// because that byte may be a key: Ctrl-C must not be lost.
func controlSequence(b []byte) int {
	n := 2
	for n < len(b) && b[n] >= 0x30 && b[n] <= 0x3f {
		n++
	}
	for n < len(b) && b[n] >= 0x20 && b[n] <= 0x2f {
		n++
	}
	switch {
	case n == len(b):
		return 0
	case b[n] >= 0x40 && b[n] <= 0x7e:
		return n + 1
	}
	return n
}

func keyOf(r rune) (key, bool) {
	switch r {
	case '\r', '\n':
		return key{code: keyEnter}, true
	case 0x03:
		return key{code: keyInterrupt}, true
	case 0x04:
		return key{code: keyEnd}, true
	case 0x08, 0x7f:
		return key{code: keyErase}, true
	case 0x15:
		return key{code: keyEraseAll}, true
	case 0x17:
		return key{code: keyEraseWord}, true
	case '\t':
		return key{code: keyChar, char: ' '}, true
	}
	if visible.IsControl(r) || r == utf8.RuneError {
		return key{}, false
	}
	return key{code: keyChar, char: r}, true
}

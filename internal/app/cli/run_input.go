package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/mattn/go-isatty"

	"github.com/turnwire/turnwire/protocol"
)

const (
	// maxPrompt limits the input from stdin, in bytes. One protocol line must hold it,
	// including escapes.
	maxPrompt = protocol.MaxLine / 2
	// fromStdin means stdin in the arguments.
	fromStdin = "-"
	// inputPatience is how long a run with a prompt waits for the first piped input.
	// Programs that start others often leave them a pipe that nobody writes to.
	inputPatience = 3 * time.Second
)

// readPrompt takes the prompt from the arguments, and its input from stdin unless that is
// a terminal. Without arguments, stdin is the prompt.
func readPrompt(args []string) (prompt, input string, err error) {
	asked := len(args) > 0 && args[len(args)-1] == fromStdin
	if asked {
		args = args[:len(args)-1]
	}
	terminal := isatty.IsTerminal(os.Stdin.Fd()) || isatty.IsCygwinTerminal(os.Stdin.Fd())
	switch {
	case len(args) == 1 && args[0] == "":
		return "", "", usagef("no prompt given")
	case len(args) == 1 && terminal && !asked:
		return args[0], "", nil
	case len(args) == 0 && terminal && !asked:
		return "", "", usagef("no prompt given")
	}
	in := io.Reader(os.Stdin)
	if len(args) == 1 && !asked {
		var came bool
		if in, came = awaitInput(os.Stdin, inputPatience); !came {
			fmt.Fprintf(os.Stderr, "Nothing arrived on stdin for %s; sending the prompt without it (- waits without a limit).\n", inputPatience)
			return args[0], "", nil
		}
	}
	text, err := readInput(in)
	switch {
	case err != nil:
		return "", "", err
	case len(args) == 1:
		return args[0], text, nil
	case strings.TrimSpace(text) == "":
		return "", "", usagef("no prompt given")
	}
	return text, "", nil
}

func readInput(in io.Reader) (string, error) {
	text, err := io.ReadAll(io.LimitReader(in, maxPrompt+1))
	if err != nil {
		return "", fmt.Errorf("reading stdin: %w", err)
	}
	if len(text) > maxPrompt {
		return "", fmt.Errorf("stdin is longer than %d bytes", maxPrompt)
	}
	return strings.ToValidUTF8(string(text), "\ufffd"), nil
}

// awaitInput waits for the first bytes of in, or for EOF. If neither arrives in time, it
// returns false; the caller must not read in any more.
func awaitInput(in io.Reader, patience time.Duration) (again io.Reader, came bool) {
	type read struct {
		text []byte
		err  error
	}
	first := make(chan read, 1)
	go func() {
		buf := make([]byte, 4096)
		n, err := in.Read(buf)
		first <- read{buf[:n], err}
	}()
	select {
	case r := <-first:
		head := strings.NewReader(string(r.text))
		if errors.Is(r.err, io.EOF) {
			return head, true
		}
		return io.MultiReader(head, in), true
	case <-time.After(patience):
		return nil, false
	}
}

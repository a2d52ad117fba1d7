package cli

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"
)

// agreed asks a question and returns the error unless, unless the answer is yes. In a
// terminal, a single key answers.
func agreed(in io.Reader, out io.Writer, p paint, question string, unless error) error {
	answer := answerOfLine
	if file, ok := in.(*os.File); ok {
		if before, err := term.MakeRaw(int(file.Fd())); err == nil { // succeeds only for a terminal
			defer func() { _ = term.Restore(int(file.Fd()), before) }()
			answer = answerOfKey
		}
	}
	fmt.Fprintf(out, "%s [y/N] ", p.bold(question))
	if !answer(in, out) {
		return unless
	}
	return nil
}

func answerOfLine(in io.Reader, out io.Writer) (yes bool) {
	answer, err := bufio.NewReader(in).ReadString('\n')
	if err != nil {
		fmt.Fprintln(out)
		return false
	}
	answer = strings.ToLower(strings.TrimSpace(answer))
	return answer == "y" || answer == "yes"
}

// answerOfKey waits for a key that answers the question, and echoes it. It ignores pasted
// text and keys that send several bytes, such as arrows. Input that ends with Enter is
// treated as a line.
func answerOfKey(in io.Reader, out io.Writer) (yes bool) {
	const escape, interrupt, end = "\x1b", "\x03", "\x04"
	for buf := make([]byte, 256); ; {
		n, err := in.Read(buf)
		typed := string(buf[:n])
		key := strings.ToLower(strings.TrimRight(typed, "\r\n"))
		switch entered := len(key) < len(typed); {
		case key == "y" || entered && key == "yes":
			fmt.Fprint(out, "yes\r\n")
			return true
		case err != nil, entered, key == "", key == "n", key == escape, key == interrupt, key == end:
			fmt.Fprint(out, "no\r\n")
			return false
		}
	}
}

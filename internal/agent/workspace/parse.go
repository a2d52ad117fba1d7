package workspace

import (
	"errors"
	"fmt"
	"strings"

	"github.com/turnwire/turnwire/internal/lazyregexp"
)

// A step is one line of a prompt that starts with a command.
type step interface {
	// run runs the step and reports the outcome. It returns soon after the
	// turn's context ends.
	run(t *turn) outcome
}

// maxSteps limits the steps of one prompt.
const maxSteps = 1000

// stepLine matches a slash, a word and the rest of the line. A path such as
// /usr/bin and a comment such as // are not steps.
var stepLine = lazyregexp.New(`^[ \t]*/([A-Za-z][A-Za-z0-9_-]*)(?:[ \t](.*))?$`)

// parse returns the steps of a prompt and ignores other lines. A line that
// looks like a step always becomes one, if only to report its mistake.
func parse(text string) []step {
	var steps []step
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		m := stepLine().FindStringSubmatch(line)
		if m == nil {
			continue
		}
		if len(steps) == maxSteps {
			return append(steps, badStep{line, fmt.Errorf("a prompt can have at most %d steps", maxSteps)})
		}
		steps = append(steps, parseStep(line, m[1], m[2]))
	}
	return steps
}

func parseStep(line, name, rest string) step {
	line = strings.TrimSpace(line)
	c, ok := findCommand(name)
	if !ok {
		return badStep{line, errors.New("unknown command")}
	}
	s, err := c.parse(rest)
	if err != nil {
		return badStep{line, fmt.Errorf("%w (`%s`)", err, c.usage())}
	}
	return s
}

var (
	errNoText     = errors.New("the text is missing")
	errNoPath     = errors.New("the path is missing")
	errOpenQuote  = errors.New("a quotation mark is not closed")
	errAfterQuote = errors.New("a space is missing after a quotation mark")
	errTooMuch    = errors.New("too many arguments; quote arguments that contain spaces")
)

// cutWord splits the first word off s. A word ends at a space, or is enclosed
// in double quotes. In quotes, \" is a quotation mark, and any other backslash
// is literal. One space after the word is dropped, so that the rest may be a
// text that begins with spaces.
func cutWord(s string) (word, rest string, err error) {
	s = strings.TrimLeft(s, " \t")
	if !strings.HasPrefix(s, `"`) {
		if i := strings.IndexAny(s, " \t"); i >= 0 {
			return s[:i], s[i+1:], nil
		}
		return s, "", nil
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case strings.HasPrefix(s[i:], `\"`):
			i++
			b.WriteByte('"')
		case s[i] != '"':
			b.WriteByte(s[i])
		case i+1 == len(s):
			return b.String(), "", nil
		case s[i+1] == ' ' || s[i+1] == '\t':
			return b.String(), s[i+2:], nil
		default:
			return "", "", errAfterQuote
		}
	}
	return "", "", errOpenQuote
}

// quoteWord formats word so that cutWord can parse it.
func quoteWord(word string) string {
	if word != "" && !strings.ContainsAny(word, " \t\"") {
		return word
	}
	return `"` + strings.ReplaceAll(word, `"`, `\"`) + `"`
}

// cutPath splits a path off s.
func cutPath(s string) (path, rest string, err error) {
	path, rest, err = cutWord(s)
	if err == nil && path == "" {
		err = errNoPath
	}
	return path, rest, err
}

// onlyPath is like cutPath, but nothing may follow the path.
func onlyPath(s string) (string, error) {
	path, rest, err := cutPath(s)
	if err == nil && strings.TrimSpace(rest) != "" {
		err = errTooMuch
	}
	return path, err
}

// parseText returns s without surrounding blanks, or an error if nothing is
// left.
func parseText(s string) (string, error) {
	s = strings.TrimSpace(s)
	if s == "" {
		return "", errNoText
	}
	return s, nil
}

// unescape replaces the escapes for line breaks and tabs in a text.
func unescape(s string) string {
	return strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t").Replace(s)
}

// splitList splits s at sep and drops blank parts.
func splitList(s, sep string) []string {
	var parts []string
	for part := range strings.SplitSeq(s, sep) {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

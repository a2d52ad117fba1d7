package policy

import (
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

const (
	// maxParsed is the longest command line that is parsed, in bytes, because the parser
	// is recursive.
	maxParsed = 16 << 10
	// maxScripts limits how deeply nested shell scripts are examined.
	maxScripts = 3
)

// Commands whose arguments are a command or a script.
var (
	runners = map[string]bool{
		"busybox": true, "command": true, "doas": true, "env": true, "exec": true, "find": true, "nice": true, "nohup": true, "setsid": true,
		"stdbuf": true, "sudo": true, "time": true, "timeout": true, "watch": true, "xargs": true,
	}
	shells = map[string]bool{"ash": true, "bash": true, "dash": true, "ksh": true, "sh": true, "zsh": true}
)

// anyCommand reports whether fits returns true for any simple command of a command line.
// That includes commands in a pipeline, a list, a substitution, a function, a script of
// "sh -c", and the arguments of a command such as sudo. fits gets the words as a shell
// splits them, without assignments and redirections. A word that only a shell can expand
// is left as written.
func anyCommand(line string, fits func(words []string) bool) bool {
	return anyIn(line, fits, maxScripts)
}

func anyIn(line string, fits func(words []string) bool, depth int) bool {
	file, err := parseShell(line)
	if err != nil {
		return anyRough(line, fits)
	}
	found := false
	syntax.Walk(file, func(n syntax.Node) bool {
		call, ok := n.(*syntax.CallExpr)
		if !ok || len(call.Args) == 0 {
			return !found
		}
		words := make([]string, len(call.Args))
		for i, w := range call.Args {
			words[i] = literal(line, w)
		}
		found = found || anyBehind(words, fits, depth)
		return !found
	})
	return found
}

func parseShell(line string) (*syntax.File, error) {
	if len(line) > maxParsed {
		return nil, syntax.ParseError{Text: "too long"}
	}
	return syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(line), "")
}

// anyRough is anyIn for text that is not a valid bash command line. Another shell may run
// it, or bash may run the lines before the error. Every position where a command could
// start is treated as one.
func anyRough(line string, fits func(words []string) bool) bool {
	for part := range strings.FieldsFuncSeq(line, func(r rune) bool { return strings.ContainsRune("\n\r;&|(){}`$'\"", r) }) {
		words := strings.Fields(part)
		for len(words) > 0 && strings.Contains(words[0], "=") {
			words = words[1:]
		}
		if len(words) > 0 && anyBehind(words, fits, 0) {
			return true
		}
	}
	return false
}

// anyBehind is anyIn for one simple command and the commands that it runs.
func anyBehind(words []string, fits func(words []string) bool, depth int) bool {
	if fits(words) {
		return true
	}
	name := baseName(words[0])
	switch {
	case runners[name]:
		for i := 1; i < len(words); i++ {
			if fits(words[i:]) || depth > 0 && isScript(words[i:]) && anyIn(words[i+2], fits, depth-1) {
				return true
			}
		}
	case depth > 0 && name == "eval":
		return anyIn(strings.Join(words[1:], " "), fits, depth-1)
	case depth > 0 && isScript(words):
		return anyIn(words[2], fits, depth-1)
	}
	return false
}

// isScript reports whether words are a shell, an option such as -c or -lc, and a script.
func isScript(words []string) bool {
	return len(words) > 2 && shells[baseName(words[0])] && strings.HasPrefix(words[1], "-") && strings.HasSuffix(words[1], "c")
}

func baseName(word string) string { return path.Base(strings.ReplaceAll(word, `\`, "/")) }

// literal returns a word's value in a shell, or its source if the value depends on
// expansion.
func literal(line string, w *syntax.Word) string {
	var b strings.Builder
	for _, part := range w.Parts {
		switch part := part.(type) {
		case *syntax.Lit:
			b.WriteString(unescape(part.Value))
		case *syntax.SglQuoted:
			b.WriteString(part.Value)
		case *syntax.DblQuoted:
			for _, inner := range part.Parts {
				if text, ok := inner.(*syntax.Lit); ok {
					b.WriteString(unescape(text.Value))
				} else {
					b.WriteString(source(line, inner))
				}
			}
		default:
			b.WriteString(source(line, part))
		}
	}
	return b.String()
}

func source(line string, n syntax.Node) string { return line[n.Pos().Offset():n.End().Offset()] }

// unescape removes the backslashes that protect characters.
func unescape(text string) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) {
			i++
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

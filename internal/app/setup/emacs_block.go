package setup

import (
	_ "embed"
	"errors"
	"slices"
	"strings"

	"github.com/turnwire/turnwire/internal/lazyregexp"
)

// emacsBlock is the block that we write into an init file, with AGENTS as a
// placeholder. It works without lexical binding, which an init file may lack.
//
//go:embed emacs.el
var emacsBlock string

// The beginnings of the block's first and last line. The rest of these lines may change.
const (
	emacsBegin = ";; >>> turnwire setup"
	emacsEnd   = ";; <<< turnwire setup"
)

var (
	emacsAgent  = lazyregexp.New(`\(("(?:[^"\\]|\\.)*") [a-z0-9-]+((?: "(?:[^"\\]|\\.)*")+)\)`)
	emacsString = lazyregexp.New(`"(?:[^"\\]|\\.)*"`)
	// Emacs looks for local variables at the end of a file.
	emacsVariables = lazyregexp.New(`(?m)^;+[ \t]*Local Variables:`)
)

// emacsFormat is a marked block in an Emacs Lisp file. The rest of the file is not
// parsed.
type emacsFormat struct{}

var errHalfABlock = errors.New("the \"turnwire setup\" block is incomplete: remove the rest of it")

// block finds the block, text[from:to], including the newline of its last line. The range
// is empty if there is no block.
func (emacsFormat) block(text string) (from, to int, err error) {
	from, to = -1, -1
	at := 0
	for line := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(line, emacsBegin) && from < 0:
			from = at
		case strings.HasPrefix(line, emacsEnd) && from >= 0 && to < 0:
			to = at + len(line)
		case strings.HasPrefix(line, emacsBegin), strings.HasPrefix(line, emacsEnd):
			return 0, 0, errHalfABlock
		}
		at += len(line)
	}
	switch {
	case from >= 0 && to < 0:
		return 0, 0, errHalfABlock
	case from < 0:
		return 0, 0, nil
	}
	return from, to, nil
}

func (f emacsFormat) agents(text []byte) ([]Agent, error) {
	from, to, err := f.block(string(text))
	if err != nil {
		return nil, err
	}
	var agents []Agent
	for _, m := range emacsAgent().FindAllStringSubmatch(string(text[from:to]), -1) {
		words := emacsString().FindAllString(m[2], -1)
		for i, word := range words {
			words[i] = elispText(word)
		}
		agents = append(agents, Agent{elispText(m[1]), words[0], words[1:]})
	}
	return agents, nil
}

func (f emacsFormat) add(text []byte, a Agent) ([]byte, error) {
	agents, err := f.agents(text)
	if err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(agents, func(b Agent) bool { return b.Name == a.Name }); i >= 0 {
		agents[i] = a
	} else {
		agents = append(agents, a)
	}
	return f.with(string(text), agents)
}

func (f emacsFormat) drop(text []byte, name string) ([]byte, error) {
	agents, err := f.agents(text)
	if err != nil {
		return nil, err
	}
	return f.with(string(text), slices.DeleteFunc(agents, func(b Agent) bool { return b.Name == name }))
}

// with replaces the block with one for these agents. A new block goes to the end of the
// file, but before the local variables, which must be last.
func (f emacsFormat) with(text string, agents []Agent) ([]byte, error) {
	from, to, err := f.block(text)
	if err != nil {
		return nil, err
	}
	// An existing block keeps its line endings.
	newline, lines := "\n", text
	if to > 0 {
		lines = text[from:to]
	}
	if strings.Contains(lines, "\r\n") {
		newline = "\r\n"
	}
	block := strings.ReplaceAll(f.render(agents), "\n", newline)
	switch {
	case to > 0 && len(agents) > 0:
		return []byte(text[:from] + block + text[to:]), nil
	case to > 0:
		// The empty lines around the block were added with it.
		before, after := text[:from], text[to:]
		if strings.HasSuffix(before, newline+newline) {
			before = strings.TrimSuffix(before, newline)
		}
		if emacsVariables().MatchString(after) {
			after = strings.TrimPrefix(after, newline)
		}
		return []byte(before + after), nil
	case len(agents) == 0:
		return []byte(text), nil
	}
	at := len(text)
	if found := emacsVariables().FindAllStringIndex(text, -1); len(found) > 0 {
		at = found[len(found)-1][0]
	}
	before, after := text[:at], text[at:]
	if before != "" && !strings.HasSuffix(before, "\n") {
		before += newline
	}
	if before != "" {
		before += newline
	}
	if after != "" {
		block += newline
	}
	return []byte(before + block + after), nil
}

func (emacsFormat) render(agents []Agent) string {
	var list []string
	id := ids(agents)
	for i, a := range agents {
		words := []string{elispString(a.Name), id[i], elispString(a.Command)}
		for _, arg := range a.Args {
			words = append(words, elispString(arg))
		}
		list = append(list, "("+strings.Join(words, " ")+")")
	}
	return strings.Replace(emacsBlock, "AGENTS", strings.Join(list, "\n                     "), 1)
}

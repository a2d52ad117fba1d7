// Package syntax finds the keywords, strings, numbers and comments in source code, so
// that a terminal can colour them.
//
// It knows the words and delimiters of common languages, but not their grammar. Libraries
// that know more, such as chroma, prepare all languages when a program starts: 7 ms and
// 2.7 MB for every process that an editor launches.
//
// Contract: the spans of a line are the line, in order; none is empty. Nothing is
// prepared before it is used, and a line takes linear time.
package syntax

import (
	"path"
	"strings"
)

// A Kind is what a span of code is.
type Kind uint8

// The kinds of spans.
const (
	Plain Kind = iota
	Keyword
	String
	Number
	Comment
)

// A Span is a part of a line.
type Span struct {
	Kind Kind
	Text string
}

// A State is what a line begins in, such as a comment that an earlier line began. The
// zero value is plain code.
type State struct {
	kind  Kind
	until string // the delimiter that ends it
	raw   bool   // a backslash is not an escape
}

// Named returns the language with a name, such as that of a code block in Markdown. It
// returns nil if it is unknown.
func Named(name string) *Language {
	name = strings.ToLower(name)
	if name == "" || strings.Contains(name, " ") {
		return nil
	}
	for i := range languages {
		if has(languages[i].names, name) {
			return &languages[i]
		}
	}
	return nil
}

// Of returns the language of a file, or nil if it is unknown.
func Of(file string) *Language {
	base := strings.ToLower(path.Base(strings.ReplaceAll(file, `\`, "/")))
	if l := Named(strings.TrimPrefix(path.Ext(base), ".")); l != nil {
		return l
	}
	return Named(base) // Makefile
}

// has reports whether word is in a list of words that are separated by spaces.
func has(list, word string) bool {
	for {
		i := strings.Index(list, word)
		if i < 0 || word == "" {
			return false
		}
		end := i + len(word)
		if (i == 0 || list[i-1] == ' ') && (end == len(list) || list[end] == ' ') {
			return true
		}
		list = list[end:]
	}
}

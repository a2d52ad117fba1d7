package main

import (
	"bytes"
	"fmt"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// make lint runs this test. To allow a phrase or to forbid another, change vocabulary.
func TestDocumentsCommentsAndMessagesAvoidTheVocabulary(t *testing.T) {
	read := map[string]bool{}
	require.NoError(t, filepath.WalkDir(".", func(file string, entry fs.DirEntry, err error) error {
		file = filepath.ToSlash(file)
		switch {
		case err != nil:
			return err
		case entry.IsDir() && foreign.MatchString(file):
			return fs.SkipDir
		case entry.IsDir() || !written.MatchString(file):
			return nil
		}
		read[path.Ext(file)] = true
		source, err := os.ReadFile(filepath.FromSlash(file))
		for _, found := range findings(file, source) {
			t.Error(found)
		}
		return err
	}))
	for _, ext := range []string{"", ".css", ".el", ".go", ".lua", ".md", ".mjs", ".py", ".rs", ".sh", ".ts", ".tsx", ".txt", ".yml"} {
		require.True(t, read[ext], "no %q file was read", ext)
	}
}

var (
	// foreign matches the folders of generated, recorded and uncommitted files.
	foreign = regexp.MustCompile(`(^|/)(\.git|node_modules|testdata|golden|target|__pycache__)$|^(editors/vscode/|sdk/\w+/)?(build|dist|out)$|^internal/app/page/files$`)
	// written matches the other files that contain texts.
	written = regexp.MustCompile(`\.(go|md|tsx?|m?js|css|html|lua|el|py|rs|sh|ya?ml|(go|toml|rs)\.txt)$|(^|/)(Makefile|package\.json|turnwire\.txt)$|^\.ci/|^editors/\w+/test/run$|^tools/release/(build|make|stage|version)$`)
	// inTests matches files of which only comments are checked: strings are test data.
	inTests  = regexp.MustCompile(`(^|/)\w*test/|_test\.go$|\.test\.`)
	comments = regexp.MustCompile(`(?m)/\*(?s:.*?)\*/|(?:^|\s)(?://|--|#|;).*$`)
)

// findings returns the position and the replacement of each phrase in a file.
func findings(file string, source []byte) (found []string) {
	words, lines := split(string(texts(file, source)))
	for i, word := range words {
		for _, p := range phrases[word] {
			if len(words)-i >= len(p.words) && slices.Equal(words[i:i+len(p.words)], p.words) {
				found = append(found, fmt.Sprintf("%s:%d: %q: use %s", file, lines[i], strings.Join(p.words, " "), p.use))
			}
		}
	}
	return found
}

type phrase struct {
	words []string
	use   string
}

// phrases has the variants of all phrases by their first words.
var phrases = func() map[string][]phrase {
	all := make(map[string][]phrase)
	for _, t := range vocabulary {
		for _, variant := range variants(t.phrase) {
			words, _ := split(variant)
			all[words[0]] = append(all[words[0]], phrase{words, t.use})
		}
	}
	return all
}()

func variants(s string) (all []string) {
	before, rest, found := strings.Cut(s, "(")
	if !found {
		return []string{s}
	}
	parts, after, _ := strings.Cut(rest, ")")
	for part := range strings.SplitSeq(parts, "|") {
		for _, tail := range variants(after) {
			all = append(all, before+part+tail)
		}
	}
	return all
}

// split returns the words of a text, in lower case, and their line numbers. Punctuation
// counts as a word, so that phrases don't match across it. Comment markers are dropped.
func split(text string) (words []string, lines []int) {
	text = strings.ToLower(text)
	line, start := 1, 0
	add := func(from, to int) {
		if from < to {
			words, lines = append(words, text[from:to]), append(lines, line)
		}
	}
	for i := range len(text) {
		switch c := text[i]; {
		case 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '_':
			continue
		case c == '\n':
			add(start, i)
			line++
		case strings.IndexByte(" \t\r/#*;>!-", c) >= 0:
			add(start, i)
		default:
			add(start, i)
			add(i, i+1)
		}
		start = i + 1
	}
	add(start, len(text))
	return words, lines
}

// texts returns a copy of the source in which zeros replace code.
func texts(file string, source []byte) []byte {
	ext, test := path.Ext(file), inTests.MatchString(file)
	text := bytes.Clone(source)
	switch {
	case ext == ".md":
		for _, code := range []*regexp.Regexp{fence, code} {
			for _, at := range code.FindAllIndex(text, -1) {
				blank(text[at[0]:at[1]])
			}
		}
	case ext == ".go":
		blank(text)
		var s scanner.Scanner
		in := token.NewFileSet().AddFile(file, -1, len(source))
		s.Init(in, source, nil, scanner.ScanComments)
		for at, kind, literal := s.Scan(); kind != token.EOF; at, kind, literal = s.Scan() {
			if kind == token.COMMENT || kind == token.STRING && !test {
				from := in.Offset(at)
				copy(text[from:from+len(literal)], source[from:])
			}
		}
	case test:
		blank(text)
		for _, at := range comments.FindAllIndex(source, -1) {
			copy(text[at[0]:at[1]], source[at[0]:])
		}
	}
	return text // other code stays, because it doesn't look like a phrase
}

// blank replaces everything but line breaks with zeros.
func blank(text []byte) {
	for i, c := range text {
		if c != '\n' {
			text[i] = 0
		}
	}
}

func TestVocabularyIsFoundInTextsOnly(t *testing.T) {
	const again, ensure = `"again", "restart", "from scratch"`, `"make sure", "ensure"`
	for name, c := range map[string]struct {
		file, source string
		found        []string
	}{
		"a comment":       {"a.go", "package a // Anew.\n", []string{`a.go:1: "anew": use ` + again}},
		"across lines":    {"a.go", "package a\n\n// It sees\n// to it.\n", []string{`a.go:3: "sees to it": use ` + ensure}},
		"a message":       {"a.go", "package a\n\nvar anew = \"started anew\"\n", []string{`a.go:3: "anew": use ` + again}},
		"a test's string": {"a_test.go", "package a\n\nvar anew = \"started anew\" // anew\n", []string{`a_test.go:3: "anew": use ` + again}},
		"code":            {"a.go", "package a\n\nfunc anew() {}\n", nil},
		"a document":      {"a.md", "Started anew,\n`anew`.\n```\nanew\n```\nor\nanew\n", []string{`a.md:1: "anew": use ` + again, `a.md:7: "anew": use ` + again}},
		"a block":         {"test/a.ts", "/**\n * It sees\n * to it.\n */\nconst s = 'anew';\n", []string{`test/a.ts:2: "sees to it": use ` + ensure}},
		"punctuation":     {"a.md", "It never sees. To it, nothing is visible.\n", nil},
	} {
		require.Equal(t, c.found, findings(c.file, []byte(c.source)), name)
	}
	require.Equal(t, []string{"a  d", "a b d", "a c d"}, variants("a (|b|c) d"))
}

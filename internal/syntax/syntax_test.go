package syntax_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/syntax"
)

// marked returns lines of code with each span but plain ones in brackets, after the
// first letter of its kind.
func marked(l *syntax.Language, code string) string {
	kinds := map[syntax.Kind]string{syntax.Keyword: "k", syntax.String: "s", syntax.Number: "n", syntax.Comment: "c"}
	var out []string
	var state syntax.State
	for line := range strings.SplitSeq(code, "\n") {
		var spans []syntax.Span
		spans, state = l.Line(line, state)
		var row strings.Builder
		for _, s := range spans {
			if s.Kind == syntax.Plain {
				row.WriteString(s.Text)
			} else {
				row.WriteString(kinds[s.Kind] + "[" + s.Text + "]")
			}
		}
		out = append(out, row.String())
	}
	return strings.Join(out, "\n")
}

func TestLine(t *testing.T) {
	for name, c := range map[string]struct{ file, code, want string }{
		"words, numbers, strings":    {"a.go", `if x1 := f("a\"b", 0x1F, 2.5); x1 {`, `k[if] x1 := f(s["a\"b"], n[0x1F], n[2.5]); x1 {`},
		"members are no keywords":    {"a.ts", `a.type = new B`, `a.type = k[new] B`},
		"a comment":                  {"a.go", `return // if "x`, `k[return] c[// if "x]`},
		"a comment of several lines": {"a.c", "a /* b\nint */ int\n/**/x", "a c[/* b]\nc[int */] k[int]\nc[/**/]x"},
		"a string of several lines":  {"a.py", "x = '''a\\'''\nif'''; if", "x = s['''a\\''']\ns[if''']; k[if]"},
		"a raw string":               {"a.go", "x(`a\\`)", "x(s[`a\\`])"},
		"an apostrophe":              {"a.yaml", "it's true # don't", "it's k[true] c[# don't]"},
		"a string with a prefix":     {"a.py", "f'x' if", "fs['x'] k[if]"},
		"a string without an end":    {"a.go", `"\"\" if`, `"\"\" k[if]`},
		"a lifetime":                 {"a.rs", "fn f<'a>(x: &'a str)", "k[fn] f<'a>(x: &'a str)"},
		"a number sign in a shell":   {"a.sh", "if [ $# = ${a#b} ]; then # x", "k[if] [ $# = ${a#b} ]; k[then] c[# x]"},
		"upper case":                 {"a.sql", "SELECT a FROM b", "k[SELECT] a k[FROM] b"},
		"another name of a file":     {"/x/Makefile", "ifdef A # b", "k[ifdef] A c[# b]"},
		"other scripts":              {"a.go", `ünïf "漢" if`, `ünïf s["漢"] k[if]`},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, marked(syntax.Of(c.file), c.code))
		})
	}
}

func TestALanguageIsFoundByNameOrFile(t *testing.T) {
	require.Same(t, syntax.Named("golang"), syntax.Of("/a/b.go"))
	require.Same(t, syntax.Named("GO"), syntax.Of(`C:\a\B.GO`))
	require.Same(t, syntax.Named("bash"), syntax.Of("x.sh"))
	for _, name := range []string{"", "words", "go golang", "g", "olang", " "} {
		require.Nil(t, syntax.Named(name), name)
	}
	for _, file := range []string{"", "README", "a.txt", "a.", "/"} {
		require.Nil(t, syntax.Of(file), file)
	}
}

func FuzzLine(f *testing.F) {
	f.Add("go", "if `a\nb` \"\\", "\\\"")
	f.Add("python", "'''\\", "''' \xff #")
	f.Add("lua", "--[[ ]] --", "]]")
	f.Fuzz(func(t *testing.T, name, first, second string) {
		l := syntax.Named(name)
		if l == nil {
			return
		}
		var state syntax.State
		for _, line := range []string{first, second} {
			var spans []syntax.Span
			spans, state = l.Line(line, state)
			var all strings.Builder
			for _, s := range spans {
				require.NotEmpty(t, s.Text)
				all.WriteString(s.Text)
			}
			require.Equal(t, line, all.String())
		}
	})
}

package markdown_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/util"

	"github.com/turnwire/turnwire/internal/markdown"
)

// reference is a parser with goldmark's own extensions.
var reference = parser.NewParser(
	parser.WithBlockParsers(parser.DefaultBlockParsers()...),
	parser.WithInlineParsers(append(parser.DefaultInlineParsers(),
		util.Prioritized(extension.NewStrikethroughParser(), 500),
		util.Prioritized(extension.NewTaskCheckBoxParser(), 0),
		util.Prioritized(extension.NewLinkifyParser(), 999),
	)...),
	parser.WithParagraphTransformers(append(parser.DefaultParagraphTransformers(),
		util.Prioritized(extension.NewTableParagraphTransformer(), 200),
	)...),
	parser.WithASTTransformers(util.Prioritized(extension.NewTableASTTransformer(), 0)),
)

// github are pieces of GitHub's syntax, both valid and broken.
var github = append([]string{
	"http://example.org", "https://a.b/c?d=(e)#f", "ftp://a.b:80/x", "www.a.b", "www.a.b:80/$", "http://localhost/", "http://a.b/c.", "https://a.b/&amp;", "https://a.b/;)",
	"mail@example.org", "mail@host", "a.b@c.d-", "a@b.c_", "_x@y.z_", "(www.a.b)", "*http://a.b*", "**", "~", "~~", "~~~", "x", " ", "  ", "\n", "\t", "\\", "`", "``",
	"|", "\\|", "`\\|`", "-", "---", ":-", "-:", ":-:", "|-|", "|:-|-:|\n", "a|b\n-|-\n", "- [ ] ", "- [x]", "- [X]\ty", "[x](", "]", ")", "&", ";", "<", ">", "> ", "1. ", "\r\n", "\f", "é", "\u00a0", "。",
}, fragments...)

func requireLikeGoldmark(t *testing.T, source string) {
	t.Helper()
	if markdown.Bounded(source) {
		return
	}
	o := markdown.Options{Width: 80, Colour: true}
	require.Equal(t, markdown.RowsBy(reference, source, o), markdown.Rows(source, o), "%q", source)
}

func TestGitHubSyntaxMatchesGoldmark(t *testing.T) {
	for _, source := range []string{
		"https://" + strings.Repeat("a", 255) + ".org", "https://" + strings.Repeat("a", 256) + ".org", "https://" + strings.Repeat("a", 257) + ".org",
		"| `a\\|b` | *`c\\|d\\|`* \\| |\n|---|---|\n| `x \\\\| y` | \\| | z |\n",
		"before\n| a |\n|---|---|\n| b | c\n\nafter",
	} {
		requireLikeGoldmark(t, source)
	}
	for seed := range uint64(5_000) {
		r := rand.New(rand.NewPCG(seed, 2))
		var source strings.Builder
		for range 1 + r.IntN(12) {
			source.WriteString(github[r.IntN(len(github))])
		}
		requireLikeGoldmark(t, source.String())
	}
}

func FuzzGitHubSyntaxMatchesGoldmark(f *testing.F) {
	for _, piece := range github {
		f.Add(piece)
	}
	f.Fuzz(func(t *testing.T, source string) { requireLikeGoldmark(t, source) })
}

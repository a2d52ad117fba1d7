package main

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
)

// The README is the first thing that a new reader reads, in one go. Longer
// texts belong into docs.
const longestReadme = 12 << 10

func TestTheReadmeIsShort(t *testing.T) {
	text, err := os.ReadFile("README.md")
	require.NoError(t, err)
	require.LessOrEqual(t, len(text), longestReadme)
	_, end, found := strings.Cut(string(text), "\n## Documentation\n")
	require.True(t, found)
	require.LessOrEqual(t, len(links(end)), 10, "docs/README.md is the place for more links")
}

// longestPage is the limit of a page in docs, except for the generated reference of
// events. Split a longer page by purpose.
const longestPage = 15_000

func TestPagesAreShort(t *testing.T) {
	for name, text := range documents(t) {
		if strings.HasPrefix(name, "docs/") && name != "docs/events.md" {
			require.LessOrEqual(t, len(text), longestPage, name)
		}
	}
}

// The index lists every page, so that no page is hidden.
func TestTheIndexListsEveryPage(t *testing.T) {
	all := documents(t)
	listed := links(all["docs/README.md"])
	for name := range all {
		if page, found := strings.CutPrefix(name, "docs/"); found && page != "README.md" {
			require.Contains(t, listed, page)
		}
	}
}

// The README's command runs everything that CI runs.
func TestTheTestCommandOfTheReadmeRunsWhatCIRuns(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	_, section, ok := strings.Cut(string(readme), "\n## Contributing\n")
	require.True(t, ok)
	command := regexp.MustCompile("(?m)^```console\n\\$ (.+)\n```$").FindStringSubmatch(section)
	require.NotNil(t, command)
	require.Equal(t, "make test-all", command[1])
	makefile, err := os.ReadFile("Makefile")
	require.NoError(t, err)
	prerequisites := func(target string) []string {
		line := regexp.MustCompile("(?m)^" + target + ":(.*?)(?:##.*)?$").FindSubmatch(makefile)
		require.NotNil(t, line, target)
		return strings.Fields(string(line[1]))
	}
	all := prerequisites("test-all")
	require.Subset(t, all, prerequisites("test-ci"))
	_, recipe, ok := strings.Cut(string(makefile), "\ntest-ci:")
	require.True(t, ok)
	recipe, _, _ = strings.Cut(recipe, "\n\n")
	parts := regexp.MustCompile(`\$\(MAKE\) (\S+)`).FindAllStringSubmatch(recipe, -1)
	require.NotEmpty(t, parts)
	for _, part := range parts {
		require.Contains(t, all, part[1])
	}
}

// documents returns the Markdown files of the repository, by path.
func documents(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	require.NoError(t, filepath.WalkDir(".", func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "node_modules" || entry.Name() == ".git" || file == "dist" || file == "out"):
			return fs.SkipDir // not ours, or not committed
		case !strings.HasSuffix(file, ".md"):
			return nil
		}
		text, err := os.ReadFile(file)
		found[filepath.ToSlash(file)] = string(text)
		return err
	}))
	require.NotEmpty(t, found)
	return found
}

func TestLinksInDocumentsHaveTargets(t *testing.T) {
	all := documents(t)
	for name, text := range all {
		for _, link := range links(text) {
			require.NoError(t, follow(all, name, link), "%s links to %s", name, link)
		}
	}
}

// A deadLinkError names the missing target of a link.
type deadLinkError string

func (e deadLinkError) Error() string { return "there is no " + string(e) }

// follow returns an error if the file or the anchor of a relative link does not
// exist.
func follow(all map[string]string, from, link string) error {
	if strings.Contains(link, "://") || strings.HasPrefix(link, "mailto:") {
		return nil
	}
	file, anchor, _ := strings.Cut(link, "#")
	target := from
	if file != "" {
		target = path.Join(path.Dir(from), file)
		if _, err := os.Stat(filepath.FromSlash(target)); err != nil {
			return deadLinkError("file " + target)
		}
	}
	if anchor == "" {
		return nil
	}
	text, ok := all[target]
	if !ok {
		return deadLinkError("Markdown file " + target)
	}
	if !anchors(text)[anchor] {
		return deadLinkError("heading #" + anchor + " in " + target)
	}
	return nil
}

var (
	fence   = regexp.MustCompile("(?ms)^ *(```+|~~~+).*?^ *(```+|~~~+) *$")
	code    = regexp.MustCompile("`+[^`\n]*`+")
	comment = regexp.MustCompile(`(?s)<!--.*?-->`)
	inline  = regexp.MustCompile(`\]\(\s*<?([^)\s>]+)>?[^)]*\)`)
	defined = regexp.MustCompile(`(?m)^ {0,3}\[[^\]]+\]:\s*<?([^\s>]+)`)
	tagged  = regexp.MustCompile(`(?:href|src)="([^"]+)"`)
	heading = regexp.MustCompile(`(?m)^#{1,6} +(.*?) *#*$`)
	named   = regexp.MustCompile(`<a (?:id|name)="([^"]+)"`)
	label   = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
)

// links returns the targets of all links in a Markdown text, except for those
// in its code.
func links(text string) (found []string) {
	text = comment.ReplaceAllString(fence.ReplaceAllString(text, ""), "")
	text = code.ReplaceAllString(text, "`")
	for _, kind := range []*regexp.Regexp{inline, defined, tagged} {
		for _, m := range kind.FindAllStringSubmatch(text, -1) {
			found = append(found, m[1])
		}
	}
	return found
}

// anchors returns the names that GitHub gives to the headings of a text, and
// those that the text sets itself.
func anchors(text string) map[string]bool {
	text = fence.ReplaceAllString(text, "")
	found := map[string]bool{}
	for _, m := range named.FindAllStringSubmatch(text, -1) {
		found[m[1]] = true
	}
	for _, m := range heading.FindAllStringSubmatch(text, -1) {
		name := strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
				return unicode.ToLower(r)
			}
			return -1
		}, label.ReplaceAllString(m[1], "$1"))
		unique := name
		for i := 1; found[unique]; i++ {
			unique = name + "-" + strconv.Itoa(i)
		}
		found[unique] = true
	}
	return found
}

// The page of guarantees numbers its promises. The page of evidence lists the
// tests of each number.
const (
	guarantees = "docs/guarantees.md"
	evidence   = "test/guarantees.md"
)

func TestGuaranteesNameTheirTests(t *testing.T) {
	text := documents(t)[evidence]
	shown := regexp.MustCompile("\\[`((?:Test|Fuzz)\\w+)`\\]\\(([^)]+)\\)").FindAllStringSubmatch(text, -1)
	require.NotEmpty(t, shown)
	for _, s := range shown {
		source, err := os.ReadFile(filepath.FromSlash(path.Join(path.Dir(evidence), s[2])))
		require.NoError(t, err)
		if !strings.Contains(string(source), "func "+s[1]+"(") {
			require.Fail(t, s[1]+" is not in "+s[2]) // without the whole source
		}
	}
	require.Len(t, regexp.MustCompile(`\b(?:Test|Fuzz)[A-Z]\w+`).FindAllString(text, -1), len(shown), "a test is named without a link")
}

// Each promise links to its own row, and each row links to at least one test.
func TestEachGuaranteeHasTests(t *testing.T) {
	all := documents(t)
	var promised, tested []string
	for _, row := range tableRows(all[guarantees]) {
		m := regexp.MustCompile(`^\| \[([A-Z]\d+)\]\(\.\./` + evidence + `#([a-z]\d+)\) \| \S.* \|$`).FindStringSubmatch(row)
		require.NotNil(t, m, row)
		require.Equal(t, strings.ToLower(m[1]), m[2])
		promised = append(promised, m[1])
	}
	for _, row := range tableRows(all[evidence]) {
		m := regexp.MustCompile(`^\| <a id="([a-z]\d+)"></a>([A-Z]\d+) \| .*\]\(.+\).* \|$`).FindStringSubmatch(row)
		require.NotNil(t, m, row)
		require.Equal(t, strings.ToLower(m[2]), m[1])
		tested = append(tested, m[2])
	}
	require.NotEmpty(t, promised)
	require.Equal(t, promised, tested)
}

// tableRows returns the rows of a text's tables, without their headings.
func tableRows(text string) (rows []string) {
	body := false
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case !strings.HasPrefix(line, "|"):
			body = false
		case strings.HasPrefix(line, "|---"):
			body = true
		case body:
			rows = append(rows, line)
		}
	}
	return rows
}

func TestDeadLinksAreFound(t *testing.T) {
	all := map[string]string{
		"docs/a.md": "# One & `two`\n## One & two\n```\n# No heading\n[no](link.md)\n```\n<a id=\"own\"></a>",
		"README.md": "",
	}
	require.Equal(t, map[string]bool{"one--two": true, "one--two-1": true, "own": true}, anchors(all["docs/a.md"]))
	require.Empty(t, links(all["docs/a.md"]))
	require.Equal(t, []string{"a.md", "b.png", "#c", "d.md", "e.md"},
		links("[a](a.md \"title\") [![b](b.png)](#c) `[x](y)`\n\n[d]: d.md\n<a href=\"e.md\"> <!-- [f](f.md) -->"))
	for link, problem := range map[string]string{
		"":                        "",
		"https://example.org/#x":  "",
		"../README.md":            "",
		"#own":                    "",
		"../docs":                 "",
		"b.md":                    "there is no file docs/b.md",
		"../nowhere/":             "there is no file nowhere",
		"#three":                  "there is no heading #three in docs/a.md",
		"#no-heading":             "there is no heading #no-heading in docs/a.md",
		"../go.mod#x":             "there is no Markdown file go.mod",
		"../README.md#one--two":   "there is no heading #one--two in README.md",
		"../docs/missing.md#here": "there is no file docs/missing.md",
	} {
		err := follow(all, "docs/a.md", link)
		if problem == "" {
			require.NoError(t, err, link)
		} else {
			require.EqualError(t, err, problem, link)
		}
	}
}

package known_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/app/agents/known"
	"github.com/turnwire/turnwire/internal/test/golden"
)

var docs = filepath.Join("..", "..", "..", "..", "docs")

func TestTheDocumentHasTheTable(t *testing.T) {
	path := filepath.Join(docs, "agents.md")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	const begin, end = "<!-- known:begin -->\n", "<!-- known:end -->\n"
	head, rest, ok := strings.Cut(string(text), begin)
	require.True(t, ok)
	_, tail, ok := strings.Cut(rest, end)
	require.True(t, ok)
	golden.File(t, path, head+begin+table()+end+tail)
}

// table returns the table of the agents as Markdown.
func table() string {
	var out strings.Builder
	out.WriteString("\n| name | agent | runs | install | tested |\n|---|---|---|---|---|\n")
	for _, a := range known.All() {
		var runs []string
		for _, c := range a.Commands {
			runs = append(runs, "`"+strings.Join(c.Args, " ")+"`")
		}
		install := "`" + a.Install + "`"
		if address, ok := strings.CutPrefix(a.Install, "see "); ok {
			install = fmt.Sprintf("[%s](%s)", strings.TrimPrefix(address, "https://"), address)
		}
		tested := "–"
		if a.Tested.Version != "" {
			tested = a.Tested.Version + ", " + a.Tested.Date
		}
		fmt.Fprintf(&out, "| `%s` | %s | %s | %s | %s |\n", a.Name, a.Title, strings.Join(runs, ", else "), install, tested)
	}
	return out.String() + "\n"
}

// The compatibility page is written from real runs, so an agent is tested there or not at
// all.
func TestTestedVersionsAreThoseOfTheCompatibilityPage(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(docs, "compatibility.md"))
	require.NoError(t, err)
	agents, _, ok := strings.Cut(string(text), "## Clients")
	require.True(t, ok)
	ran := map[string]known.Tested{}
	row := regexp.MustCompile(`(?m)^\| ([^|]+) \| ([^|]+) \| yes \|.* \| (\d{4}-\d\d-\d\d) \| [^|]+ \|$`)
	for _, m := range row.FindAllStringSubmatch(agents, -1) {
		ran[m[1]] = known.Tested{Version: m[2], Date: m[3]}
	}
	for _, a := range known.All() {
		require.Equal(t, ran[a.Title], a.Tested, "%s: update the table after make compatibility", a.Title)
	}
}

func TestTheTableIsConsistent(t *testing.T) {
	names := map[string]bool{}
	registry := map[string]bool{"": true}
	for _, a := range known.All() {
		require.Regexp(t, `^[a-z][a-z0-9-]*$`, a.Name)
		require.False(t, names[a.Name], a.Name)
		names[a.Name] = true
		require.NotEmpty(t, a.Title)
		require.NotEmpty(t, a.Commands, a.Name)
		for _, c := range a.Commands {
			require.NotEmpty(t, c.Args, a.Name)
			require.Equal(t, filepath.Base(c.Args[0]), c.Args[0], "programs are found through PATH")
		}
		require.NotEmpty(t, a.Install, a.Name)
		require.True(t, a.Registry == "" || !registry[a.Registry], a.Registry)
		registry[a.Registry] = true
		require.Equal(t, a.Tested.Version == "", a.Tested.Date == "")
		if a.Tested.Date != "" {
			_, err := time.Parse(time.DateOnly, a.Tested.Date)
			require.NoError(t, err)
		}
	}
}

func TestOtherNamesOfAnAgentAreUnderstood(t *testing.T) {
	for word, want := range map[string]string{
		"claude-acp": "claude", "claude-agent-acp": "claude", "vibe-acp": "vibe", "cursor-agent": "cursor", "kiro-cli": "kiro", "no-agent": "", "": "",
	} {
		require.Equal(t, want, known.Meant(word), word)
	}
}

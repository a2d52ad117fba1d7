package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The committed page has a row for each agent and client, and no cell has another
// content than the words that the page explains.
func TestCommittedPageHasEveryRow(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "compatibility.md"))
	require.NoError(t, err)
	checkPage(t, string(text))
}

func TestPageWithoutResultsHasEveryRow(t *testing.T) {
	text := string(page(nil))
	checkPage(t, text)
	require.Contains(t, text, "Claude Code was not run: it was left out.")
}

func TestPageExplainsWhatWasSeen(t *testing.T) {
	text := string(page(map[string]result{"claude": {
		Date: "2026-01-02", Turnwire: "abc1234", Version: "1.2.3",
		Cells: map[string]cell{"turn": {Seen: yes}, "load": {failed, "said\n`<b>|`."}, "resume": {failed, "said\n`<b>|`."}},
	}, "codex": {Date: "2026-01-02", Why: "it can't be installed: no space"}}))
	checkPage(t, text)
	require.Contains(t, text, "| Claude Code | 1.2.3 | not run | yes | not run | not run | not run | failed | failed |")
	require.Contains(t, text, "- Claude Code, load, resume: said '&lt;b>\\|'.\n")
	require.Contains(t, text, "- Codex was not run: it can't be installed: no space.\n")
}

func checkPage(t *testing.T, text string) {
	t.Helper()
	var titles []string
	for _, a := range agents {
		titles = append(titles, a.title)
	}
	for _, c := range clients {
		titles = append(titles, c.title)
	}
	for line := range strings.Lines(text) {
		cells := strings.Split(strings.Trim(line, "|\n"), " | ")
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| name ") {
			continue
		}
		require.NotEmpty(t, titles, "a row too many: %s", line)
		require.Equal(t, titles[0], strings.TrimSpace(cells[0]))
		columns := agentColumns
		if len(titles) <= len(clients) {
			columns = clientColumns
		}
		require.Len(t, cells, len(columns)+4, line)
		for _, c := range cells[2 : len(columns)+2] {
			require.True(t, slices.Contains([]string{yes, no, failed, notRun}, c), "%q in %s", c, line)
		}
		titles = titles[1:]
	}
	require.Empty(t, titles, "without a row")
	names := map[string]bool{}
	for _, s := range subjects() {
		require.False(t, names[s.name], "two rows share the name %s", s.name)
		names[s.name] = true
	}
}

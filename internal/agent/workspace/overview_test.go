package workspace

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/tools"
)

func TestAPromptWithoutAStepDescribesTheWorkspace(t *testing.T) {
	c := open(t, map[string]string{
		"main.go": "12345", "a/b.go": "12345", "a/c.md": "1234567890", "README": "", "x.Makefile-like-long": "",
		".git/HEAD": "not counted", "a/node_modules/m/index.js": "not counted",
	})
	c.prompts++
	note := "a note"
	require.NoError(t, c.session.Prompt(agent.Prompt{TurnID: "turn-1", Blocks: []agent.Content{
		{Type: "text", Text: "What is here?"},
		{Type: "resource", Resource: &agent.Resource{URI: "file:///n/note.txt", Text: &note}},
	}}))
	s := c.rest()
	require.Contains(t, s.text(), "The workspace "+c.dir+" has 5 files in 1 directory, 20 bytes in total.")
	require.Contains(t, s.text(), "By language: Go 2, other 2, Markdown 1.")
	require.Contains(t, s.text(), "Top level: README, a/, main.go, x.Makefile-like-long.")
	require.Contains(t, s.text(), "You attached 1 thing: note.txt.")
	require.Contains(t, s.text(), "/help")
	require.Contains(t, s.text(), "Done: nothing was changed")
	require.Empty(t, s.types())
}

func TestAnEmptyWorkspaceIsDescribedAsEmpty(t *testing.T) {
	s := open(t, nil).turn("")
	require.Contains(t, s.text(), "has 0 files in 0 directories, 0 bytes in total.")
	require.Empty(t, all[*agent.SessionTitle](s))
}

func TestLongListsAreCut(t *testing.T) {
	require.Equal(t, "a, b and 2 more", some([]string{"a", "b", "c", "d"}, 2))
	require.Equal(t, "one two…", tools.Shorten("one\n two   three", 8))
}

package scaffold_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/app/scaffold"
)

func language(t *testing.T, name string) scaffold.Language {
	t.Helper()
	l, err := scaffold.Named(name)
	require.NoError(t, err)
	return l
}

func TestEveryLanguageGetsAWholeFolder(t *testing.T) {
	for _, name := range scaffold.Names() {
		t.Run(name, func(t *testing.T) {
			l := language(t, name)
			folder := filepath.Join(t.TempDir(), "agents", "My-Notes")
			a, err := scaffold.Write(l, folder)
			require.NoError(t, err)
			require.Equal(t, "My-Notes", a.Name)
			require.Contains(t, a.Files, l.Main)
			require.Contains(t, a.Files, "README.md")
			for _, file := range a.Files {
				text, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(file)))
				require.NoError(t, err)
				require.NotContains(t, string(text), "{{", file)
				require.NotEqual(t, ".txt", filepath.Ext(file))
			}
			command := a.Command()
			require.True(t, strings.HasPrefix(command[len(command)-1], folder), command)
			main, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(l.Main)))
			require.NoError(t, err)
			require.Contains(t, string(main), "My-Notes")
		})
	}
}

func TestAnAgentWithAModelNeedsOnlyItsFolder(t *testing.T) {
	l, err := language(t, "python").WithModel()
	require.NoError(t, err)
	folder := filepath.Join(t.TempDir(), "coder")
	_, err = scaffold.Write(l, folder)
	require.NoError(t, err)
	text, err := os.ReadFile(filepath.Join(folder, "agent.py"))
	require.NoError(t, err)
	require.Contains(t, string(text), `agent = Agent("coder", tools=True`)
	require.NotContains(t, string(text), "sys.")
	readme, err := os.ReadFile(filepath.Join(folder, "README.md"))
	require.NoError(t, err)
	require.Contains(t, string(readme), "OPENAI_BASE_URL")
	_, err = language(t, "rust").WithModel()
	require.ErrorContains(t, err, "only python")
}

func TestNothingIsOverwritten(t *testing.T) {
	l := language(t, "shell")
	folder := filepath.Join(t.TempDir(), "notes")
	require.NoError(t, os.MkdirAll(folder, 0o755))
	mine := filepath.Join(folder, "mine.txt")
	require.NoError(t, os.WriteFile(mine, []byte("mine"), 0o600))
	_, err := scaffold.Write(l, folder)
	require.ErrorContains(t, err, "is not empty (it contains mine.txt): nothing was written")
	entries, err := os.ReadDir(folder)
	require.NoError(t, err)
	require.Len(t, entries, 1)

	_, err = scaffold.Write(l, mine+"x")
	require.ErrorContains(t, err, `"mine.txtx" is not a valid agent name`)
	file := filepath.Join(folder, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	_, err = scaffold.Write(l, file)
	require.ErrorContains(t, err, "exists and is not a folder: nothing was written")
}

func TestAnEmptyFolderIsAccepted(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "notes")
	require.NoError(t, os.MkdirAll(folder, 0o755))
	a, err := scaffold.Write(language(t, "python"), folder)
	require.NoError(t, err)
	require.FileExists(t, filepath.Join(folder, "turnwire", "agent.py"))
	_, err = scaffold.Write(a.Language, folder)
	require.ErrorContains(t, err, "is not empty")
}

func TestNamesThatNoPackageCanHaveAreRefused(t *testing.T) {
	for _, name := range []string{"1st", "a b", "-x", "ä", "a.b", "."} {
		folder := filepath.Join(t.TempDir(), "agents") + string(filepath.Separator) + name
		_, err := scaffold.Write(language(t, "go"), folder)
		if name == "." { // the name is that of the folder itself
			require.NoError(t, err)
			continue
		}
		require.ErrorContains(t, err, "is not a valid agent name", name)
		require.NoDirExists(t, folder)
	}
}

func TestAnUnknownLanguageIsRefusedWithTheKnownOnes(t *testing.T) {
	_, err := scaffold.Named("pyhton")
	require.EqualError(t, err, `unknown language "pyhton"; did you mean python? (available: python, typescript, go, shell, rust)`)
}

package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestVerdictReadsTheOutputOfEachRunner(t *testing.T) {
	for out, want := range map[string]string{
		"    ok 2 - the test\n      duration_ms: 1\n": yes,
		"    not ok 2 - the test\n":                   failed,
		"--- PASS: the test (0.01s)\n":                yes,
		"    --- FAIL: the test (0.01s)\n":            failed,
		"   passed  1/14  the test (0.1 sec)\n":       yes,
		"   FAILED  1/14  the test (0.1 sec)\n":       failed,
		"PASS the test\n":                             yes,
		"FAIL the test\nwhy\n":                        failed,
		"# Subtest: the test\nPASS another\n":         notRun,
	} {
		require.Equal(t, want, verdict(out, "the test").Seen, out)
	}
}

// A renamed test would silently become "not run".
func TestSuitesHaveTheTestsThatCellsName(t *testing.T) {
	folders := map[string]string{
		"chat": "test/e2e", "vscode": "editors/vscode/test/vscode", "page": "editors/vscode/test/page",
		"neovim": "editors/neovim/test/spec", "emacs": "editors/emacs/test",
	}
	for name, s := range suites {
		var sources strings.Builder
		require.NoError(t, filepath.WalkDir(filepath.Join("..", "..", folders[name]), func(path string, entry fs.DirEntry, err error) error {
			if err != nil || !entry.Type().IsRegular() {
				return err
			}
			text, err := os.ReadFile(path)
			sources.Write(text)
			return err
		}))
		for column, test := range s.cells {
			_, title, found := strings.Cut(test, ": ") // Neovim's suite puts the file's name first
			if !found {
				title = test
			}
			if !strings.Contains(sources.String(), title) {
				t.Errorf("%s, %s: no test %q", name, column, title)
			}
		}
	}
}

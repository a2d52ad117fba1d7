package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A suite is a test suite of the repository that runs a client.
type suite struct {
	words   []string
	dir     string            // in the checkout
	cells   map[string]string // the test of each column
	missing map[string]string // what is seen in columns without a test, if not "not run"
}

// nodeSuite returns the command of a suite of the VS Code extension.
func nodeSuite(names ...string) []string {
	return slices.Concat([]string{"node", "test/run.mjs"}, names, []string{"--", "--test-reporter=tap"})
}

// run runs the suite, and fills each cell with the result of its test. It returns no
// error if a test fails: that is in the cells.
func (s suite) run(ctx context.Context, l *lab, name string, cells map[string]cell) error {
	words := slices.Clone(s.words)
	if strings.Contains(words[0], "/") {
		words[0] = filepath.Join(l.root, filepath.FromSlash(words[0]))
	}
	env := append(os.Environ(), "TURNWIRE="+l.turnwire, "TURNWIRE_BINARY="+l.turnwire, "TURNWIRE_VERBOSE=1")
	out, err := l.command(ctx, program{words: words, dir: filepath.Join(l.root, filepath.FromSlash(s.dir)), env: env})
	logErr := os.WriteFile(l.folder("logs", name+".log"), out, 0o600)
	if logErr != nil {
		return logErr
	}
	for column, test := range s.cells {
		cells[column] = verdict(string(out), test)
	}
	for _, c := range clientColumns {
		if _, ok := s.cells[c.name]; ok {
			continue
		}
		if seen, ok := s.missing[c.name]; ok {
			cells[c.name] = cell{Seen: seen}
		} else {
			cells[c.name] = cell{Seen: notRun, Note: "no test of the client covers it"}
		}
	}
	if ctx.Err() != nil {
		return err
	}
	return nil
}

// verdict finds a test's result in the output of go test -v, node --test with the
// reporter tap, ERT or the Neovim suite.
func verdict(out, test string) cell {
	seen := cell{Seen: notRun, Note: "its test didn't run"}
	for line := range strings.Lines(out) {
		line = strings.TrimSpace(line)
		if !strings.Contains(line, test) {
			continue
		}
		for _, mark := range []string{"not ok ", "--- FAIL", "FAILED ", "FAIL "} {
			if strings.HasPrefix(line, mark) {
				return cell{Seen: failed, Note: "its test failed"}
			}
		}
		for _, mark := range []string{"ok ", "--- PASS", "passed ", "PASS "} {
			if strings.HasPrefix(line, mark) {
				seen = cell{Seen: yes}
			}
		}
	}
	return seen
}

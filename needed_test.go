//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// programs are stubs for the programs that .ci/needed checks, by name. Each
// prints its line. PATH holds only these and the shell's own tools.
type programs map[string]string

func good() programs {
	return programs{
		"go": "go1.26.0", "git": "git", "make": "make", "gcc": "gcc", "g++": "g++", "pkg-config": "", "node": "v20.19.0",
		"npm": "10.0.0", "python3": "Python 3.11.2", "cargo": "cargo 1.85.0", "rustc": "rustc 1.85.0 (4d91de4e4 2025-02-17)", "rg": "ripgrep 13.0.0", "chromium": "Chromium 140.0.7339.80 built on Debian",
		"emacs": "GNU Emacs 28.2", "nvim": "NVIM v0.10.4",
	}
}

// needed runs .ci/needed with these programs, and returns its output.
func needed(t *testing.T, p programs, env ...string) (output string, ok bool) {
	t.Helper()
	dir := t.TempDir()
	for _, tool := range []string{"sh", "dirname", "sed", "grep", "head"} {
		path, err := exec.LookPath(tool)
		require.NoError(t, err)
		require.NoError(t, os.Symlink(path, filepath.Join(dir, tool)))
	}
	for name, line := range p {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\necho '"+line+"'\n"), 0o700))
	}
	cmd := exec.CommandContext(t.Context(), filepath.Join(dir, "sh"), filepath.Join(".ci", "needed"))
	cmd.Env = append([]string{"PATH=" + dir}, env...)
	out, err := cmd.CombinedOutput()
	return string(out), err == nil
}

func TestRequiredProgramsAreCheckedByVersion(t *testing.T) {
	const run = " Run .ci/install as root: it installs that (Debian 12 and 13, Ubuntu 24.04).\n"
	for name, c := range map[string]struct {
		program, line, problem string
	}{
		"Debian 12's Node.js":   {"node", "v18.20.4", "Node.js is 18.20.4, 20.19 or later is needed."},
		"an older 20":           {"node", "v20.18.3", "Node.js is 20.18.3, 20.19 or later is needed."},
		"an odd one":            {"node", "v21.7.3", "Node.js is 21.7.3, which is neither 20 nor 22 or later."},
		"one that is broken":    {"node", "error", "Node.js is missing, 20.19 or later is needed."},
		"an old npm":            {"npm", "9.2.0", "npm is 9.2.0, 10.0 or later is needed."},
		"an old Python":         {"python3", "Python 3.9.2", "Python is 3.9.2, 3.11 or later is needed."},
		"Debian 12's Go":        {"go", "go1.19.8", "Go is 1.19.8, 1.21 or later is needed."},
		"Debian 12's Rust":      {"rustc", "rustc 1.63.0", "rustc is 1.63.0, 1.85 or later is needed."},
		"an old Emacs":          {"emacs", "GNU Emacs 27.1", "Emacs is 27.1, 28.1 or later is needed."},
		"an old Chromium":       {"chromium", "Chromium 90.0.4430.212", "Chromium is 90.0.4430.212, 140.0 or later is needed."},
		"Ubuntu's Chromium":     {"chromium", "Command requires the chromium snap to be installed.", "Chromium is missing, 140.0 or later is needed."},
		"Ubuntu 24.04's Neovim": {"nvim", "NVIM v0.9.5", "Neovim is 0.9.5, 0.10 or later is needed."},
	} {
		t.Run(name, func(t *testing.T) {
			p := good()
			p[c.program] = c.line
			output, ok := needed(t, p)
			require.False(t, ok)
			require.Equal(t, "The tests need more than there is: "+c.problem+run, output)
		})
	}
}

func TestRequiredProgramsMayBeNewer(t *testing.T) {
	for program, line := range map[string]string{
		"go": "go1.27rc1", "node": "v26.0.0", "npm": "11.0.0", "python3": "Python 4.0.0", "emacs": "GNU Emacs 30.1", "nvim": "NVIM v1.0.0",
	} {
		p := good()
		p[program] = line
		output, ok := needed(t, p)
		require.True(t, ok, "%s", output)
		require.Empty(t, output)
	}
}

func TestGoMayFetchAnotherToolchain(t *testing.T) {
	p := good()
	p["go"] = "go1.22.2"
	output, ok := needed(t, p)
	require.True(t, ok, "%s", output)
	output, ok = needed(t, p, "GOTOOLCHAIN=local")
	require.False(t, ok)
	require.Contains(t, output, "Go is 1.22.2, 1.26 or later is needed.")
}

func TestMissingProgramsAreListedInOneLine(t *testing.T) {
	output, ok := needed(t, programs{"go": "go1.26.0", "nvim": "NVIM v0.10.4"})
	require.False(t, ok)
	require.Regexp(t, `^[^\n]+\n$`, output)
	for _, what := range []string{"git", "make", "gcc", "g++", "pkg-config", "Node.js", "npm", "Python", "rg", "Chromium", "Emacs"} {
		require.Contains(t, output, what+" is missing")
	}
}

// Neovim need not be installed if it can be fetched.
func TestNeovimMayBeFetched(t *testing.T) {
	p := good()
	delete(p, "nvim")
	keyring := filepath.Join(t.TempDir(), "keyring")
	require.NoError(t, os.WriteFile(keyring, nil, 0o600))
	p["apt-get"], p["dpkg-deb"] = "", ""
	output, ok := needed(t, p, "KEYRING="+keyring)
	require.True(t, ok, "%s", output)
	_, ok = needed(t, p, "KEYRING="+keyring+"-none")
	require.False(t, ok)
}

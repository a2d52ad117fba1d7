package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/turnwire/turnwire/internal/exactjson"
)

// An install is how a program is installed.
type install struct {
	kind    string // npm, PyPI, or empty for a part of the checkout
	name    string // the package's
	prepare func(ctx context.Context, l *lab, folder, name string) error
	version func(ctx context.Context, l *lab, folder, name string) (string, error)
	bin     string // the folder of the programs, in the folder
}

// npm installs a package from npm, and others that it needs.
func npm(name string, others ...string) install {
	prepare := func(ctx context.Context, l *lab, folder, name string) error {
		return prepareNPM(ctx, l, folder, append(others, name+"@latest"))
	}
	return install{"npm", name, prepare, npmVersion, filepath.Join("node_modules", ".bin")}
}

// pypi installs a package from PyPI into a virtual environment.
func pypi(name string) install {
	return install{"PyPI", name, preparePyPI, pypiVersion, "bin"}
}

// String says where the program comes from, for the page.
func (i install) String() string {
	if i.kind == "" {
		return ""
	}
	return fmt.Sprintf("%s from %s", "`"+i.name+"`", i.kind)
}

// checkout installs nothing: the program is in the checkout.
func checkout() install {
	return install{
		prepare: func(context.Context, *lab, string, string) error { return nil },
		version: func(_ context.Context, l *lab, _, _ string) (string, error) { return l.version, nil },
	}
}

// run installs the newest version into a folder, and returns it. An older one there is
// updated.
func (i install) run(ctx context.Context, l *lab, folder string) (string, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, installLimit, fmt.Errorf("stopped after %s", installLimit))
	defer cancel()
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", err
	}
	if err := i.prepare(ctx, l, folder, i.name); err != nil {
		return "", err
	}
	return i.version(ctx, l, folder, i.name)
}

func prepareNPM(ctx context.Context, l *lab, folder string, packages []string) error {
	// Without a package.json, npm installs into a folder above that has one.
	manifest := filepath.Join(folder, "package.json")
	if _, err := os.Stat(manifest); errors.Is(err, os.ErrNotExist) {
		if err := os.WriteFile(manifest, []byte("{\"private\": true}\n"), 0o600); err != nil {
			return err
		}
	}
	_, err := l.command(ctx, program{dir: folder, words: append([]string{"npm", "install", "--no-fund", "--no-audit", "--loglevel=error"}, packages...)})
	return err
}

func npmVersion(_ context.Context, _ *lab, folder, name string) (string, error) {
	return manifestVersion(filepath.Join(folder, "node_modules", filepath.FromSlash(name)))
}

// manifestVersion returns the version in a folder's package.json.
func manifestVersion(folder string) (string, error) {
	text, err := os.ReadFile(filepath.Join(folder, "package.json"))
	if err != nil {
		return "", err
	}
	var manifest struct {
		Version string `json:"version"`
	}
	err = exactjson.Unmarshal(text, &manifest)
	return manifest.Version, err
}

func preparePyPI(ctx context.Context, l *lab, folder, name string) error {
	python := os.Getenv("PYTHON")
	if python == "" {
		python = "python3"
	}
	if _, err := l.command(ctx, program{dir: folder, words: []string{python, "-m", "venv", "."}}); err != nil {
		return err
	}
	pip := filepath.Join(folder, "bin", "pip")
	_, err := l.command(ctx, program{dir: folder, words: []string{pip, "install", "--quiet", "--upgrade", name}})
	return err
}

func pypiVersion(ctx context.Context, l *lab, folder, name string) (string, error) {
	script := "import importlib.metadata, sys; print(importlib.metadata.version(sys.argv[1]))"
	out, err := l.command(ctx, program{words: []string{filepath.Join(folder, "bin", "python3"), "-c", script, name}})
	return strings.TrimSpace(string(out)), err
}

// host installs nothing: the client is in the checkout, and runs in a program that make
// or the system installs. Its version is that program's.
func host(name string, version ...string) install {
	i := checkout()
	i.version = func(ctx context.Context, l *lab, _, _ string) (string, error) {
		out, err := l.command(ctx, program{words: version, dir: l.root})
		return strings.TrimSpace(name + " " + number.FindString(string(out))), err
	}
	return i
}

var number = regexp.MustCompile(`[0-9]+(\.[0-9]+)+`)

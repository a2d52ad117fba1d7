package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

const versionVariable = "github.com/turnwire/turnwire/internal/app/cli.release"

// build builds the program for a platform.
func (s *source) build(ctx context.Context, p platform, binary string) error {
	env := append(s.environment(), "GOOS="+p.os, "GOARCH="+p.arch)
	_, err := output(ctx, s.dir, env, "go", "build", "-trimpath", "-buildvcs=true",
		"-ldflags", "-s -w -X "+versionVariable+"="+s.version, "-o", binary, ".")
	return err
}

// documents returns the files that every archive has, in the folder work.
func (s *source) documents(ctx context.Context, work string) ([]file, error) {
	manual := filepath.Join(work, "man", "man1")
	completions := filepath.Join(work, "completions")
	for _, dir := range []string{manual, completions, filepath.Join(work, "docs")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, err
		}
	}
	names, err := filepath.Glob(filepath.Join(s.dir, "docs", "*.md"))
	if err != nil {
		return nil, err
	}
	for i, name := range names {
		names[i] = filepath.Join("docs", filepath.Base(name))
	}
	for _, name := range append(names, "LICENSE", "README.md", "CHANGELOG.md") {
		data, err := os.ReadFile(filepath.Join(s.dir, name))
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(work, name), data, 0o644); err != nil {
			return nil, err
		}
	}
	if _, err := s.goTool(ctx, "run", "./internal/app/cli/manpages", manual); err != nil {
		return nil, err
	}
	// The shells look for these names.
	for shell, name := range map[string]string{
		"bash": "turnwire", "zsh": "_turnwire", "fish": "turnwire.fish", "powershell": "turnwire.ps1",
	} {
		script, err := s.goTool(ctx, "run", ".", "completion", shell)
		if err != nil {
			return nil, err
		}
		if err := os.MkdirAll(filepath.Join(completions, shell), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(completions, shell, name), []byte(script+"\n"), 0o644); err != nil {
			return nil, err
		}
	}
	return readFiles(work)
}

// readFiles reads all files below a folder.
func readFiles(dir string) ([]file, error) {
	var files []file
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		files = append(files, file{name: filepath.ToSlash(name), mode: 0o644, data: data})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the documents: %w", err)
	}
	return slices.Clip(files), nil
}

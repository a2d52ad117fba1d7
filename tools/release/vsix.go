package main

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// writeExtension writes the extension for VS Code, which its own tool makes. Order,
// times and modes are set anew, as in the other archives.
//
// The version within is that of the next release, also for a commit that is none:
// VS Code knows no other form.
func (s *source) writeExtension(ctx context.Context, dir string) error {
	work := filepath.Join(s.dir, "editors", "vscode")
	manifest, err := os.ReadFile(filepath.Join(work, "package.json"))
	if err != nil {
		return err
	}
	if named := fmt.Sprintf("\n  \"version\": \"%s\",\n", s.base()); !strings.Contains(string(manifest), named) {
		return fmt.Errorf("editors/vscode/package.json does not have %q: is it of another version?", named)
	}
	for _, args := range [][]string{{"ci", "--no-audit", "--no-fund"}, {"run", "--silent", "package"}} {
		if _, err := output(ctx, work, s.environment(), "npm", args...); err != nil {
			return fmt.Errorf("the extension for VS Code: %w", err)
		}
	}
	made, err := zip.OpenReader(filepath.Join(work, "dist", "turnwire.vsix"))
	if err != nil {
		return err
	}
	defer func() { _ = made.Close() }()
	var files []file
	for _, f := range made.File {
		r, err := f.Open()
		if err != nil {
			return err
		}
		data, err := io.ReadAll(r)
		if err != nil {
			return err
		}
		files = append(files, file{f.Name, 0o644, data})
	}
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.name, b.name) })
	var out bytes.Buffer
	if err := writeZip(&out, files, s.time); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "turnwire-vscode-"+s.version+".vsix"), out.Bytes(), 0o644)
}

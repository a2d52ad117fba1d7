package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// writeEmitters writes the packages of the libraries in sdk: of each language the
// ones that its registry takes. They are made of the commit's own files, and have
// the version of the release.
func (s *source) writeEmitters(ctx context.Context, dir string) error {
	if err := s.writePython(dir); err != nil {
		return fmt.Errorf("the packages of Python: %w", err)
	}
	if err := s.writeTypeScript(ctx, dir); err != nil {
		return fmt.Errorf("the package of TypeScript: %w", err)
	}
	if err := s.writeCrate(dir); err != nil {
		return fmt.Errorf("the crate: %w", err)
	}
	return nil
}

// base is the version that the source names, without the mark of a commit that is
// no release.
func (s *source) base() string {
	base, _, _ := strings.Cut(s.version, "-dev.")
	return base
}

// emitter reads the files of one language, and puts version into the line of a
// file that names the one of the source. The line has %s where the version is.
func (s *source) emitter(language, version string, lines map[string]string) ([]file, error) {
	files, err := readFiles(filepath.Join(s.dir, "sdk", language))
	if err != nil {
		return nil, err
	}
	for name, line := range lines {
		i := slices.IndexFunc(files, func(f file) bool { return f.name == name })
		if i < 0 {
			return nil, fmt.Errorf("there is no sdk/%s/%s", language, name)
		}
		old, replaced := fmt.Appendf(nil, line, s.base()), fmt.Appendf(nil, line, version)
		if bytes.Count(files[i].data, old) != 1 {
			return nil, fmt.Errorf("sdk/%s/%s does not have %q once: is it of another version?", language, name, old)
		}
		files[i].data = bytes.Replace(files[i].data, old, replaced, 1)
	}
	return files, nil
}

// below returns the files in a folder of others, under a name of its own.
func below(files []file, folder, as string) []file {
	var inside []file
	for _, f := range files {
		if name, ok := strings.CutPrefix(f.name, folder); ok {
			f.name = as + name
			inside = append(inside, f)
		}
	}
	return inside
}

// writeTypeScript writes the package of npm, as "npm pack" would. What is compiled
// and its types are made with the compiler that the lock file names.
func (s *source) writeTypeScript(ctx context.Context, dir string) error {
	files, err := s.emitter("typescript", s.version, map[string]string{"package.json": "\n  \"version\": \"%s\",\n"})
	if err != nil {
		return err
	}
	work := filepath.Join(s.dir, "sdk", "typescript")
	for _, args := range [][]string{{"ci", "--no-audit", "--no-fund"}, {"run", "--silent", "build"}} {
		if _, err := output(ctx, work, s.environment(), "npm", args...); err != nil {
			return err
		}
	}
	compiled, err := readFiles(filepath.Join(work, "dist"))
	if err != nil {
		return err
	}
	inside := append(pick(files, "package.json", "README.md", "LICENSE"), below(compiled, "", "dist/")...)
	return s.writeTarball(filepath.Join(dir, "npm-turnwire-agent-"+s.version+".tgz"), below(inside, "", "package/"))
}

// writeCrate writes what "cargo package" would: the files that Cargo.toml
// includes, and the lock file.
func (s *source) writeCrate(dir string) error {
	files, err := s.emitter("rust", s.version, map[string]string{
		"Cargo.toml": "\nversion = \"%s\"\n",
		"Cargo.lock": "\nname = \"turnwire-agent\"\nversion = \"%s\"\n",
	})
	if err != nil {
		return err
	}
	stem := "turnwire-agent-" + s.version
	inside := pick(files, "Cargo.toml", "Cargo.lock", "README.md", "LICENSE")
	for _, folder := range []string{"src/", "examples/"} {
		inside = append(inside, below(files, folder, folder)...)
	}
	return s.writeTarball(filepath.Join(dir, stem+".crate"), below(inside, "", stem+"/"))
}

func (s *source) writeTarball(name string, files []file) error {
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(path.Clean(a.name), path.Clean(b.name)) })
	var out bytes.Buffer
	if err := writeCompressedTar(&out, files, s.time); err != nil {
		return err
	}
	return os.WriteFile(name, out.Bytes(), 0o644)
}

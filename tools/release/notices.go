package main

import (
	"bytes"
	"context"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// A module is a module in a program, with the folder of its files.
type module struct {
	Path, Version, Dir string
}

// modules returns the modules in a program, except for its own.
func (s *source) modules(ctx context.Context, binary string) ([]module, error) {
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return nil, err
	}
	var list []module
	for _, dep := range info.Deps {
		if dep.Replace != nil {
			return nil, fmt.Errorf("%s is replaced in go.mod: a release must not need that", dep.Path)
		}
		out, err := s.goTool(ctx, "mod", "download", "-json", dep.Path+"@"+dep.Version)
		if err != nil {
			return nil, err
		}
		var m module
		if err := json.Unmarshal([]byte(out), &m); err != nil {
			return nil, fmt.Errorf("go mod download: %w", err)
		}
		list = append(list, m)
	}
	return list, nil
}

var licencePattern = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|copyright)([-_.].*)?$`)

// notices returns the licences of a program's modules: most of them require
// that every copy includes them.
func (s *source) notices(ctx context.Context, binary string) ([]byte, error) {
	list, err := s.modules(ctx, binary)
	if err != nil {
		return nil, err
	}
	out, err := s.goTool(ctx, "env", "GOROOT", "GOVERSION")
	if err != nil {
		return nil, err
	}
	root, version, _ := strings.Cut(out, "\n")
	list = append([]module{{"The Go standard library", version, strings.TrimSpace(root)}}, list...)
	var text bytes.Buffer
	text.WriteString("Turnwire is under the licence in LICENSE. It contains what is listed here.\n")
	for _, m := range list {
		entries, err := os.ReadDir(m.Dir)
		if err != nil {
			return nil, err
		}
		found := false
		for _, entry := range entries {
			if entry.IsDir() || !licencePattern.MatchString(entry.Name()) {
				continue
			}
			data, err := os.ReadFile(filepath.Join(m.Dir, entry.Name()))
			if err != nil {
				return nil, err
			}
			found = true
			fmt.Fprintf(&text, "\n%s\n%s %s: %s\n\n%s\n", separator, m.Path, m.Version, entry.Name(), bytes.TrimSpace(data))
		}
		if !found {
			return nil, fmt.Errorf("%s %s has no licence in %s", m.Path, m.Version, m.Dir)
		}
	}
	return text.Bytes(), nil
}

const separator = "--------------------------------------------------------------------------------"

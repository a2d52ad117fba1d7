package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
)

var toolchainPattern = regexp.MustCompile(`(?m)^toolchain (\S+)\r?$`)

// requireToolchain checks that Go is the version that the commit names: another
// version gives other bytes.
func (s *source) requireToolchain(ctx context.Context) error {
	text, err := os.ReadFile(filepath.Join(s.dir, "go.mod"))
	if err != nil {
		return err
	}
	named := toolchainPattern.FindSubmatch(text)
	if named == nil {
		return fmt.Errorf("go.mod of commit %.12s names no toolchain, so nobody could make this release again", s.commit)
	}
	have, err := s.goTool(ctx, "env", "GOVERSION")
	if err != nil {
		return err
	}
	if want := string(named[1]); have != want {
		return fmt.Errorf("go.mod wants %s, but go is %s: install %[1]s, or set GOTOOLCHAIN=%[1]s", want, have)
	}
	return nil
}

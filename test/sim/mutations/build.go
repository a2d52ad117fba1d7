package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A mutation is a deliberate defect: in a file, one text is replaced by another. The zero
// mutation changes nothing.
type mutation struct{ name, file, old, changed string }

// build builds the worlds with the defect, as a program in a folder.
func (m *mutation) build(folder, name string) (program string, err error) {
	program = filepath.Join(folder, name)
	args := []string{"test", "-c", "-o", program}
	if m.file != "" {
		overlay, err := m.overlay(folder)
		if err != nil {
			return "", err
		}
		args = append(args, "-overlay", overlay)
	}
	build := exec.Command("go", append(args, "./test/sim")...) //nolint:gosec // our own files
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return program, nil
}

// overlay writes the changed file, and the list that makes the compiler read it.
func (m *mutation) overlay(folder string) (list string, err error) {
	text, err := os.ReadFile(m.file)
	if err != nil {
		return "", err
	}
	if n := strings.Count(string(text), m.old); n != 1 {
		return "", fmt.Errorf("%s contains the old text %d times", m.file, n)
	}
	changed := filepath.Join(folder, "changed.go")
	if err := os.WriteFile(changed, []byte(strings.Replace(string(text), m.old, m.changed, 1)), 0o600); err != nil {
		return "", err
	}
	original, err := filepath.Abs(m.file)
	if err != nil {
		return "", err
	}
	replaced, err := json.Marshal(map[string]any{"Replace": map[string]string{original: changed}})
	if err != nil {
		return "", err
	}
	list = filepath.Join(folder, "overlay.json")
	return list, os.WriteFile(list, replaced, 0o600)
}

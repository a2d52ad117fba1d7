package policy

import (
	"os"
	"path/filepath"
	"strings"
)

// real returns where a path leads. Of what is not there yet it is where its
// folder leads. It is "" for a link to what is not there, which a write would
// make: nothing matches that.
func real(name string) string {
	name = filepath.Clean(name)
	if found, err := filepath.EvalSymlinks(name); err == nil {
		return found
	}
	if info, err := os.Lstat(name); err == nil && info.Mode()&os.ModeSymlink != 0 {
		return ""
	}
	parent := filepath.Dir(name)
	if parent == name {
		return name
	}
	folder := real(parent)
	if folder == "" {
		return ""
	}
	return filepath.Join(folder, filepath.Base(name))
}

// expandHome is a pattern with the user's home folder in place of ~.
func expandHome(pattern string) (string, error) {
	rest, ok := strings.CutPrefix(pattern, "~/")
	if !ok {
		return pattern, nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(home, filepath.FromSlash(rest)), nil
}

package policy

import (
	"os"
	"path/filepath"
	"strings"
)

// real returns the path that name refers to after resolving links. If the file doesn't
// exist, real resolves its folder. It returns "" for a dangling link, because a write
// would create its target; nothing matches "".
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

// expandHome replaces ~ at the beginning of a pattern with the user's home folder.
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

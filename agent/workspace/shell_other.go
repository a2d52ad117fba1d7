//go:build !windows

package workspace

import "os/exec"

// shell is how a command line is run: by bash where there is one, because that
// is what people write for.
func shell(command string) []string {
	name := "bash"
	if _, err := exec.LookPath(name); err != nil {
		name = "sh"
	}
	return []string{name, "-c", command}
}

//go:build !windows

package workspace

import "os/exec"

// shell returns how to run a command line: with bash if it is installed,
// because users write for it.
func shell(command string) []string {
	name := "bash"
	if _, err := exec.LookPath(name); err != nil {
		name = "sh"
	}
	return []string{name, "-c", command}
}

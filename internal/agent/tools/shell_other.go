//go:build !windows

package tools

import "os/exec"

// shell returns the arguments to run a command line. It uses bash if
// installed, because users expect it.
func shell(command string) []string {
	name := "bash"
	if _, err := exec.LookPath(name); err != nil {
		name = "sh"
	}
	return []string{name, "-c", command}
}

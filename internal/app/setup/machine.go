package setup

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// A Machine says where a user's files are.
type Machine struct {
	OS       string // a value of runtime.GOOS
	Home     string
	Getenv   func(name string) string
	LookPath func(program string) (string, error)
}

// ThisMachine returns the machine that this process runs on.
func ThisMachine() (Machine, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return Machine{}, err
	}
	return Machine{runtime.GOOS, home, os.Getenv, exec.LookPath}, nil
}

// folder returns the folder named by an environment variable, or else the given folder
// below the home directory.
func (m Machine) folder(variable string, below ...string) string {
	if dir := m.Getenv(variable); filepath.IsAbs(dir) {
		return dir
	}
	return m.home(below...)
}

func (m Machine) home(below ...string) string {
	return filepath.Join(append([]string{m.Home}, below...)...)
}

// xdgConfig returns the settings folder of programs that use XDG on every system.
func (m Machine) xdgConfig() string { return m.folder("XDG_CONFIG_HOME", ".config") }

func (m Machine) xdgData() string { return m.folder("XDG_DATA_HOME", ".local", "share") }

// appData returns the settings folder of programs that follow the system's conventions.
func (m Machine) appData() string {
	switch m.OS {
	case "windows":
		return m.folder("APPDATA", "AppData", "Roaming")
	case "darwin":
		return m.home("Library", "Application Support")
	}
	return m.xdgConfig()
}

// flatpak returns the folder for a Flatpak application's own files, on Linux.
func (m Machine) flatpak(application string) string {
	return m.home(".var", "app", application)
}

func (m Machine) hasProgram(names ...string) bool {
	for _, name := range names {
		if _, err := m.LookPath(name); err == nil {
			return true
		}
	}
	return false
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// firstExisting returns the first of paths that exists.
func firstExisting(paths ...string) (string, bool) {
	for _, path := range paths {
		if path != "" && exists(path) {
			return path, true
		}
	}
	return "", false
}

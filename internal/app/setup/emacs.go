package setup

import (
	"path/filepath"
	"strings"
)

var emacs = Editor{
	Name:  "emacs",
	Title: "Emacs",
	Start: "Restart Emacs, then M-x agent-shell and choose “%s”. (It needs the package agent-shell.)",
	empty: emacsFormat{},
	files: func(m Machine) []File {
		path, title := emacsInit(m)
		return []File{{
			Title:  title,
			Path:   path,
			Found:  exists(path) || exists(filepath.Dir(path)) && filepath.Dir(path) != m.Home || m.hasProgram("emacs"),
			format: emacsFormat{},
		}}
	},
}

// emacsInit returns the path of the user's Emacs configuration, and the name of the
// program that reads it.
func emacsInit(m Machine) (path, title string) {
	if m.OS == "windows" { // Emacs on Windows has its own home folder
		home := m.Getenv("HOME")
		if home == "" {
			home = m.appData()
		}
		m.Home = home
	}
	xdg := m.xdgConfig()
	if path, ok := firstExisting(
		below(m.Getenv("DOOMDIR"), "config.el"),
		filepath.Join(xdg, "doom", "config.el"),
		m.home(".doom.d", "config.el"),
	); ok {
		return path, "Doom Emacs"
	}
	if path, ok := firstExisting(
		below(m.Getenv("SPACEMACSDIR"), "init.el"),
		m.home(".spacemacs"),
		m.home(".spacemacs.d", "init.el"),
	); ok {
		return path, "Spacemacs"
	}
	if path, ok := firstExisting(m.home(".emacs.el"), m.home(".emacs")); ok {
		return path, "Emacs"
	}
	if !exists(m.home(".emacs.d")) && exists(filepath.Join(xdg, "emacs")) {
		return filepath.Join(xdg, "emacs", "init.el"), "Emacs"
	}
	return m.home(".emacs.d", "init.el"), "Emacs"
}

func below(dir, name string) string {
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, name)
}

// elispString returns s as an Emacs Lisp string literal. s must not contain control
// characters.
func elispString(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// elispText returns the text of a literal that elispString wrote.
func elispText(literal string) string {
	literal = strings.TrimSuffix(strings.TrimPrefix(literal, `"`), `"`)
	return strings.NewReplacer(`\\`, `\`, `\"`, `"`).Replace(literal)
}

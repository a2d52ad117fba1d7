// Package service generates the file with which a service manager runs "turnwire serve"
// for a user: a systemd unit or a launchd property list.
//
// Contract: the package neither reads nor writes files, and starts nothing.
package service

import (
	"fmt"
	"html"
	"path/filepath"
	"strings"

	"github.com/turnwire/turnwire/internal/app/setup"
)

// A Service is a file for the service manager.
type Service struct {
	Path string
	Text string
	// Start is the command that starts the service, now and at each login. Stop is the
	// command that stops it.
	Start, Stop string
}

// label is the service's name, in launchd's format.
const label = "dev.turnwire.serve"

// For returns the service that runs a command on a machine.
func For(m setup.Machine, command []string) (Service, error) {
	for _, word := range command {
		if strings.ContainsFunc(word, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			return Service{}, fmt.Errorf("%q contains a control character and cannot be written to a service file", word)
		}
	}
	switch m.OS {
	case "linux":
		return systemd(m, command), nil
	case "darwin":
		return launchd(m, command), nil
	}
	return Service{}, fmt.Errorf("no supported service manager for %s: start turnwire serve at each login yourself", m.OS)
}

func systemd(m setup.Machine, command []string) Service {
	folder := m.Getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(folder) {
		folder = filepath.Join(m.Home, ".config")
	}
	words := make([]string, len(command))
	for i, word := range command {
		words[i] = systemdWord(word)
	}
	return Service{
		Path: filepath.Join(folder, "systemd", "user", "turnwire.service"),
		Text: `[Unit]
Description=Turnwire: agents whose sessions outlive their editors
Documentation=https://github.com/turnwire/turnwire/blob/main/docs/serve.md

[Service]
ExecStart=` + strings.Join(words, " ") + `
Restart=on-failure

[Install]
WantedBy=default.target
`,
		Start: "systemctl --user daemon-reload && systemctl --user enable --now turnwire",
		Stop:  "systemctl --user disable --now turnwire",
	}
}

// systemdWord quotes a word of a command line as described in systemd.service(5) and
// systemd.syntax(7).
func systemdWord(word string) string {
	word = strings.NewReplacer(`\`, `\\`, `"`, `\"`, `%`, `%%`, `$`, `$$`).Replace(word)
	if word == "" || strings.ContainsAny(word, " '\"\\;") {
		return `"` + word + `"`
	}
	return word
}

func launchd(m setup.Machine, command []string) Service {
	var words strings.Builder
	for _, word := range command {
		words.WriteString("\t\t<string>" + html.EscapeString(word) + "</string>\n")
	}
	path := filepath.Join(m.Home, "Library", "LaunchAgents", label+".plist")
	return Service{
		Path: path,
		Text: `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
	<key>Label</key>
	<string>` + label + `</string>
	<key>ProgramArguments</key>
	<array>
` + words.String() + `	</array>
	<key>RunAtLoad</key>
	<true/>
	<key>KeepAlive</key>
	<dict>
		<key>SuccessfulExit</key>
		<false/>
	</dict>
</dict>
</plist>
`,
		Start: "launchctl bootstrap gui/$(id -u) " + shellWord(path),
		Stop:  "launchctl bootout gui/$(id -u)/" + label,
	}
}

// shellWord quotes a word for a shell.
func shellWord(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }

package service_test

import (
	"encoding/xml"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/app/setup"
	"github.com/turnwire/turnwire/internal/app/setup/service"
)

func machine(os string) setup.Machine {
	return setup.Machine{OS: os, Home: "/home/me", Getenv: func(string) string { return "" }}
}

var command = []string{"/opt/my tools/turnwire", "serve", "--", "python3", `a"b.py`, "$HOME", "100%", ""}

func TestAUnitOfSystemd(t *testing.T) {
	s, err := service.For(machine("linux"), command)
	require.NoError(t, err)
	require.Equal(t, filepath.Join("/home/me", ".config", "systemd", "user", "turnwire.service"), s.Path)
	require.Contains(t, s.Text, "\nExecStart=\"/opt/my tools/turnwire\" serve -- python3 \"a\\\"b.py\" $$HOME 100%% \"\"\n")
}

func TestAPropertyListOfLaunchd(t *testing.T) {
	s, err := service.For(machine("darwin"), append(command, "<&>"))
	require.NoError(t, err)
	require.Equal(t, filepath.Join("/home/me", "Library", "LaunchAgents", "dev.turnwire.serve.plist"), s.Path)
	var words []string
	in := false
	for d := xml.NewDecoder(strings.NewReader(s.Text)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		switch e := token.(type) {
		case xml.StartElement:
			in = in || e.Name.Local == "array"
			if in && e.Name.Local == "string" {
				words = append(words, "")
			}
		case xml.EndElement:
			in = in && e.Name.Local != "array"
		case xml.CharData:
			if in && len(words) > 0 && strings.TrimSpace(string(e)) != "" {
				words[len(words)-1] += string(e)
			}
		}
	}
	require.Equal(t, append(command, "<&>"), words)
}

func TestCommandsThatNoManagerCanRunAreRefused(t *testing.T) {
	_, err := service.For(machine("linux"), []string{"turnwire", "a\nExecStart=/bin/evil"})
	require.ErrorContains(t, err, "control character")
	_, err = service.For(machine("windows"), command)
	require.ErrorContains(t, err, "windows")
}

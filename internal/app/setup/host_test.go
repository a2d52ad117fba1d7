package setup_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/app/setup"
	"github.com/turnwire/turnwire/internal/app/setup/internal/goldentext"
	"github.com/turnwire/turnwire/internal/test/golden"
)

var host = setup.Host{Name: "Turnwire", Address: "ws://127.0.0.1:7777/ahp", Token: "tw_secret"}

// Each file has the initial settings, if any, the settings with a host, and those after
// it was removed from settings that the user changed.
func TestGoldenHosts(t *testing.T) {
	golden.Each(t, "testdata/hosts/*.txtar", func(t *testing.T, path string) {
		f := file(t, emptyMachine(t, "linux"), "vscode")
		archive := golden.Read(t, path)
		keep := func(name string, text []byte) { archive.Add(name, string(goldentext.Show(text))) }
		var before []byte
		if text, ok := archive.Section("before"); ok {
			before = goldentext.Text([]byte(text))
			write(t, f.Path, before)
			keep("before", before)
		}
		c, err := f.PutHost(host)
		apply(t, c, err)
		keep("with a host", read(t, f.Path))
		c, err = f.PutHost(host)
		require.NoError(t, err)
		require.True(t, c.None(), "a second time changes nothing")
		c, removed, err := f.DropHost(host.Name)
		apply(t, c, err)
		require.Equal(t, host, removed)
		require.True(t, before == nil || c.Undoes())
		require.Equal(t, before, read(t, f.Path), "what was done is undone")
		requireNoLitter(t, f.Path)

		c, err = f.PutHost(host)
		apply(t, c, err)
		moved := host
		moved.Address, moved.Token = "ws://127.0.0.1:1/ahp", "tw_new"
		c, err = f.PutHost(moved)
		apply(t, c, err)
		hosts, err := f.Hosts()
		require.NoError(t, err)
		require.Contains(t, hosts, moved)
		require.NotContains(t, hosts, host)
		write(t, f.Path, append(read(t, f.Path), '\n'))
		c, removed, err = f.DropHost(host.Name)
		apply(t, c, err)
		require.Equal(t, moved, removed)
		keep("changed meanwhile", read(t, f.Path))
		archive.Check(t)
	})
}

func TestHostsOfAnUnknownShapeAreLeftAlone(t *testing.T) {
	for text, wrong := range map[string]string{
		`{"chat.remoteAgentHosts": {}}`:                              "wrong type",
		`{"chat.remoteAgentHosts": 7}`:                               "wrong type",
		`{"chat.remoteAgentHosts": [`:                                "unexpected end",
		`{"chat.remoteAgentHosts": [], "chat.remoteAgentHosts": []}`: "twice",
	} {
		f := file(t, emptyMachine(t, "linux"), "vscode")
		write(t, f.Path, []byte(text))
		_, err := f.PutHost(host)
		require.Error(t, err, text)
		require.ErrorContains(t, err, f.Path)
		require.ErrorContains(t, err, wrong)
		require.Equal(t, text, string(read(t, f.Path)))
	}
	f := file(t, emptyMachine(t, "linux"), "vscode")
	write(t, f.Path, []byte(`{"chat.remoteAgentHosts": [7, "x", {"name": 1}, null]}`))
	c, err := f.PutHost(host)
	apply(t, c, err)
	require.Contains(t, string(read(t, f.Path)), `[7, "x", {"name": 1}, null, {`)
	_, err = f.PutHost(setup.Host{Name: "a\nb", Address: "ws://x", Token: "t"})
	require.ErrorContains(t, err, "invisible")
}

// The version is read from VS Code's installation. Its program is a script in the bin
// folder, or a link to that script.
func TestTheVersionIsReadFromTheInstallation(t *testing.T) {
	for name, c := range map[string]struct {
		system, manifest, program string
	}{
		"Linux":            {"linux", "share/code/resources/app/package.json", "share/code/bin/code"},
		"macOS, in PATH":   {"darwin", "Code.app/Contents/Resources/app/package.json", "Code.app/Contents/Resources/app/bin/code"},
		"macOS, at home":   {"darwin", "Applications/Visual Studio Code.app/Contents/Resources/app/package.json", ""},
		"Windows":          {"windows", "Code/resources/app/package.json", "Code/bin/code"},
		"Windows, updated": {"windows", "Code/1b2c/resources/app/package.json", "Code/bin/code"},
	} {
		for manifest, want := range map[string]struct {
			version   string
			can, sure bool
		}{
			`{"version": "1.139.1"}`: {"1.139.1", true, true},
			`{"version": "1.138.9"}`: {"1.138.9", false, true},
			`{"version": "2.0"}`:     {"2.0", true, true},
			`{"version": "one"}`:     {"one", false, true},
			`{"version": 7}`:         {"", true, false},
			`{`:                      {"", true, false},
		} {
			m := emptyMachine(t, c.system)
			write(t, filepath.Join(m.Home, filepath.FromSlash(c.manifest)), []byte(manifest))
			if c.program != "" {
				program := filepath.Join(m.Home, filepath.FromSlash(c.program))
				write(t, program, nil)
				link := filepath.Join(t.TempDir(), "code")
				require.NoError(t, os.Symlink(program, link))
				m.LookPath = func(name string) (string, error) {
					if name == "code" {
						return link, nil
					}
					return "", os.ErrNotExist
				}
			}
			f := file(t, m, "vscode")
			require.Equal(t, want.version, f.Version, "%s %s", name, manifest)
			can, sure := f.Host()
			require.Equal(t, [2]bool{want.can, want.sure}, [2]bool{can, sure}, "%s %s", name, manifest)
		}
	}
}

// A remote window has no chat.
func TestOnlyDesktopSettingsHaveHosts(t *testing.T) {
	m := emptyMachine(t, "linux")
	write(t, filepath.Join(m.Home, ".vscode-server", "x"), nil)
	write(t, filepath.Join(m.Home, ".local", "share", "code-server", "x"), nil)
	write(t, filepath.Join(m.Home, ".config", "VSCodium", "x"), nil)
	e, _ := setup.Named("vscode")
	var can []string
	for _, f := range e.Files(m) {
		if ok, _ := f.Host(); ok {
			can = append(can, f.Title)
		}
	}
	require.Equal(t, []string{"VSCodium"}, can)
}

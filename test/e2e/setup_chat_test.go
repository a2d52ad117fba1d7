//go:build linux

package e2e

import (
	"encoding/json"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const codeSettings = ".config/Code/User/settings.json"

// hasCode installs a fake VS Code, of which only the version can be read.
func (p *user) hasCode(version string) {
	p.has(codeSettings, "{\n    \"editor.fontSize\": 13\n}\n")
	p.has("code/resources/app/package.json", `{"version": "`+version+`"}`)
	p.has("code/bin/code", "")
	require.NoError(p.t, os.Chmod(filepath.Join(p.home, "code/bin/code"), 0o755))
	require.NoError(p.t, os.Symlink(filepath.Join(p.home, "code/bin/code"), filepath.Join(p.path, "code")))
}

// tokens returns the names of the tokens.
func (p *user) tokens() (names []string) {
	r := p.run("token", "list", "--json")
	require.Zero(p.t, r.code, r.stderr)
	var all []struct{ Name string }
	require.NoError(p.t, json.Unmarshal([]byte(r.stdout), &all))
	for _, t := range all {
		names = append(names, t.Name)
	}
	return names
}

var someToken = regexp.MustCompile(`tw_[A-Za-z0-9_-]{43}`)

func TestAgentsAreOfferedInTheChatOfANewVSCode(t *testing.T) {
	t.Parallel()
	p := newUser(t)
	p.hasCode("1.139.1")
	before := p.file(codeSettings)
	require.Contains(t, p.run("setup", "vscode", "--yes").stdout, "VS Code 1.139.1 can also show your agents in its own chat: turnwire setup vscode --chat\n")
	require.Empty(t, p.tokens(), "nothing is made unasked")
	require.NotContains(t, p.file(codeSettings), "chat.")
	require.Zero(t, p.run("setup", "vscode", "--remove", "--yes").code)
	require.Equal(t, before, p.file(codeSettings))

	r := p.run("setup", "vscode", "--chat")
	require.Equal(t, 1, r.code)
	require.Contains(t, r.stdout, `+             "connectionToken": "(a new token)"`)
	require.Contains(t, r.stderr, "Keep the token secret")
	require.Contains(t, r.stderr, "If you use Settings Sync")
	require.Contains(t, r.stderr, "there is no terminal to ask in")
	require.Equal(t, before, p.file(codeSettings))
	require.Empty(t, p.tokens())

	r = p.run("setup", "vscode", "--chat", "--print")
	require.Zero(t, r.code)
	require.Contains(t, r.stdout, `"connectionToken": "TOKEN"`)
	require.Empty(t, p.tokens())

	r = p.run("setup", "vscode", "--chat", "--yes")
	require.Zero(t, r.code, r.stderr)
	with := p.file(codeSettings)
	require.Contains(t, with, `"address": "ws://127.0.0.1:7777/ahp"`)
	require.NotRegexp(t, someToken, r.stdout+r.stderr, "a screen is no place for a token")
	require.Equal(t, []string{"vs-code"}, p.tokens())
	unit := p.file(".config/systemd/user/turnwire.service")
	require.Contains(t, unit, " serve --listen 127.0.0.1:7777 --auth token --socket ")
	require.Contains(t, r.stdout, "systemctl --user enable --now turnwire")

	r = p.run("setup", "vscode", "--chat")
	require.Zero(t, r.code, "nothing is asked where nothing changes: %s", r.stderr)
	require.Equal(t, with, p.file(codeSettings))

	r = p.run("setup", "vscode", "--chat", "--yes", "--listen", "127.0.0.1:7001")
	require.Zero(t, r.code, r.stderr)
	require.NotRegexp(t, someToken, r.stdout+r.stderr, "nor for an old one")
	require.NotEqual(t, someToken.FindString(with), someToken.FindString(p.file(codeSettings)))
	require.Len(t, p.tokens(), 1, "the old one is none any more")

	r = p.run("setup", "vscode", "--chat", "--remove", "--yes")
	require.Zero(t, r.code, r.stderr)
	require.Equal(t, before, p.file(codeSettings))
	require.Empty(t, p.tokens())
}

func TestTheChatOfAnOldVSCodeIsLeftAlone(t *testing.T) {
	t.Parallel()
	p := newUser(t)
	p.hasCode("1.138.2")
	require.NotContains(t, p.run("setup", "vscode", "--yes").stdout, "--chat")
	r := p.run("setup", "vscode", "--chat", "--yes")
	require.Equal(t, 1, r.code)
	require.Contains(t, r.stderr, "since version 1.139, but this is VS Code 1.138.2")
	require.Empty(t, p.tokens())
	for line, want := range map[string]string{
		"zed --chat":                          "--chat is only for VS Code",
		"vscode --chat --agent ethos":         "--chat shows all named agents",
		"vscode --chat -- agent":              "--chat shows all named agents",
		"vscode --listen 127.0.0.1:1":         "--listen needs --chat",
		"vscode --chat --listen 0.0.0.0:7777": "must be a local address",
		"vscode --chat --listen 127.0.0.1:0":  "must be HOST:PORT",
		"serve --listen :7777":                "must be a local address",
	} {
		r := p.run(append([]string{"setup"}, strings.Fields(line)...)...)
		require.Equal(t, 2, r.code, line)
		require.Contains(t, r.stderr, want, line)
	}
}

// The doctor does the same handshake as VS Code, with the real server.
func TestDoctorUsesTheHandshakeOfVSCodesChat(t *testing.T) {
	t.Parallel()
	p := newUser(t)
	p.hasCode("1.139.1")
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address := listener.Addr().String()
	require.NoError(t, listener.Close())
	require.Zero(t, p.run("setup", "vscode", "--chat", "--yes", "--listen", address).code)
	chat := func() finding {
		t.Helper()
		var report struct{ Findings []finding }
		require.NoError(t, json.Unmarshal([]byte(p.run("doctor", "vscode", "--json").stdout), &report))
		for _, f := range report.Findings {
			if f.Name == "VS Code" {
				return f
			}
		}
		return finding{}
	}
	where := "its chat: “Turnwire” at ws://" + address + "/ahp "
	f := chat()
	require.Equal(t, "failed", f.Status)
	require.Equal(t, where+"is not running", f.Detail)
	require.Contains(t, f.Advice, "turnwire serve --listen "+address+" --auth token")

	other := &http.Server{Addr: address, ReadHeaderTimeout: patience}
	served := make(chan error, 1)
	listener, err = net.Listen("tcp", address)
	require.NoError(t, err)
	go func() { served <- other.Serve(listener) }()
	require.Equal(t, where+"returns 404 Not Found", chat().Detail)
	require.NoError(t, other.Close())
	require.ErrorIs(t, <-served, http.ErrServerClosed)

	serve := p.command("serve", "--listen", address, "--auth", "token")
	out, err := serve.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, serve.Start())
	t.Cleanup(func() { _ = serve.Process.Signal(os.Interrupt); _ = serve.Wait() })
	buf := make([]byte, 4096)
	_, err = out.Read(buf) // it is serving now
	require.NoError(t, err)
	f = chat()
	require.Equal(t, "ok", f.Status, f.Detail)
	require.Regexp(t, "^"+regexp.QuoteMeta(where)+`shows .*\(AHP 1\.0\.0\)$`, f.Detail)

	require.Zero(t, p.run("token", "revoke", "vs-code").code)
	f = chat()
	require.Equal(t, where+"refuses the token", f.Detail)
	require.Contains(t, f.Advice, "turnwire setup vscode --chat")
}

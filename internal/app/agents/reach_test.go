//go:build unix

package agents_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/app/agents"
	"github.com/turnwire/turnwire/internal/app/config"
)

// reach checks whether an agent of a catalogue can be reached.
func reach(t *testing.T, c *agents.Catalogue, name string) agents.Reach {
	t.Helper()
	for _, e := range c.Entries() {
		if e.Name == name {
			return e.Reach(t.Context())
		}
	}
	require.Fail(t, "there is no "+name)
	return agents.Reach{}
}

func TestAServerIsReachableWithAnyAnswer(t *testing.T) {
	var seen http.Header
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = r.Header
		w.WriteHeader(http.StatusUnauthorized)
	}))
	defer server.Close()
	url := strings.Replace(server.URL, "http://", "http://me:hush@", 1) + "/a?token=hush"
	r := reach(t, catalogue(t, `"x": {"type": "awaken", "url": "`+url+`", "headers": {"Authorization": "hush"}}`), "x")
	require.True(t, *r.Reachable)
	require.Equal(t, server.URL+"/a", r.How)
	require.Equal(t, "it responds", r.Detail)
	require.Empty(t, seen.Get("Authorization"), "a check must not send a secret")
}

// Express, which AgentB's hosts use, answers like this.
func TestAnAgentBServerIsReachableIfItHasTheRoute(t *testing.T) {
	var posted atomic.Int32
	serve := func(route string) string {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch {
			case r.Method == http.MethodPost:
				posted.Add(1)
			case r.Method == http.MethodOptions && route == "*": // a server that allows other origins
				w.WriteHeader(http.StatusNoContent)
			case r.Method == http.MethodOptions && r.URL.Path == route:
				w.Header().Set("Allow", "GET,HEAD, POST")
			default:
				w.WriteHeader(http.StatusNotFound)
			}
		}))
		t.Cleanup(server.Close)
		return server.URL
	}
	check := func(url, more string) agents.Reach {
		return reach(t, catalogue(t, `"x": {"type": "agentb", "url": "`+url+`"`+more+`}`), "x")
	}
	for route, more := range map[string]string{"/agent/stream": "", "/chat-with-my-api": "", "/talk": `, "path": "/talk"`} {
		url := serve(route)
		r := check(url, more)
		require.True(t, *r.Reachable, route)
		require.Equal(t, "it accepts prompts at "+url+route, r.Detail)
	}
	url := serve("/talk")
	require.True(t, *check(url+"/talk", "").Reachable)
	r := check(url, "")
	require.False(t, *r.Reachable)
	require.Equal(t, "it responds, but has no handler at "+url+"/agent/stream or "+url+"/chat-with-my-api: set its route in the URL, or as path in turnwire.json", r.Detail)
	r = check(serve("*"), "")
	require.Nil(t, r.Reachable)
	require.Contains(t, r.Detail, "shows with the first one")
	require.Zero(t, posted.Load(), "no run was started")
}

func TestAnAGUIServerWithoutTheRouteMayBeWrong(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/fastapi":
			w.WriteHeader(http.StatusMethodNotAllowed)
		case "/express":
			if r.Method == http.MethodOptions {
				w.Header().Set("Allow", "POST")
				return
			}
			w.WriteHeader(http.StatusNotFound)
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	defer server.Close()
	check := func(path string) agents.Reach {
		return reach(t, catalogue(t, `"x": {"type": "agui", "url": "`+server.URL+path+`"}`), "x")
	}
	require.True(t, *check("/fastapi").Reachable)
	require.True(t, *check("/express").Reachable)
	r := check("/other")
	require.Nil(t, r.Reachable)
	require.Contains(t, r.Detail, "the path depends on the framework")
}

func TestAServerThatDoesNotExistIsNotReachable(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	r := reach(t, catalogue(t, `"x": {"type": "awaken", "url": "`+server.URL+`"}`), "x")
	require.False(t, *r.Reachable)
	require.Contains(t, r.Detail, "refused")
}

func TestAProjectsServerIsNotContactedUntilChosen(t *testing.T) {
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	defer server.Close()
	own, project := t.TempDir(), t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", own)
	for path, name := range map[string]string{filepath.Join(own, "turnwire"): "mine", project: "theirs"} {
		require.NoError(t, os.MkdirAll(path, 0o700))
		text := `{"agents": {"` + name + `": {"type": "awaken", "url": "` + server.URL + `"}}}`
		require.NoError(t, os.WriteFile(filepath.Join(path, config.FileName), []byte(text), 0o600))
	}
	c, err := agents.Load(config.Find("", project))
	require.NoError(t, err)

	r := reach(t, c, "theirs")
	require.Equal(t, agents.Reach{How: server.URL, Detail: "not checked because only a project's file names this address"}, r)
	require.Zero(t, asked.Load())

	require.True(t, *reach(t, c, "mine").Reachable)
	require.Equal(t, int32(1), asked.Load())
}

func TestAProjectsProgramOnAnotherMachineIsNotChecked(t *testing.T) {
	project := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	text := `{"agents": {"theirs": {"type": "acp", "command": "//machine/share/x"}}}`
	require.NoError(t, os.WriteFile(filepath.Join(project, config.FileName), []byte(text), 0o600))
	c, err := agents.Load(config.Find("", project))
	require.NoError(t, err)
	r := reach(t, c, "theirs")
	require.Nil(t, r.Reachable)
	require.Equal(t, "not checked because only a project's file names this program", r.Detail)
}

func TestAnIncompleteEntryIsNeitherReachableNorUnreachable(t *testing.T) {
	c := agents.New(nil)
	require.Equal(t, agents.Reach{How: "--url URL", Detail: "needs --url"}, reach(t, c, "awaken"))
	require.Equal(t, agents.Reach{How: "-- COMMAND, --url URL", Detail: "needs a command, or --url"}, reach(t, c, "acp"))
	require.True(t, *reach(t, c, "workspace").Reachable)
}

// program writes an executable script.
func program(t *testing.T, path, script string) {
	t.Helper()
	require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o700))
}

func TestAProgramIsReachableWhenItIsThere(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	r := reach(t, agents.New(nil), "ethos")
	require.False(t, *r.Reachable)
	require.Equal(t, "ethos acp", r.How)
	require.Equal(t, "ethos is not in PATH", r.Detail)

	program(t, filepath.Join(dir, "ethos"), "exit 1")
	r = reach(t, agents.New(nil), "ethos")
	require.True(t, *r.Reachable)
	require.Equal(t, filepath.Join(dir, "ethos"), r.Detail)
}

func TestACommonAgentIsReachableWhenItsProgramIsThere(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	r := reach(t, agents.New(nil), "opencode")
	require.False(t, *r.Reachable)
	require.Equal(t, "opencode is not in PATH", r.Detail)
	e, ok := agents.New(nil).Entry("opencode")
	require.True(t, ok)
	require.False(t, e.Installed())

	program(t, filepath.Join(dir, "opencode"), "exit 1")
	r = reach(t, agents.New(nil), "opencode")
	require.True(t, *r.Reachable)
	require.Equal(t, agents.Reach{How: "opencode acp", Reachable: r.Reachable, Detail: filepath.Join(dir, "opencode")}, r)
	require.True(t, e.Installed())
}

func TestAProjectCannotUseTheNameOfACommonAgent(t *testing.T) {
	project := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	path := filepath.Join(project, config.FileName)
	require.NoError(t, os.WriteFile(path, []byte(`{"agents": {"claude": {"type": "acp", "command": "./trap"}}}`), 0o600))
	_, err := agents.Load(config.Find("", project))
	require.EqualError(t, err, path+":1: agents.claude: a project cannot redefine the built-in agent claude; choose another name")
}

func TestAPathIsRelativeToItsFile(t *testing.T) {
	own, project := t.TempDir(), t.TempDir()
	file := filepath.Join(own, "x.json")
	require.NoError(t, os.WriteFile(file, []byte(`{"agents": {"x": {"type": "acp", "command": "bin/x"}, "y": {"type": "acp", "command": "./y"}}}`), 0o600))
	require.NoError(t, os.Mkdir(filepath.Join(own, "bin"), 0o700))
	program(t, filepath.Join(own, "bin", "x"), "")
	c, err := agents.Load(config.Find(file, project))
	require.NoError(t, err)
	require.Equal(t, filepath.Join(own, "bin", "x"), reach(t, c, "x").Detail)
	y := filepath.Join(own, "y")
	require.Equal(t, y+" does not exist", reach(t, c, "y").Detail)
	require.NoError(t, os.WriteFile(y, nil, 0o600))
	require.Equal(t, y+" is not executable", reach(t, c, "y").Detail)
}

func TestAPathNextToTheFileIsNotLookedUpInPATH(t *testing.T) {
	dir, bin := t.TempDir(), t.TempDir()
	t.Chdir(dir)
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("PATH", bin)
	require.NoError(t, os.WriteFile(config.FileName, []byte(`{"agents": {"x": {"type": "acp", "command": "./x"}}}`), 0o600))
	program(t, "x", "")
	program(t, filepath.Join(bin, "x"), "")
	c, err := agents.Load(config.Find("", "."))
	require.NoError(t, err)
	here, err := os.Getwd()
	require.NoError(t, err)
	require.Equal(t, filepath.Join(here, "x"), reach(t, c, "x").Detail)
}

func TestAgentaoNeedsItsPackageToo(t *testing.T) {
	dir := t.TempDir()
	ran := filepath.Join(dir, "ran")
	python := filepath.Join(dir, "python")
	c := catalogue(t, `"x": {"type": "agentao", "command": "`+python+`"}`)

	program(t, python, "exit 1")
	r := reach(t, c, "x")
	require.False(t, *r.Reachable)
	require.Equal(t, python+" has no package agentao: pip install agentao", r.Detail)

	program(t, python, "exit 0")
	require.True(t, *reach(t, c, "x").Reachable)

	program(t, python, "> "+ran+"; exit 0")
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	require.NoError(t, os.WriteFile(filepath.Join(dir, config.FileName), []byte(`{"agents": {"x": {"type": "agentao", "command": "./python"}}}`), 0o600))
	c, err := agents.Load(config.Find("", dir))
	require.NoError(t, err)
	r = reach(t, c, "x")
	require.Nil(t, r.Reachable)
	require.Contains(t, r.Detail, "a project names it")
	require.NoFileExists(t, ran, "what a project names was run")
}

func TestLookingForAgentaoRunsNoModuleOfTheWorkingDirectory(t *testing.T) {
	dir := t.TempDir()
	ran := filepath.Join(dir, "ran")
	for _, module := range []string{"importlib", "types", "threading", "warnings", "contextlib", "agentao"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, module+".py"), []byte("open("+strconv.Quote(ran)+", 'w')\n"), 0o600))
	}
	t.Chdir(dir)
	r := reach(t, catalogue(t, `"x": {"type": "agentao", "command": "python3"}`), "x")
	require.False(t, *r.Reachable, "what lies about in the working directory is not what Python has")
	require.NoFileExists(t, ran)
}

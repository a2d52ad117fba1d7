package agents

import (
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/turnwire/turnwire/agent/transport/httpsse"
	"github.com/turnwire/turnwire/internal/app/config"
)

// usual is the command of a type whose entry names none, and its arguments
// where the entry has none.
func usual(kind string) []string {
	switch kind {
	case config.TypeEthos:
		return []string{"ethos", "acp"}
	case config.TypeGlue:
		return []string{"glue", "acp"}
	case config.TypeAgentao:
		return []string{python()}
	}
	return nil
}

func python() string {
	if runtime.GOOS == "windows" {
		return "python"
	}
	return "python3"
}

// located is the command of an agent from a file. One that is a path is meant
// from where the file is. It becomes absolute: what is left of "./agent" beside
// the file would be a name, which is looked up in PATH.
func located(a *config.Agent) string {
	if a.File() == "" || filepath.Base(a.Command) == a.Command || filepath.IsAbs(a.Command) {
		return a.Command
	}
	path := filepath.Join(filepath.Dir(a.File()), a.Command)
	if absolute, err := filepath.Abs(path); err == nil {
		return absolute
	}
	return path // the working directory is gone, and so nothing relative is there
}

// words is the command of an agent and its arguments.
func words(a *config.Agent) []string {
	name, args := a.Command, a.Args
	if u := usual(a.Type); len(u) > 0 {
		if name == "" {
			name = u[0]
		}
		if args == nil {
			args = u[1:]
		}
	}
	return append([]string{name}, args...)
}

// environment is Turnwire's own with what the entry adds; nil where that is
// nothing.
func environment(a *config.Agent) ([]string, error) {
	if len(a.Env) == 0 {
		return nil, nil
	}
	env := slices.DeleteFunc(os.Environ(), func(pair string) bool {
		return strings.HasPrefix(pair, "PWD=") // the agent works elsewhere
	})
	for _, name := range slices.Sorted(maps.Keys(a.Env)) {
		value, err := a.Env[name].Resolve(os.LookupEnv)
		if err != nil {
			return nil, a.Errorf("env."+name, "%w", err)
		}
		env = append(env, name+"="+value)
	}
	return env, nil
}

// server says where the server of an agent is.
func server(a *config.Agent) (httpsse.Config, error) {
	c := httpsse.Config{
		BaseURL:      a.URL,
		Header:       make(http.Header),
		StartTimeout: time.Duration(a.StartTimeout),
		IdleTimeout:  time.Duration(a.IdleTimeout),
	}
	for _, name := range slices.Sorted(maps.Keys(a.Headers)) {
		value, err := a.Headers[name].Resolve(os.LookupEnv)
		if err != nil {
			return c, a.Errorf("headers."+name, "%w", err)
		}
		c.Header.Set(name, value)
	}
	return c, nil
}

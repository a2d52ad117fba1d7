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

	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
	"github.com/turnwire/turnwire/internal/app/config"
)

// defaultCommand returns a type's default command, followed by its default arguments.
func defaultCommand(kind string) []string {
	switch kind {
	case config.TypeEthos:
		return []string{"ethos", "acp"}
	case config.TypeGlue:
		return []string{"glue", "acp"}
	case config.TypeClaude:
		return []string{"claude"}
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

// resolveCommand returns an agent's command. A path in a file is relative to that file.
// It is made absolute, because "./agent", next to the file, would otherwise be cleaned to
// a bare name, which is looked up in PATH.
func resolveCommand(a *config.Agent) string {
	if a.File() == "" || filepath.Base(a.Command) == a.Command || filepath.IsAbs(a.Command) {
		return a.Command
	}
	path := filepath.Join(filepath.Dir(a.File()), a.Command)
	if absolute, err := filepath.Abs(path); err == nil {
		return absolute
	}
	return path // the working directory is gone, so no relative path works
}

// commandLine returns an agent's command and arguments.
func commandLine(a *config.Agent) []string {
	name, args := a.Command, a.Args
	if u := defaultCommand(a.Type); len(u) > 0 {
		if name == "" {
			name = u[0]
		}
		if args == nil {
			args = u[1:]
		}
	}
	return append([]string{name}, args...)
}

// environment returns Turnwire's own environment with the entry's variables, or nil if
// the entry has none.
func environment(a *config.Agent) ([]string, error) {
	if len(a.Env) == 0 {
		return nil, nil
	}
	env := slices.DeleteFunc(os.Environ(), func(pair string) bool {
		return strings.HasPrefix(pair, "PWD=") // the agent works in another folder
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

// server returns the address of an agent's server and the headers to send.
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

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/test/compatibility/internal/model"
)

// A stage is where an agent runs: a new home folder with an empty project, and a
// scripted model.
type stage struct {
	home    string
	project string
	log     string   // a file
	env     []string // the whole environment
	args    []string // the agent's, for "turnwire acp" and "turnwire run"
	close   func()
}

// stage prepares a stage for an installed agent. The name is that of the row.
func (l *lab) stage(ctx context.Context, a agent, name string) (*stage, error) {
	home := l.folder("homes", name)
	s := &stage{home: home, project: filepath.Join(home, "project"), log: l.folder("logs", name+".log")}
	log, err := os.Create(l.folder("logs", name+".model.log"))
	if err != nil {
		return nil, err
	}
	server, err := model.Start(ctx, log)
	if err != nil {
		return nil, errors.Join(err, log.Close())
	}
	s.close = func() {
		_ = server.Close() // nothing is lost
		_ = log.Close()    // the same
	}
	fill := strings.NewReplacer("$URL", server.URL, "$MODEL", model.Name, "$HOME", home, "$ROOT", l.root)
	bin := filepath.Join(l.folder("programs", a.name), a.install.bin)
	s.args = a.command(bin, fill)
	s.env = environment(home, bin, a.env, fill)
	if err := errors.Join(furnish(home, s.project, a.files, fill), os.RemoveAll(s.log)); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// furnish makes a new home folder with the agent's files and an empty project.
func furnish(home, project string, files map[string]string, fill *strings.Replacer) error {
	if err := os.RemoveAll(home); err != nil {
		return err
	}
	if err := os.MkdirAll(project, 0o700); err != nil {
		return err
	}
	for name, text := range files {
		path := filepath.Join(home, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(fill.Replace(text)), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// command returns the agent's arguments. An installed program is named with its path.
func (a agent) command(bin string, fill *strings.Replacer) []string {
	args := make([]string, 0, len(a.args))
	for i, arg := range a.args {
		arg = fill.Replace(arg)
		if i > 0 && a.args[i-1] == "--" && a.install.bin != "" {
			arg = filepath.Join(bin, arg)
		}
		args = append(args, arg)
	}
	return args
}

// passed are the variables of this process that agents get. The rest might have keys or
// change what agents do.
var passed = []string{"PATH", "LANG", "TERM", "TMPDIR", "SYSTEMROOT"}

func environment(home, bin string, more []string, fill *strings.Replacer) []string {
	var env []string
	for _, name := range passed {
		if value, ok := os.LookupEnv(name); ok {
			if name == "PATH" {
				value = bin + string(os.PathListSeparator) + value
			}
			env = append(env, name+"="+value)
		}
	}
	env = append(env, "HOME="+home)
	for _, kind := range []string{"CACHE", "CONFIG", "DATA", "STATE"} {
		env = append(env, fmt.Sprintf("XDG_%s_HOME=%s", kind, filepath.Join(home, ".xdg", strings.ToLower(kind))))
	}
	if runtime.GOOS == "windows" {
		env = append(env, "USERPROFILE="+home, "APPDATA="+home, "LOCALAPPDATA="+home)
	}
	for _, variable := range more {
		env = append(env, fill.Replace(variable))
	}
	return env
}

// notes reads what a probe printed into cells. It returns an error if the probe could
// not start the agent.
func notes(out []byte, cells map[string]cell) error {
	for line := range strings.Lines(string(out)) {
		var seen struct {
			Column string `json:"column"`
			cell
		}
		switch {
		case exactjson.Unmarshal([]byte(line), &seen) != nil:
		case seen.Column != "":
			cells[seen.Column] = seen.cell
		case seen.Note != "":
			return errors.New(seen.Note)
		}
	}
	return nil
}

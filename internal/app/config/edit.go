package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/turnwire/turnwire/internal/app/setup/jsonc"
	"github.com/turnwire/turnwire/internal/atomicfile"
)

// Added is an agent from a registry, for [Put].
type Added struct {
	Title   string
	Command string
	Args    []string
	Env     map[string]string // as the program gets it, without variables
	Origin  Origin
}

// An Edit is new content for a file, not yet written.
type Edit struct {
	Path          string
	Before, After []byte // Before is nil if the file doesn't exist
}

// Put computes the edit that writes an agent into the file at path. Members that Added
// doesn't have, and the rest of the file, are left unchanged. If replace is
// true, an existing entry of that name is replaced as a whole.
func Put(path, name string, a Added, replace bool) (Edit, error) {
	return edit(path, func(d *jsonc.Document) error {
		if replace {
			if err := d.Remove("agents", name); err != nil {
				return err
			}
		}
		entry, err := a.object()
		if err != nil {
			return err
		}
		return d.Set(entry, "agents", name)
	})
}

// Drop computes the edit that removes an agent from the file at path.
func Drop(path, name string) (Edit, error) {
	return edit(path, func(d *jsonc.Document) error { return d.Remove("agents", name) })
}

// object returns the agent's JSON object for the file.
func (a *Added) object() (jsonc.Object, error) {
	args := a.Args
	if args == nil {
		args = []string{}
	}
	o := jsonc.Object{
		{Name: "type", Value: TypeACP},
		{Name: "title", Value: a.Title},
		{Name: "command", Value: a.Command},
		{Name: "args", Value: args},
	}
	var env jsonc.Object
	for _, name := range slices.Sorted(maps.Keys(a.Env)) {
		value, err := literal(a.Env[name])
		if err != nil {
			return nil, fmt.Errorf("the variable %s: %w", name, err)
		}
		env = append(env, jsonc.Member{Name: name, Value: value})
	}
	if env != nil {
		o = append(o, jsonc.Member{Name: "env", Value: env})
	}
	return append(o, jsonc.Member{Name: "registry", Value: jsonc.Object{
		{Name: "id", Value: a.Origin.ID},
		{Name: "version", Value: a.Origin.Version},
		{Name: "from", Value: a.Origin.From},
	}}), nil
}

// literal escapes text so that [Secret.Resolve] returns it unchanged.
func literal(text string) (string, error) {
	if strings.HasPrefix(text, "env:") {
		return "", errors.New("its value begins with env:, which refers to an environment variable")
	}
	return strings.ReplaceAll(text, "$", "$$"), nil
}

// edit computes the edit that change makes. It fails if the file is invalid before or
// after the change.
func edit(path string, change func(*jsonc.Document) error) (Edit, error) {
	before, err := readText(path)
	if err != nil {
		return Edit{}, err
	}
	d, err := jsonc.Parse(before)
	if err == nil {
		err = change(d)
	}
	if err != nil {
		return Edit{}, fmt.Errorf("%s: %w", path, err)
	}
	after := d.Bytes()
	if len(after) > maxFile {
		return Edit{}, fmt.Errorf("%s would be longer than %d bytes", path, maxFile)
	}
	if _, err := Parse(path, after); err != nil {
		return Edit{}, fmt.Errorf("the file cannot be changed: %w", err)
	}
	return Edit{path, before, after}, nil
}

// readText returns the text of a file, or nil if the file doesn't exist.
func readText(path string) ([]byte, error) {
	text, err := atomicfile.Read(path, maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		if _, linkErr := os.Lstat(path); linkErr == nil {
			return nil, fmt.Errorf("%s is a link to a file that does not exist", path)
		}
		return nil, nil
	}
	return text, err
}

// Apply writes the file. It returns an error and writes nothing if the file changed since
// the edit was computed.
func (e Edit) Apply() error {
	now, err := readText(e.Path)
	if err != nil {
		return err
	}
	if (now == nil) != (e.Before == nil) || !bytes.Equal(now, e.Before) {
		return fmt.Errorf("%s changed in the meantime, so nothing was written: try again", e.Path)
	}
	path := e.Path
	if now == nil {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		return atomicfile.Write(path, e.After)
	}
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if info.Mode().Perm()&0o200 == 0 {
		return fmt.Errorf("%s is read-only: it was not changed", path)
	}
	return atomicfile.Write(path, e.After)
}

// OwnAgents returns only the agents in the user's own file.
func (p Places) OwnAgents() (map[string]Agent, error) {
	own, err := readAgents(p.Own)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return own, err
}

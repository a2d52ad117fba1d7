package setup

import (
	"slices"

	"github.com/turnwire/turnwire/internal/app/setup/jsonc"
)

// servers is a JSON format in which agents are the members of one object. A new agent
// gets an empty environment, to show users where to add variables.
type servers struct {
	key  string // the key of the object
	kind string // the value of "type", if the format needs one
	unit string // one step of indentation, for files without any
}

func (s servers) add(text []byte, a Agent) ([]byte, error) {
	d, err := jsonc.Parse(text)
	if err != nil {
		return nil, err
	}
	d.Unit = s.unit
	if err := s.set(d, a); err != nil {
		return nil, err
	}
	return d.Bytes(), nil
}

func (s servers) set(d *jsonc.Document, a Agent) error {
	args := a.Args
	if args == nil {
		args = []string{}
	}
	var entry jsonc.Object
	if s.kind != "" {
		entry = append(entry, jsonc.Member{Name: "type", Value: s.kind})
	}
	entry = append(entry, jsonc.Member{Name: "command", Value: a.Command}, jsonc.Member{Name: "args", Value: args})
	there, err := d.Names(s.key)
	if err != nil {
		return err
	}
	if !slices.Contains(there, a.Name) {
		entry = append(entry, jsonc.Member{Name: "env", Value: jsonc.Object{}})
	}
	return d.Set(entry, s.key, a.Name)
}

func (s servers) drop(text []byte, name string) ([]byte, error) {
	d, err := jsonc.Parse(text)
	if err != nil {
		return nil, err
	}
	if err := s.unset(d, name); err != nil {
		return nil, err
	}
	return d.Bytes(), nil
}

// unset removes an agent, and the object if it becomes empty.
func (s servers) unset(d *jsonc.Document, name string) error {
	if err := d.Remove(s.key, name); err != nil {
		return err
	}
	if d.IsEmpty(s.key) {
		return d.Remove(s.key)
	}
	return nil
}

func (s servers) agents(text []byte) ([]Agent, error) {
	d, err := jsonc.Parse(text)
	if err != nil {
		return nil, err
	}
	names, err := d.Names(s.key)
	if err != nil {
		return nil, err
	}
	var agents []Agent
	for _, name := range names {
		// An entry of an unknown shape still exists, and so does a duplicate one. Only
		// their names are known.
		a := Agent{Name: name}
		_, noCommand := d.Decode(&a.Command, s.key, name, "command")
		_, noArgs := d.Decode(&a.Args, s.key, name, "args")
		if noCommand != nil || noArgs != nil {
			a = Agent{Name: name}
		}
		agents = append(agents, a)
	}
	return agents, nil
}

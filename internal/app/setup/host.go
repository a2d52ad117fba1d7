package setup

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/turnwire/turnwire/internal/app/setup/jsonc"
)

// A Host is a server whose agents the editor's built-in chat shows, through the Agent
// Host Protocol.
type Host struct {
	Name    string `json:"name"`
	Address string `json:"address"` // such as ws://127.0.0.1:7777/ahp
	Token   string `json:"connectionToken"`
}

// The settings of VS Code's built-in chat.
const (
	settingHosts        = "chat.remoteAgentHosts"
	settingHostsEnabled = "chat.remoteAgentHostsEnabled"
)

// HostsSince is the first version of VS Code whose chat can show the agents that this
// program serves.
const HostsSince = "1.139"

// Host reports whether the built-in chat is set up in this file and can show agents. sure
// is false if the program's version is unknown.
func (f File) Host() (can, sure bool) {
	if !f.hosts || f.Version == "" {
		return f.hosts, false
	}
	return !older(f.Version, HostsSince), true
}

// older compares the first two numbers of two versions. An invalid version counts as
// older.
func older(a, b string) bool {
	number := func(version string, i int) int {
		parts := strings.Split(version, ".")
		if i >= len(parts) {
			return 0
		}
		n, err := strconv.Atoi(parts[i])
		if err != nil {
			return -1
		}
		return n
	}
	for i := range 2 {
		if x, y := number(a, i), number(b, i); x != y {
			return x < y
		}
	}
	return false
}

// Hosts returns the hosts that are currently in the file. For an entry of an unknown
// shape, only the known members are set.
func (f File) Hosts() ([]Host, error) {
	text, err := f.read()
	if text == nil || err != nil {
		return nil, err
	}
	hosts, err := hostsIn(text)
	return hosts, f.explain(err)
}

// PutHost computes the change that adds a host. It replaces a host of the same name.
func (f File) PutHost(h Host) (Change, error) {
	for _, text := range []string{h.Name, h.Address, h.Token} {
		if err := (Agent{Name: text}).Check(); err != nil {
			return Change{}, err
		}
	}
	text, err := f.read()
	if err != nil {
		return Change{}, err
	}
	with, err := putHost(text, h)
	if err != nil {
		return Change{}, f.explain(err)
	}
	// VS Code reads what we write, so check it before changing anything.
	if there, err := hostsIn(with); err != nil || !slices.Contains(there, h) {
		return Change{}, fmt.Errorf("%s: the server could not be added; nothing was changed", f.Path)
	}
	return f.change(text, with), nil
}

// PrintHost returns the content that PutHost writes into an empty file, for users who
// edit the file themselves.
func PrintHost(h Host) ([]byte, error) { return putHost(nil, h) }

// DropHost computes the change that removes the named host. It also returns that host.
func (f File) DropHost(name string) (Change, Host, error) {
	text, err := f.read()
	if text == nil || err != nil {
		return Change{File: f}, Host{}, err
	}
	hosts, err := hostsIn(text)
	if err != nil {
		return Change{}, Host{}, f.explain(err)
	}
	i := slices.IndexFunc(hosts, called(name))
	if i < 0 {
		return f.change(text, text), Host{}, nil
	}
	before, ok := f.original(text, func(old []byte) ([]byte, bool) {
		there, err := hostsIn(old)
		if err != nil || slices.ContainsFunc(there, called(name)) {
			return nil, false
		}
		with, err := putHost(old, hosts[i])
		return with, err == nil
	})
	if ok {
		c := f.change(text, before)
		c.undo = true
		return c, hosts[i], nil
	}
	without, err := dropHost(text, i)
	if err != nil {
		return Change{}, Host{}, f.explain(err)
	}
	return f.change(text, without), hosts[i], nil
}

func called(name string) func(Host) bool { return func(h Host) bool { return h.Name == name } }

func hostsIn(text []byte) ([]Host, error) {
	d, err := jsonc.Parse(text)
	if err != nil {
		return nil, err
	}
	var entries []any
	if _, err := d.Decode(&entries, settingHosts); err != nil {
		return nil, err
	}
	hosts := make([]Host, len(entries))
	for i, entry := range entries {
		members, _ := entry.(map[string]any)
		hosts[i].Name, _ = members["name"].(string)
		hosts[i].Address, _ = members["address"].(string)
		hosts[i].Token, _ = members["connectionToken"].(string)
	}
	return hosts, nil
}

func putHost(text []byte, h Host) ([]byte, error) {
	d, err := jsonc.Parse(text)
	if err != nil {
		return nil, err
	}
	d.Unit = others.unit
	if err := d.Set(true, settingHostsEnabled); err != nil {
		return nil, err
	}
	there, err := hostsIn(text)
	if err != nil {
		return nil, err
	}
	if slices.Contains(there, h) {
		return d.Bytes(), nil
	}
	if i := slices.IndexFunc(there, called(h.Name)); i >= 0 {
		if err := d.RemoveAt(i, settingHosts); err != nil {
			return nil, err
		}
	}
	err = d.Append(jsonc.Object{
		{Name: "address", Value: h.Address},
		{Name: "name", Value: h.Name},
		{Name: "connectionToken", Value: h.Token},
	}, settingHosts)
	if err != nil {
		return nil, err
	}
	return d.Bytes(), nil
}

// dropHost removes a host, and the settings if it was the last one.
func dropHost(text []byte, index int) ([]byte, error) {
	d, err := jsonc.Parse(text)
	if err != nil {
		return nil, err
	}
	if err := d.RemoveAt(index, settingHosts); err != nil {
		return nil, err
	}
	if d.IsEmpty(settingHosts) {
		for _, key := range []string{settingHosts, settingHostsEnabled} {
			if err := d.Remove(key); err != nil {
				return nil, err
			}
		}
	}
	return d.Bytes(), nil
}

package config

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"reflect"
	"strconv"

	"github.com/tailscale/hujson"

	"github.com/turnwire/turnwire/internal/app/policy"
	"github.com/turnwire/turnwire/internal/atomicfile"
)

// A Policy is the policy section of a file. A separate policy file has the same members,
// except for File.
type Policy struct {
	File    string        `json:"file,omitempty" jsonschema:"description=A file with more rules, which follow the rules in this section. Absolute, or relative to this file."`
	Rules   []policy.Rule `json:"rules,omitempty" jsonschema:"description=The rules. The first one that matches decides."`
	Default string        `json:"default,omitempty" jsonschema:"enum=ask,enum=deny,description=The verdict for all other calls: ask or deny. Default: later policies decide, and if none matches, you are asked."`

	name  string         // the file that contains it
	key   string         // its key in the file
	lines map[string]int // line of each key in the file
}

// check validates a policy and records its position for later errors.
func (p *Policy) check(name, key string, lines map[string]int) error {
	if p == nil {
		return nil
	}
	p.name, p.key, p.lines = name, key, lines
	for i, r := range p.Rules {
		if err := r.Check(); err != nil {
			return p.errorf("rules."+strconv.Itoa(i+1), err)
		}
	}
	if p.Default != "" {
		if err := policy.CheckDefault(p.Default); err != nil {
			return p.errorf("default", err)
		}
	}
	return nil
}

func (p *Policy) errorf(member string, err error) error {
	key := join(p.key, member)
	return &Error{File: p.name, Line: p.lines[key], Key: key, Err: err}
}

// at returns the position of a member, as FILE:LINE.
func (p *Policy) at(member string) string {
	return p.name + ":" + strconv.Itoa(p.lines[join(p.key, member)])
}

// addTo appends the rules to a policy.
func (p *Policy) addTo(to *policy.Policy) error {
	if p == nil {
		return nil
	}
	for i, r := range p.Rules {
		member := "rules." + strconv.Itoa(i+1)
		if err := to.Add(r, p.at(member)); err != nil {
			return p.errorf(member, err)
		}
	}
	if p.File != "" {
		file := p.File
		if !filepath.IsAbs(file) {
			file = filepath.Join(filepath.Dir(p.name), file)
		}
		more, err := ReadPolicy(file)
		if err != nil {
			return p.errorf("file", err)
		}
		to.Append(more)
	}
	if err := to.Otherwise(p.Default, p.at("default")); err != nil {
		return p.errorf("default", err)
	}
	return nil
}

// ReadPolicy reads a separate policy file.
func ReadPolicy(path string) (*policy.Policy, error) {
	text, err := atomicfile.Read(path, maxFile)
	if err != nil {
		return nil, fmt.Errorf("the policy: %w", err)
	}
	p := parser{file: path, text: text, lines: map[string]int{}}
	tree, err := hujson.Parse(text)
	if err != nil {
		return nil, p.syntax(err)
	}
	var read Policy
	if err := p.decode(tree, reflect.ValueOf(&read).Elem(), ""); err != nil {
		return nil, err
	}
	if err := read.check(path, "", p.lines); err != nil {
		return nil, err
	}
	if read.File != "" {
		return nil, read.errorf("file", errors.New("a policy file cannot name another one"))
	}
	all := new(policy.Policy)
	return all, read.addTo(all)
}

// Policy returns the rules in the user's file for an agent's calls: first those of that
// agent, then those for all agents.
func (p Places) Policy(agent string) (*policy.Policy, error) {
	f, err := p.own()
	if err != nil {
		return nil, err
	}
	all := new(policy.Policy)
	if err := f.Agents[agent].Policy.addTo(all); err != nil {
		return nil, err
	}
	return all, f.Policy.addTo(all)
}

// ProjectPolicy returns the rules in the project's file for an agent's calls, or nil if
// there is no such file. It returns an error if the project allows anything or names a
// policy file, because the project's author must not decide for the user.
func (p Places) ProjectPolicy(agent string) (*policy.Policy, error) {
	if p.Project == "" || same(p.Own, p.Project) {
		return nil, nil
	}
	f, err := readFile(p.Project)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	all := new(policy.Policy)
	for _, one := range []*Policy{f.Agents[agent].Policy, f.Policy} {
		if err := one.narrows(); err != nil {
			return nil, err
		}
		if err := one.addTo(all); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// narrows returns an error if the policy contains something that a project may not set.
func (p *Policy) narrows() error {
	if p == nil {
		return nil
	}
	if p.File != "" {
		return p.errorf("file", errors.New("a project's policy cannot name a file"))
	}
	for i, r := range p.Rules {
		if r.Allow != "" {
			return p.errorf("rules."+strconv.Itoa(i+1), errors.New("a project cannot allow anything; your own file can"))
		}
	}
	return nil
}

package config

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/suggest"
)

// Parse parses the text of a configuration file. Errors refer to the file as name.
func Parse(name string, text []byte) (*File, error) {
	p := parser{file: name, text: text, lines: map[string]int{}}
	tree, err := hujson.Parse(text)
	if err != nil {
		return nil, p.syntax(err)
	}
	var f File
	if err := p.decode(tree, reflect.ValueOf(&f).Elem(), ""); err != nil {
		return nil, err
	}
	if err := f.Policy.check(name, "policy", p.lines); err != nil {
		return nil, err
	}
	if err := f.checkServer(name, p.lines); err != nil {
		return nil, err
	}
	if err := f.checkFolders(name, p.lines); err != nil {
		return nil, err
	}
	if err := f.checkNotify(name, p.lines); err != nil {
		return nil, err
	}
	for agent, a := range f.Agents {
		if err := a.Policy.check(name, "agents."+agent+".policy", p.lines); err != nil {
			return nil, err
		}
		a.file, a.key, a.lines = name, "agents."+agent, p.lines
		if err := a.check(agent); err != nil {
			return nil, err
		}
		f.Agents[agent] = a
	}
	return &f, nil
}

type parser struct {
	file  string
	text  []byte
	lines map[string]int // by key
}

// syntax converts a syntax error of the hujson library, whose message has its own line
// number and may quote the file.
func (p *parser) syntax(err error) error {
	var line, column int
	if _, scanErr := fmt.Sscanf(err.Error(), "hujson: line %d, column %d:", &line, &column); scanErr != nil {
		line = 0
	}
	return &Error{File: p.file, Line: line, Err: fmt.Errorf("invalid JSON (column %d)", column)}
}

func (p *parser) fail(key string, at int, err error) error {
	return &Error{File: p.file, Line: 1 + bytes.Count(p.text[:at], []byte{'\n'}), Key: key, Err: err}
}

// decode decodes v into a struct, a map, or anything that encoding/json can decode. It
// descends into structs and maps itself, so that it knows the line of each member.
func (p *parser) decode(v hujson.Value, into reflect.Value, key string) error {
	p.lines[key] = 1 + bytes.Count(p.text[:v.StartOffset], []byte{'\n'})
	switch into.Kind() {
	case reflect.Struct:
		return p.members(v, key, func(name string, at int, member hujson.Value) error {
			field, known := fieldOf(into, name)
			if !field.IsValid() {
				return p.fail(join(key, name), at, fmt.Errorf("unknown key%s", suggest.Hint(name, known)))
			}
			return p.decode(member, field, join(key, name))
		})
	case reflect.Pointer:
		if into.Type().Elem().Kind() == reflect.Struct {
			into.Set(reflect.New(into.Type().Elem()))
			return p.decode(v, into.Elem(), key)
		}
	case reflect.Slice:
		if into.Type().Elem().Kind() == reflect.Struct {
			return p.objects(v, into, key)
		}
	case reflect.Map:
		into.Set(reflect.MakeMap(into.Type()))
		return p.members(v, key, func(name string, _ int, member hujson.Value) error {
			value := reflect.New(into.Type().Elem()).Elem()
			if err := p.decode(member, value, join(key, name)); err != nil {
				return err
			}
			into.SetMapIndex(reflect.ValueOf(name), value)
			return nil
		})
	}
	plain := v.Clone()
	plain.Standardize()
	raw := bytes.TrimSpace(plain.Pack())
	err := exactjson.Unmarshal(raw, into.Addr().Interface())
	if err == nil && !bytes.Equal(raw, []byte("null")) {
		return nil
	}
	// An error of encoding/json may quote the value, which may be secret.
	if !errors.Is(err, errDuration) && !errors.Is(err, errOffer) {
		err = fmt.Errorf("must be %s", typeName(into.Type()))
	}
	return p.fail(key, v.StartOffset, err)
}

// objects decodes a list of objects.
func (p *parser) objects(v hujson.Value, into reflect.Value, key string) error {
	list, ok := v.Value.(*hujson.Array)
	if !ok {
		return p.fail(key, v.StartOffset, errors.New("must be a list"))
	}
	for i, element := range list.Elements {
		into.Set(reflect.Append(into, reflect.Zero(into.Type().Elem())))
		if err := p.decode(element, into.Index(i), join(key, strconv.Itoa(i+1))); err != nil {
			return err
		}
	}
	return nil
}

// typeName describes, for an error message, the values that a member of a type takes.
func typeName(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return typeName(t.Elem())
	case reflect.Bool:
		return "true or false"
	case reflect.Int:
		return "a whole number"
	case reflect.String:
		return "a string"
	case reflect.Slice:
		return "a list of strings"
	case reflect.Int64:
		return "a time"
	}
	return ""
}

// members calls each for every member of an object.
func (p *parser) members(v hujson.Value, key string, each func(name string, at int, member hujson.Value) error) error {
	object, ok := v.Value.(*hujson.Object)
	if !ok {
		return p.fail(key, v.StartOffset, errors.New("must be an object"))
	}
	seen := map[string]bool{}
	for _, m := range object.Members {
		var name string
		literal, _ := m.Name.Value.(hujson.Literal)
		if err := exactjson.Unmarshal(literal, &name); err != nil {
			return p.fail(key, m.Name.StartOffset, errors.New("a key must be a string"))
		}
		if seen[name] {
			return p.fail(join(key, name), m.Name.StartOffset, errors.New("the key appears twice"))
		}
		seen[name] = true
		if err := each(name, m.Name.StartOffset, m.Value); err != nil {
			return err
		}
	}
	return nil
}

// fieldOf returns the field with the given JSON name, and the JSON names of all fields.
func fieldOf(v reflect.Value, name string) (field reflect.Value, known []string) {
	for f, value := range v.Fields() {
		if !f.IsExported() {
			continue
		}
		n, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		known = append(known, n)
		if n == name {
			field = value
		}
	}
	return field, known
}

func join(key, name string) string {
	if key == "" {
		return name
	}
	return key + "." + name
}

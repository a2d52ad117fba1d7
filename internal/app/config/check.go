package config

import (
	"errors"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"github.com/turnwire/turnwire/internal/agent/dialects"
	"github.com/turnwire/turnwire/internal/lazyregexp"
	"github.com/turnwire/turnwire/internal/suggest"
)

// AgentName is the pattern for agent names, which are typed, completed and printed.
const AgentName = `^[a-z0-9][a-z0-9._-]{0,63}$`

var (
	agentName  = lazyregexp.New(AgentName)
	headerName = lazyregexp.New("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")
)

// toolKinds are the allowed values of [Tool.Kind].
var toolKinds = []string{"read", "edit", "delete", "move", "search", "execute", "think", "fetch", "switch_mode", "other"}

// check validates an agent whose members already have the right types.
func (a *Agent) check(name string) error {
	if !agentName().MatchString(name) {
		return &Error{a.file, a.lines[a.key], a.key, errors.New("a name has at most 64 lower-case letters, digits, dots, dashes and underscores")}
	}
	if err := a.checkMembers(); err != nil {
		return err
	}
	if err := a.checkReach(); err != nil {
		return err
	}
	for _, tool := range slices.Sorted(maps.Keys(a.Tools)) {
		if kind := a.Tools[tool].Kind; kind != "" && !slices.Contains(toolKinds, kind) {
			return a.Errorf("tools."+tool+".kind", "must be one of %s%s", strings.Join(toolKinds, ", "), suggest.Hint(kind, toolKinds))
		}
	}
	return nil
}

// checkMembers checks that the agent's type allows the given members, and that no
// required member is missing.
func (a *Agent) checkMembers() error {
	t, ok := typeOf(a.Type)
	if !ok {
		names := typeNames()
		if a.Type == "" {
			return a.errorf("type is missing; use one of %s", strings.Join(names, ", "))
		}
		return a.Errorf("type", "must be one of %s%s", strings.Join(names, ", "), suggest.Hint(a.Type, names))
	}
	for f := range reflect.TypeFor[Agent]().Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" {
			continue
		}
		_, given := a.lines[a.key+"."+name]
		if given && !t.Has(name) {
			return a.Errorf(name, "unknown key for an agent of the type %s", t.Name)
		}
		if slices.Contains(t.Required, name) && reflect.ValueOf(a).Elem().FieldByIndex(f.Index).IsZero() {
			return a.errorf("missing key %s, required by the type %s", name, t.Name)
		}
	}
	return nil
}

// checkReach checks the members that describe how to reach the agent.
func (a *Agent) checkReach() error {
	if a.URL != "" {
		if err := CheckURL(a.Type, a.URL); err != nil {
			return a.Errorf("url", "%w", err)
		}
	}
	if _, ok := dialects.Named(a.Dialect); a.Dialect != "" && a.Dialect != "auto" && !ok {
		var names []string
		for _, d := range dialects.All() {
			names = append(names, d.Name)
		}
		return a.Errorf("dialect", "must be one of auto, %s%s", strings.Join(names, ", "), suggest.Hint(a.Dialect, names))
	}
	for _, name := range slices.Sorted(maps.Keys(a.Env)) {
		if name == "" || strings.ContainsAny(name, "=\x00") {
			return a.Errorf("env."+name, "not a valid environment variable name")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(a.Headers)) {
		if !IsHeader(name) {
			return a.Errorf("headers."+name, "not a valid header name")
		}
	}
	return nil
}

// CheckURL validates the URL of a server for an agent of type kind.
func CheckURL(kind, raw string) error {
	u, err := url.Parse(raw)
	switch {
	case err == nil && kind == TypeACPRemote && u.Scheme == "ws+unix" && u.Host == "" && strings.Contains(u.Path, ":/"):
		return nil
	case err != nil || u.Host == "":
	case u.Scheme == "http" || u.Scheme == "https":
		return nil
	case kind == TypeACPRemote && (u.Scheme == "ws" || u.Scheme == "wss"):
		return nil
	}
	if kind == TypeACPRemote {
		return errors.New("must begin with wss://, ws://, https:// or http:// and a host")
	}
	return errors.New("must begin with http:// or https:// and a host")
}

// IsHeader reports whether name can be the name of an HTTP header.
func IsHeader(name string) bool { return headerName().MatchString(name) }

// errorf returns an error about the agent as a whole.
func (a *Agent) errorf(format string, args ...any) error {
	return &Error{File: a.file, Line: a.lines[a.key], Key: a.key, Err: errorf(format, args...)}
}

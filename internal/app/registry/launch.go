package registry

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/turnwire/turnwire/internal/lazyregexp"
)

// The ways to run an agent.
const (
	Binary = "binary"
	NPX    = "npx"
	UVX    = "uvx"
)

// Ways returns the ways in the order in which they are preferred: a program
// needs nothing else on the machine.
func Ways() []string { return []string{Binary, NPX, UVX} }

// A Launch says how an agent is run.
type Launch struct {
	Way     string
	Command string // of a Binary its path in the archive, with slashes
	Args    []string
	Env     map[string]string
	Archive string // the URL of a Binary
	SHA256  string // of the archive, in lower case; "" if it is not known
}

// Platform returns the registry's name of a platform.
func Platform(goos, goarch string) string {
	if cpu, ok := map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[goarch]; ok {
		goarch = cpu
	}
	return goos + "-" + goarch
}

// Launch chooses how an agent is run on a platform: in the way that is named, or
// where it is "" in the first one that there is. It checks all that it returns.
func (e *Entry) Launch(platform, way string) (*Launch, error) {
	d := e.Distribution
	target, ok := d.Binary[platform]
	var l *Launch
	var err error
	switch {
	case (way == "" || way == Binary) && ok:
		l, err = target.launch()
	case (way == "" || way == NPX) && d.NPX != nil:
		l, err = d.NPX.launch(NPX, npmPackage(), e.Version)
	case (way == "" || way == UVX) && d.UVX != nil:
		l, err = d.UVX.launch(UVX, pypiPackage(), e.Version)
	case way == "" && len(d.Binary) > 0:
		return nil, fmt.Errorf("%s is not made for %s, only for %s", e.ID, platform, strings.Join(platforms(d.Binary), ", "))
	default:
		return nil, fmt.Errorf("%s cannot be had as %s for %s", e.ID, way, platform)
	}
	if err == nil {
		err = l.check()
	}
	if err != nil {
		return nil, fmt.Errorf("the registry's entry for %s is wrong: %w", e.ID, err)
	}
	return l, nil
}

// platforms returns the names that can be shown.
func platforms(targets map[string]Target) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(targets)), func(name string) bool { return !entryID().MatchString(strings.ReplaceAll(name, "_", "-")) })
}

var (
	// A name cannot begin with a dash, and is neither a path nor a URL.
	npmPackage  = lazyregexp.New(`^((?:@[a-z0-9][a-z0-9._-]*/)?[a-zA-Z0-9][a-zA-Z0-9._-]*)(?:@([0-9A-Za-z][0-9A-Za-z.+-]*))?$`)
	pypiPackage = lazyregexp.New(`^([A-Za-z0-9][A-Za-z0-9._-]*(?:\[[A-Za-z0-9,._-]+\])?)(?:(?:==|@)([0-9A-Za-z][0-9A-Za-z.+!-]*))?$`)
	// pinned is a version, and not a name that means another one tomorrow.
	pinned = lazyregexp.New(`^[0-9]`)
)

// launch pins the package to its version, or where it has none to the entry's.
func (p *Package) launch(way string, name *regexp.Regexp, version string) (*Launch, error) {
	m := name.FindStringSubmatch(p.Package)
	if m == nil || len(p.Package) > 300 {
		return nil, fmt.Errorf("%.100q is not a package for %s", p.Package, way)
	}
	if pinned().MatchString(m[2]) {
		version = m[2]
	}
	args := []string{m[1] + "@" + version}
	if way == NPX {
		// npx would ask on stdin, where the agent is spoken to.
		args = append([]string{"--yes"}, args...)
	}
	return &Launch{Way: way, Command: way, Args: append(args, p.Args...), Env: p.Env}, nil
}

var sum = lazyregexp.New(`^[0-9a-f]{64}$`)

func (t *Target) launch() (*Launch, error) {
	u, err := url.Parse(t.Archive)
	if err != nil || u.Host == "" || u.User != nil {
		return nil, errors.New("the archive has no proper URL")
	}
	if _, err := kindOf(u.Path); err != nil {
		return nil, err
	}
	digest := strings.ToLower(t.SHA256)
	if digest != "" && !sum().MatchString(digest) {
		return nil, errors.New("the sha256 must be 64 hexadecimal digits")
	}
	cmd := path.Clean(strings.ReplaceAll(t.Cmd, `\`, "/"))
	if t.Cmd == "" || cmd == "." || strings.Contains(cmd, ":") || !filepath.IsLocal(filepath.FromSlash(cmd)) {
		return nil, fmt.Errorf("the command %.100q is not in the archive", t.Cmd)
	}
	return &Launch{Way: Binary, Command: cmd, Args: slices.Clone(t.Args), Env: t.Env, Archive: t.Archive, SHA256: digest}, nil
}

// maxArgs and maxText bound what goes into a command line, in words and bytes.
const (
	maxArgs = 100
	maxText = 4096
)

var envName = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_]*$`)

// check refuses what could hide something from the user who is shown it, or
// could not be a command line.
func (l *Launch) check() error {
	if len(l.Args) > maxArgs || len(l.Env) > maxArgs {
		return fmt.Errorf("it has more than %d arguments or variables", maxArgs)
	}
	for _, text := range append([]string{l.Command, l.Archive}, l.Args...) {
		if isHiding(text) || len(text) > maxText {
			return fmt.Errorf("%.100q is too long, or has control characters", text)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(l.Env)) {
		if !envName().MatchString(name) || isHiding(l.Env[name]) || len(l.Env[name]) > maxText {
			return fmt.Errorf("the variable %.100q is wrong, too long, or has control characters", name)
		}
	}
	return nil
}

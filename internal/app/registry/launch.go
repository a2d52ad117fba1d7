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

// Ways returns the ways in order of preference. A program comes first, because it needs
// nothing else on the machine.
func Ways() []string { return []string{Binary, NPX, UVX} }

// A Launch says how to run an agent.
type Launch struct {
	Way     string
	Command string // for a Binary, its path in the archive, with slashes
	Args    []string
	Env     map[string]string
	Archive string // the URL of a Binary's archive
	SHA256  string // of the archive, in lower case; "" if unknown
}

// Platform returns the registry's name for a platform.
func Platform(goos, goarch string) string {
	if cpu, ok := map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[goarch]; ok {
		goarch = cpu
	}
	return goos + "-" + goarch
}

// Launch returns how to run an agent on a platform: in the given way, or in the preferred
// one if way is "". It validates everything that it returns.
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
		return nil, fmt.Errorf("%s is not available for %s, only for %s", e.ID, platform, strings.Join(platforms(d.Binary), ", "))
	default:
		return nil, fmt.Errorf("%s is not available as %s for %s", e.ID, way, platform)
	}
	if err == nil {
		err = l.check()
	}
	if err != nil {
		return nil, fmt.Errorf("invalid registry entry for %s: %w", e.ID, err)
	}
	return l, nil
}

// platforms returns the platform names that are safe to show.
func platforms(targets map[string]Target) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(targets)), func(name string) bool { return !entryID().MatchString(strings.ReplaceAll(name, "_", "-")) })
}

var (
	// A name can't start with a dash, and is neither a path nor a URL.
	npmPackage  = lazyregexp.New(`^((?:@[a-z0-9][a-z0-9._-]*/)?[a-zA-Z0-9][a-zA-Z0-9._-]*)(?:@([0-9A-Za-z][0-9A-Za-z.+-]*))?$`)
	pypiPackage = lazyregexp.New(`^([A-Za-z0-9][A-Za-z0-9._-]*(?:\[[A-Za-z0-9,._-]+\])?)(?:(?:==|@)([0-9A-Za-z][0-9A-Za-z.+!-]*))?$`)
	// pinned matches a version, as opposed to a tag whose meaning changes.
	pinned = lazyregexp.New(`^[0-9]`)
)

// launch pins the package to its own version, or to the entry's version if it has none.
func (p *Package) launch(way string, name *regexp.Regexp, version string) (*Launch, error) {
	m := name.FindStringSubmatch(p.Package)
	if m == nil || len(p.Package) > 300 {
		return nil, fmt.Errorf("%.100q is not a valid package for %s", p.Package, way)
	}
	if pinned().MatchString(m[2]) {
		version = m[2]
	}
	args := []string{m[1] + "@" + version}
	if way == NPX {
		// npx would ask on stdin, which carries the protocol.
		args = append([]string{"--yes"}, args...)
	}
	return &Launch{Way: way, Command: way, Args: append(args, p.Args...), Env: p.Env}, nil
}

var sum = lazyregexp.New(`^[0-9a-f]{64}$`)

func (t *Target) launch() (*Launch, error) {
	u, err := url.Parse(t.Archive)
	if err != nil || u.Host == "" || u.User != nil {
		return nil, errors.New("the archive's URL is invalid")
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

// maxArgs and maxText limit a command line: the number of words, and the bytes per word.
const (
	maxArgs = 100
	maxText = 4096
)

var envName = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_]*$`)

// check refuses a launch that could hide something from the user, or can't be a command
// line.
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
			return fmt.Errorf("the variable %.100q is invalid, too long, or has control characters", name)
		}
	}
	return nil
}

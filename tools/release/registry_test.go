package main

import (
	"encoding/json"
	"encoding/xml"
	"flag"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write editors/registry/agent.json anew")

// wrong returns what the registry would refuse in an entry. These are its rules
// in our words: those of its schema, and those that its checks add, except for
// checks that need the network.
func wrong(text []byte) []string {
	var e struct {
		ID, Name, Version, Description, Repository, License, Icon string
		Authors                                                   []string
		Distribution                                              map[string]map[string]map[string]any
	}
	var all []string
	add := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	if err := json.Unmarshal(text, &e); err != nil {
		return []string{err.Error()}
	}
	if !regexp.MustCompile(`^[a-z][a-z0-9-]*$`).MatchString(e.ID) {
		add("id %q", e.ID)
	}
	if !versionPattern.MatchString(e.Version) {
		add("version %q", e.Version)
	}
	if e.Name == "" || e.Description == "" {
		add("name %q, description %q", e.Name, e.Description)
	}
	if u, err := url.Parse(e.Repository); err != nil || !u.IsAbs() {
		add("repository %q", e.Repository)
	}
	if len(e.Distribution) != 1 || e.Distribution["binary"] == nil {
		return append(all, "distribution is not binary alone")
	}
	systems := map[string]bool{}
	for name, t := range e.Distribution["binary"] {
		system, arch, _ := strings.Cut(name, "-")
		systems[system] = true
		if !slices.Contains([]string{"darwin", "linux", "windows"}, system) || !slices.Contains([]string{"aarch64", "x86_64"}, arch) {
			add("platform %q", name)
		}
		archive, _ := t["archive"].(string)
		if u, err := url.Parse(archive); err != nil || u.Scheme != "https" || strings.Contains(archive, "/latest/") {
			add("%s: archive %q", name, archive)
		}
		if !strings.Contains(archive, "/download/v"+e.Version+"/") {
			add("%s: %q is not of version %s", name, archive, e.Version)
		}
		if cmd, _ := t["cmd"].(string); cmd == "" {
			add("%s: no cmd", name)
		}
		for member := range maps.Keys(t) {
			if !slices.Contains([]string{"archive", "cmd", "args", "env"}, member) {
				add("%s: unknown %q", name, member)
			}
		}
	}
	if len(systems) < 3 {
		add("not for every system: %v", systems)
	}
	return all
}

// kept is the path of a file for the registry in the source.
func kept(name string) string { return filepath.Join(repository, "editors", "registry", name) }

// nextVersion is the version that this source is or will become.
func nextVersion(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(repository, "internal", "app", "cli", "version.go"))
	require.NoError(t, err)
	found := regexp.MustCompile(`release = "([^"]+)"`).FindSubmatch(text)
	require.NotNil(t, found)
	return string(found[1])
}

func TestTheKeptEntryIsThatOfTheNextRelease(t *testing.T) {
	want, err := newEntry(nextVersion(t), platforms).text()
	require.NoError(t, err)
	if *update {
		require.NoError(t, os.WriteFile(kept(entryName), want, 0o644))
	}
	got, err := os.ReadFile(kept(entryName))
	require.NoError(t, err)
	require.Equal(t, string(want), string(got), "go test ./... -update in tools/release writes it anew")
}

func TestTheRegistryTakesTheEntry(t *testing.T) {
	text, err := os.ReadFile(kept(entryName))
	require.NoError(t, err)
	require.Empty(t, wrong(text))
}

func TestTheRegistryWouldNotTakeAnEntryThatIsWrong(t *testing.T) {
	good, err := newEntry("1.2.3", platforms).text()
	require.NoError(t, err)
	require.Empty(t, wrong(good))
	for _, change := range [][2]string{
		{`"turnwire"`, `"Turnwire"`},
		{`"version": "1.2.3"`, `"version": "1.2"`},
		{`"version": "1.2.3"`, `"version": "1.2.4"`},
		{`"Turnwire"`, `""`},
		{`https://github.com/turnwire/turnwire"`, `turnwire"`},
		{`"binary": {`, `"npx": {}, "binary": {`},
		{`download/v1.2.3`, `latest/download`},
		{`linux-x86_64`, `linux-amd64`},
		{`windows-`, `linux-`},
		{`"cmd": "./turnwire"`, `"cmd": ""`},
		{`"cmd"`, `"command"`},
		{`https://github.com/turnwire/turnwire/releases`, `http://github.com/turnwire/turnwire/releases`},
	} {
		bad := strings.ReplaceAll(string(good), change[0], change[1])
		require.NotEqual(t, string(good), bad, "%q is not in the entry", change[0])
		require.NotEmpty(t, wrong([]byte(bad)), change)
	}
}

func TestOnlyAWholeReleaseHasAnEntry(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, writeEntry(&source{version: "1.2.3-dev.0123456789ab"}, platforms, dir))
	require.NoError(t, writeEntry(&source{version: "1.2.3", tagged: true}, platforms[:2], dir))
	require.NoFileExists(t, filepath.Join(dir, entryName))

	root, err := filepath.Abs(repository)
	require.NoError(t, err)
	require.NoError(t, writeEntry(&source{dir: root, version: nextVersion(t), tagged: true}, platforms, dir))
	require.FileExists(t, filepath.Join(dir, entryName))
	err = writeEntry(&source{dir: root, version: "99.0.0", tagged: true}, platforms, dir)
	require.ErrorContains(t, err, "editors/registry/agent.json")
}

func TestTheIconFitsIntoEveryTheme(t *testing.T) {
	f, err := os.Open(kept("icon.svg"))
	require.NoError(t, err)
	defer f.Close()
	painted := 0
	first := true
	for d := xml.NewDecoder(f); ; {
		token, err := d.Token()
		if token == nil {
			break
		}
		require.NoError(t, err)
		element, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		attributes := map[string]string{}
		for _, a := range element.Attr {
			attributes[a.Name.Local] = a.Value
		}
		if first {
			require.Equal(t, "svg", element.Name.Local)
			require.Equal(t, []string{"16", "16", "0 0 16 16"}, []string{attributes["width"], attributes["height"], attributes["viewBox"]})
			first = false
		}
		require.NotContains(t, attributes, "style")
		for _, paint := range []string{"fill", "stroke"} {
			if value, ok := attributes[paint]; ok {
				require.Contains(t, []string{"currentColor", "none"}, value)
				painted++
			}
		}
	}
	require.Positive(t, painted)
}

package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// The program of the package turnwire: it starts that of the platform's package.
//
//go:embed npm.js
var npmProgram []byte

// nodeOS and nodeArch are Node's names of what differs from Go's.
var (
	nodeOS   = map[string]string{"windows": "win32"}
	nodeArch = map[string]string{"amd64": "x64"}
)

func or(names map[string]string, name string) string {
	if other := names[name]; other != "" {
		return other
	}
	return name
}

// node is the platform in Node's terms.
func (p platform) node() string { return or(nodeOS, p.os) + "-" + or(nodeArch, p.arch) }

// npm is the file of the platform's package. Without a platform it is the one
// that users install.
func (p platform) npm(version string) string {
	return "npm-turnwire-" + p.node() + "-" + version + ".tgz"
}

func wrapper(version string) string { return "npm-turnwire-" + version + ".tgz" }

// A manifest is a package.json.
type manifest struct {
	Name        string            `json:"name"`
	Version     string            `json:"version"`
	Description string            `json:"description"`
	License     string            `json:"license"`
	Repository  string            `json:"repository"`
	OS          []string          `json:"os,omitempty"`
	CPU         []string          `json:"cpu,omitempty"`
	Bin         map[string]string `json:"bin,omitempty"`
	Engines     map[string]string `json:"engines,omitempty"`
	Optional    map[string]string `json:"optionalDependencies,omitempty"`
}

func newManifest(name, version string) manifest {
	return manifest{
		Name: name, Version: version, License: "Apache-2.0", Repository: repositoryURL,
		Description: "Connects agents to editors that speak the Agent Client Protocol",
	}
}

// writePackage writes the package of a platform: its program and the licences.
func writePackage(p platform, version string, files []file, when time.Time, dir string) error {
	m := newManifest("@turnwire/"+p.node(), version)
	m.OS, m.CPU = []string{or(nodeOS, p.os)}, []string{or(nodeArch, p.arch)}
	inside := pick(files, p.binary(), "LICENSE", "THIRD-PARTY-LICENSES")
	return writeNPM(filepath.Join(dir, p.npm(version)), m, inside, when)
}

// writeWrapper writes the package turnwire. It downloads nothing and has no
// install script: npm itself installs, of the packages that it may depend on,
// the one whose os and cpu are right.
func writeWrapper(version string, docs []file, when time.Time, dir string) error {
	m := newManifest("turnwire", version)
	m.Bin = map[string]string{"turnwire": "bin/turnwire.js"}
	m.Engines = map[string]string{"node": ">=18"}
	m.Optional = map[string]string{}
	for _, p := range platforms {
		m.Optional["@turnwire/"+p.node()] = version
	}
	inside := append(pick(docs, "LICENSE", "README.md"), file{"bin/turnwire.js", 0o755, npmProgram})
	return writeNPM(filepath.Join(dir, wrapper(version)), m, inside, when)
}

// pick returns the files with these names.
func pick(files []file, names ...string) []file {
	return slices.DeleteFunc(slices.Clone(files), func(f file) bool { return !slices.Contains(names, f.name) })
}

func writeNPM(path string, m manifest, files []file, when time.Time) error {
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	files = append(files, file{"package.json", 0o644, append(text, '\n')})
	for i := range files {
		files[i].name = "package/" + files[i].name // as npm has it
	}
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.name, b.name) })
	var out bytes.Buffer
	if err := writeCompressedTar(&out, files, when); err != nil {
		return err
	}
	return os.WriteFile(path, out.Bytes(), 0o644)
}

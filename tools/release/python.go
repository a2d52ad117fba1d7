package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// pyVersion is a version in the form of Python. The mark of a commit that is no
// release makes it one before the release, which no index takes.
func pyVersion(version string) string { return strings.Replace(version, "-dev.", ".dev0+g", 1) }

// A pyProject is what pyproject.toml says of a package, as far as a wheel says it.
type pyProject struct {
	Name        string
	Description string
	Readme      string
	Requires    string `toml:"requires-python"`
	License     struct{ Text string }
	Keywords    []string
	Classifiers []string
	URLs        map[string]string
}

// writePython writes the wheel and the source distribution. Nothing is compiled,
// so the wheel is the sources, what the package is, and a list of both.
func (s *source) writePython(dir string) error {
	version := pyVersion(s.version)
	files, err := s.emitter("python", version, map[string]string{"src/turnwire/__init__.py": "\n__version__ = \"%s\"\n"})
	if err != nil {
		return err
	}
	named := func(name string) []byte {
		if found := pick(files, name); len(found) == 1 {
			return found[0].data
		}
		return nil
	}
	var about struct{ Project pyProject }
	if err := toml.Unmarshal(named("pyproject.toml"), &about); err != nil {
		return err
	}
	p := about.Project
	stem := strings.ReplaceAll(p.Name, "-", "_") + "-" + version
	text := p.metadata(version, named(p.Readme))

	source := append(slices.Clone(files), file{"PKG-INFO", 0o644, text})
	if err := s.writeTarball(filepath.Join(dir, stem+".tar.gz"), below(source, "", stem+"/")); err != nil {
		return err
	}
	info := stem + ".dist-info/"
	wheel := append(below(files, "src/", ""),
		file{info + "METADATA", 0o644, text},
		file{info + "WHEEL", 0o644, []byte("Wheel-Version: 1.0\nGenerator: turnwire\nRoot-Is-Purelib: true\nTag: py3-none-any\n")},
		file{info + "licenses/LICENSE", 0o644, named("LICENSE")})
	wheel = append(wheel, file{info + "RECORD", 0o644, record(wheel, info+"RECORD")})
	var out bytes.Buffer
	if err := writeZip(&out, wheel, s.time); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, stem+"-py3-none-any.whl"), out.Bytes(), 0o644)
}

// metadata is the file METADATA of a wheel, and PKG-INFO of a source distribution.
func (p *pyProject) metadata(version string, readme []byte) []byte {
	var b bytes.Buffer
	say := func(name, value string) { fmt.Fprintf(&b, "%s: %s\n", name, value) }
	say("Metadata-Version", "2.1")
	say("Name", p.Name)
	say("Version", version)
	say("Summary", p.Description)
	say("License", p.License.Text)
	for _, name := range slices.Sorted(maps.Keys(p.URLs)) {
		say("Project-URL", name+", "+p.URLs[name])
	}
	say("Keywords", strings.Join(p.Keywords, ","))
	for _, c := range p.Classifiers {
		say("Classifier", c)
	}
	say("Requires-Python", p.Requires)
	say("Description-Content-Type", "text/markdown")
	say("License-File", "LICENSE")
	b.WriteString("\n")
	b.Write(readme)
	return b.Bytes()
}

// record is the list of the files of a wheel, with their checksums.
func record(files []file, itself string) []byte {
	var b bytes.Buffer
	for _, f := range files {
		sum := sha256.Sum256(f.data)
		fmt.Fprintf(&b, "%s,sha256=%s,%d\n", f.name, base64.RawURLEncoding.EncodeToString(sum[:]), len(f.data))
	}
	fmt.Fprintf(&b, "%s,,\n", itself)
	return b.Bytes()
}

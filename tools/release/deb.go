package main

import (
	"bytes"
	"crypto/md5"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const maintainer = "The Turnwire authors <turnwire@users.noreply.github.com>"

func (p platform) deb(version string) string { return p.stem(version) + ".deb" }

// debVersion is a version in Debian's order: a pre-release is before its release.
func debVersion(version string) string { return strings.Replace(version, "-", "~", 1) }

// writeDeb writes the Debian package of a platform, with the files of its
// archive where Debian has them. It is an ar archive of two compressed tar
// files, deb(5), and is written here so that its bytes depend on nothing else.
func writeDeb(p platform, version string, files []file, when time.Time, dir string) error {
	data, err := debFiles(version, files, when)
	if err != nil {
		return err
	}
	var sums strings.Builder
	size := 0
	for _, f := range data {
		fmt.Fprintf(&sums, "%x  %s\n", md5.Sum(f.data), f.name) // the format has no other sum
		size += len(f.data)
	}
	control := fmt.Sprintf(`Package: turnwire
Version: %s
Architecture: %s
Maintainer: %s
Installed-Size: %d
Section: utils
Priority: optional
Homepage: %s
Description: connect agents to editors that speak the Agent Client Protocol
 Any program that prints JSON lines becomes an agent in Zed, VS Code, Neovim,
 JetBrains IDEs and Emacs. Turnwire is one binary that an editor starts. Behind
 it runs an agent that prints what it does as events.
`, debVersion(version), p.arch, maintainer, (size+1023)/1024, repositoryURL)
	out := bytes.NewBufferString("!<arch>\n")
	member := func(name string, content []byte) {
		fmt.Fprintf(out, "%-16s%-12d%-6d%-6d%-8s%-10d`\n", name, when.Unix(), 0, 0, "100644", len(content))
		out.Write(content)
		if len(content)%2 == 1 {
			out.WriteByte('\n')
		}
	}
	member("debian-binary", []byte("2.0\n"))
	for _, m := range []struct {
		name  string
		files []file
	}{
		{"control.tar.gz", []file{{"control", 0o644, []byte(control)}, {"md5sums", 0o644, []byte(sums.String())}}},
		{"data.tar.gz", data},
	} {
		var content bytes.Buffer
		if err := writeCompressedTar(&content, withFolders(m.files), when); err != nil {
			return err
		}
		member(m.name, content.Bytes())
	}
	return os.WriteFile(filepath.Join(dir, p.deb(version)), out.Bytes(), 0o644)
}

// debFiles puts the files of an archive where Debian has them.
func debFiles(version string, files []file, when time.Time) ([]file, error) {
	const docs = "usr/share/doc/turnwire/"
	changes := fmt.Sprintf("turnwire (%s) unstable; urgency=medium\n\n  * See CHANGELOG.md.\n\n -- %s  %s\n",
		debVersion(version), maintainer, when.Format(time.RFC1123Z))
	compressed, err := zipped([]byte(changes))
	if err != nil {
		return nil, err
	}
	data := []file{
		{docs + "changelog.gz", 0o644, compressed},
		{docs + "copyright", 0o644, fmt.Appendf(nil, debCopyright, when.Year())},
		// Debian wants shared libraries, which Go has none of.
		{"usr/share/lintian/overrides/turnwire", 0o644, []byte("turnwire: statically-linked-binary [usr/bin/turnwire]\n")},
	}
	for _, f := range files {
		switch base := path.Base(f.name); {
		case f.name == "turnwire":
			f.name = "usr/bin/turnwire"
		case strings.HasPrefix(f.name, "man/"):
			if f.data, err = zipped(f.data); err != nil {
				return nil, err
			}
			f.name = "usr/share/" + f.name + ".gz"
		case f.name == "completions/bash/"+base:
			f.name = "usr/share/bash-completion/completions/" + base
		case f.name == "completions/zsh/"+base:
			f.name = "usr/share/zsh/vendor-completions/" + base
		case f.name == "completions/fish/"+base:
			f.name = "usr/share/fish/vendor_completions.d/" + base
		case f.name == "LICENSE" || strings.HasPrefix(f.name, "completions/"):
			continue // the licence is in every Debian, and PowerShell in none
		default:
			f.name = docs + f.name
		}
		data = append(data, f)
	}
	slices.SortFunc(data, func(a, b file) int { return strings.Compare(a.name, b.name) })
	return data, nil
}

const debCopyright = `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Turnwire
Source: ` + repositoryURL + `

Files: *
Copyright: %d The Turnwire authors
License: Apache-2.0
 On Debian systems the text is in /usr/share/common-licenses/Apache-2.0. The
 licences of the modules in the program are in THIRD-PARTY-LICENSES.
`

// withFolders adds the folders of files, each before what is in it: dpkg makes
// none that it is not told of.
func withFolders(files []file) []file {
	all := []file{{name: "./", mode: fs.ModeDir | 0o755}}
	known := map[string]bool{".": true}
	var enter func(dir string)
	enter = func(dir string) {
		if !known[dir] {
			known[dir] = true
			enter(path.Dir(dir))
			all = append(all, file{name: "./" + dir + "/", mode: fs.ModeDir | 0o755})
		}
	}
	for _, f := range files {
		enter(path.Dir(f.name))
		f.name = "./" + f.name
		all = append(all, f)
	}
	return all
}

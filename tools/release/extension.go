package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// writeExtension writes the extension for a platform, with the program and the licences of
// its modules from the platform's npm package, npm-turnwire-PLATFORM-VERSION.tgz: VS Code
// and npm have the same names for platforms. The rest comes from the package for all
// platforms.
func (c commit) writeExtension(npm string) (err error) {
	end := "-" + c.version
	platform := strings.TrimSuffix(strings.TrimPrefix(npm, "npm-turnwire-"), end+".tgz")
	files, err := readPackage(npm)
	if err != nil {
		return err
	}
	common, err := zip.OpenReader("turnwire-vscode" + end + ".vsix.zip")
	if err != nil {
		return err
	}
	defer func() { _ = common.Close() }()
	f, err := os.Create("turnwire-vscode-" + platform + end + ".vsix")
	if err != nil {
		return err
	}
	w := zip.NewWriter(f)
	defer func() { err = errors.Join(err, w.Close(), f.Close()) }()
	for _, entry := range common.File {
		if err := c.copyEntry(w, entry, platform); err != nil {
			return err
		}
	}
	program := "turnwire"
	if strings.HasPrefix(platform, "win32") {
		program += ".exe"
	}
	if files[program] == nil {
		return fmt.Errorf("it has no %s", program)
	}
	return errors.Join(
		c.writeEntry(w, "extension/THIRD-PARTY-LICENSES", 0o644, files["THIRD-PARTY-LICENSES"]),
		c.writeEntry(w, "extension/bin/"+program, 0o755, files[program]),
	)
}

// copyEntry copies a file of the package for all platforms. The manifests say for which
// platform the package is, and that it has a program.
func (c commit) copyEntry(w *zip.Writer, entry *zip.File, platform string) error {
	changes := map[string][2]string{
		"extension.vsixmanifest": {` Publisher="turnwire" />`, ` Publisher="turnwire" TargetPlatform="` + platform + `" />`},
		"[Content_Types].xml":    {"</Types>", `<Default Extension=".exe" ContentType="application/x-msdownload"/></Types>`},
	}
	change, ok := changes[entry.Name]
	if !ok {
		return w.Copy(entry)
	}
	r, err := entry.Open()
	if err != nil {
		return err
	}
	defer func() { _ = r.Close() }()
	text, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	if bytes.Count(text, []byte(change[0])) != 1 {
		return fmt.Errorf("%s does not have %q once", entry.Name, change[0])
	}
	return c.writeEntry(w, entry.Name, 0o644, bytes.Replace(text, []byte(change[0]), []byte(change[1]), 1))
}

func (c commit) writeEntry(w *zip.Writer, name string, mode os.FileMode, data []byte) error {
	h := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: c.time}
	h.SetMode(mode)
	entry, err := w.CreateHeader(h)
	if err != nil {
		return err
	}
	_, err = entry.Write(data)
	return err
}

// readPackage returns the files of an npm package, by their names in it.
func readPackage(file string) (map[string][]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	files := make(map[string][]byte)
	for t := tar.NewReader(z); ; {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return files, nil
		}
		if err != nil {
			return nil, err
		}
		if files[strings.TrimPrefix(h.Name, "package/")], err = io.ReadAll(t); err != nil {
			return nil, err
		}
	}
}

// Release makes the files of a release:
//
//	go run . [-source REPOSITORY] [-out FOLDER] [-platforms OS/ARCH,…]
//
// For each platform there is an archive with the program, its licence and those
// of its modules, the manual pages and the completions, and there is a bill of
// materials (CycloneDX) and a package for npm; for Linux, a Debian package and
// a container image too. The npm package without a platform chooses among those
// that have one. The extension for VS Code and the packages of the libraries in
// sdk (a wheel and a source distribution, one for npm, a crate) are for all
// platforms; npm makes two of them, with what their lock files name. SHA256SUMS has
// the checksums of all files. A complete release has agent.json, the entry for the
// registry of ACP agents, and turnwire.rb, the formula for Homebrew.
//
// # Contract
//
// A release is made only from a commit: the same commit gives the same bytes,
// on every machine and at any time. The commit names the version of Go, and it
// is an error if that version is not installed. Uncommitted changes are not
// included. The folder must be empty, and nothing is written to it unless
// everything succeeds.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
)

type options struct {
	source    string
	out       string
	platforms []platform
}

func main() {
	o := options{platforms: platforms}
	flag.StringVar(&o.source, "source", "../..", "the `REPOSITORY` whose HEAD is released")
	flag.StringVar(&o.out, "out", "../../dist", "the `FOLDER` to write to")
	flag.Func("platforms", "only these `OS/ARCH`, separated by commas", func(list string) (err error) {
		o.platforms, err = parsePlatforms(list)
		return err
	})
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := release(ctx, o)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func release(ctx context.Context, o options) error {
	if err := requireEmpty(o.out); err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "turnwire-release-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }()
	src, err := checkOut(ctx, o.source, filepath.Join(work, "source"))
	if err != nil {
		return err
	}
	fmt.Printf("turnwire %s, commit %s of %s\n", src.version, src.commit[:12], src.time.Format("2006-01-02"))
	docs, err := src.documents(ctx, filepath.Join(work, "documents"))
	if err != nil {
		return err
	}
	made := filepath.Join(work, "made")
	if err := os.Mkdir(made, 0o755); err != nil {
		return err
	}
	for _, p := range o.platforms {
		if err := src.pack(ctx, p, docs, filepath.Join(work, p.String()), made); err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
	}
	if err := writeWrapper(src.version, docs, src.time, made); err != nil {
		return err
	}
	if err := src.writeEmitters(ctx, made); err != nil {
		return err
	}
	if err := src.writeExtension(ctx, made); err != nil {
		return err
	}
	if err := writeFormula(src, o.platforms, made); err != nil {
		return err
	}
	if err := writeEntry(src, o.platforms, made); err != nil {
		return err
	}
	if err := writeChecksums(made); err != nil {
		return err
	}
	if err := os.MkdirAll(o.out, 0o755); err != nil {
		return err
	}
	return os.CopyFS(o.out, os.DirFS(made))
}

// pack makes the files of a platform, in the folder made.
func (s *source) pack(ctx context.Context, p platform, docs []file, work, made string) error {
	binary := filepath.Join(work, p.binary())
	if err := s.build(ctx, p, binary); err != nil {
		return err
	}
	program, err := os.ReadFile(binary)
	if err != nil {
		return err
	}
	notices, err := s.notices(ctx, binary)
	if err != nil {
		return err
	}
	files := append([]file{
		{name: p.binary(), mode: 0o755, data: program},
		{name: "THIRD-PARTY-LICENSES", mode: 0o644, data: notices},
	}, docs...)
	archive := filepath.Join(made, p.archive(s.version))
	if err := writeArchive(archive, files, s.time); err != nil {
		return err
	}
	if err := s.bill(ctx, binary, filepath.Join(made, p.bill(s.version))); err != nil {
		return err
	}
	if err := writePackage(p, s.version, files, s.time, made); err != nil {
		return err
	}
	if p.os == "linux" {
		if err := writeDeb(p, s.version, files, s.time, made); err != nil {
			return err
		}
		if err := writeImage(p, s.version, s.commit, files, s.time, made); err != nil {
			return err
		}
	}
	info, err := os.Stat(archive)
	if err != nil {
		return err
	}
	fmt.Printf("  %-46s %5.1f MB\n", filepath.Base(archive), float64(info.Size())/1e6)
	return nil
}

func requireEmpty(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && len(entries) > 0 {
		err = fmt.Errorf("%s is not empty: remove it (make clean), or name another folder with -out", dir)
	}
	return err
}

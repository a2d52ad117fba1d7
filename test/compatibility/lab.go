package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/turnwire/turnwire/internal/agent/transport/child"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// Limits are generous: they only end what hangs.
const (
	installLimit = 15 * time.Minute
	rowLimit     = 30 * time.Minute
)

// A lab is where programs are installed and run. All of its folders are outside the
// checkout.
type lab struct {
	root     string // the checkout
	cache    string
	turnwire string        // the binary
	version  string        // its version
	limit    time.Duration // of each step
}

// openLab builds the binary.
func openLab(ctx context.Context, stepLimit time.Duration) (*lab, error) {
	root, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	l := &lab{root: root, cache: filepath.Join(cache, "turnwire", "compatibility"), limit: stepLimit}
	for _, name := range []string{"programs", "homes", "logs", "results"} {
		if err := os.MkdirAll(filepath.Join(l.cache, name), 0o700); err != nil {
			return nil, err
		}
	}
	l.turnwire = filepath.Join(l.cache, "turnwire")
	if _, err := l.command(ctx, program{dir: root, words: []string{"go", "build", "-o", l.turnwire, "."}}); err != nil {
		return nil, err
	}
	version, err := l.command(ctx, program{words: []string{"git", "-C", root, "log", "-1", "--format=%h"}})
	l.version = strings.TrimSpace(string(version))
	return l, err
}

// folder returns the path of a file or folder in the cache.
func (l *lab) folder(kind, name string) string { return filepath.Join(l.cache, kind, name) }

// A program is a command to run to its end. Without env it gets this process's
// environment.
type program struct {
	words []string
	dir   string
	env   []string
}

// command runs a program, ends all of its processes, and returns its output. The error
// of one that fails contains its last line.
func (l *lab) command(ctx context.Context, p program) ([]byte, error) {
	c, err := child.Start(child.Spec{Args: p.words, Dir: p.dir, Env: p.env, MergeStderr: true})
	if err != nil {
		return nil, err
	}
	defer context.AfterFunc(ctx, c.Kill)()
	out, readErr := io.ReadAll(c.Stdout())
	status := c.Wait()
	switch {
	case ctx.Err() != nil:
		return out, fmt.Errorf("%s: %w", filepath.Base(p.words[0]), context.Cause(ctx))
	case status.Code != 0:
		return out, fmt.Errorf("%s: %s: %s", filepath.Base(p.words[0]), status, lastLine(out))
	}
	return out, readErr
}

func lastLine(text []byte) string {
	text = bytes.TrimSpace(text)
	return string(bytes.TrimSpace(text[bytes.LastIndexByte(text, '\n')+1:]))
}

// runAll runs the named agents and clients, or all of them. Only an unknown name and an
// interrupt are errors.
func (l *lab) runAll(ctx context.Context, names []string) error {
	known := subjects()
	for _, name := range names {
		if !slices.ContainsFunc(known, func(s subject) bool { return s.name == name }) {
			return fmt.Errorf("no agent or client %q", name)
		}
	}
	for _, s := range known {
		if s.why != "" || len(names) > 0 && !slices.Contains(names, s.name) {
			continue
		}
		started := time.Now()
		r := l.runOne(ctx, s)
		if ctx.Err() != nil {
			return errors.New("interrupted")
		}
		fmt.Printf("%s %s: %s (%s)\n", s.name, r.Version, r.summary(), time.Since(started).Round(time.Second))
		if err := l.save(s.name, r); err != nil {
			return err
		}
	}
	return nil
}

// runOne runs one agent or client. Any failure is part of the result.
func (l *lab) runOne(ctx context.Context, s subject) result {
	r := result{Date: time.Now().UTC().Format(time.DateOnly), Turnwire: l.version, Cells: map[string]cell{}}
	ctx, cancel := context.WithTimeoutCause(ctx, rowLimit, fmt.Errorf("stopped after %s", rowLimit))
	defer cancel()
	version, err := s.install.run(ctx, l, l.folder("programs", s.name))
	if err != nil {
		r.Why = "it can't be installed: " + err.Error()
		return r
	}
	r.Version = version
	if err := s.run(ctx, l, s.name, r.Cells); err != nil {
		r.Why = err.Error()
	}
	return r
}

// save stores a result for later runs with -only.
func (l *lab) save(name string, r result) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(l.folder("results", name+".json"), text, 0o600)
}

// results returns the stored results by name.
func (l *lab) results() (map[string]result, error) {
	all := map[string]result{}
	for _, s := range subjects() {
		if s.why != "" {
			all[s.name] = result{Why: s.why}
			continue
		}
		text, err := os.ReadFile(l.folder("results", s.name+".json"))
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		var r result
		if err := errors.Join(err, exactjson.Unmarshal(text, &r)); err != nil {
			return nil, fmt.Errorf("the result of %s: %w", s.name, err)
		}
		all[s.name] = r
	}
	return all, nil
}

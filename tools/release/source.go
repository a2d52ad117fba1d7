package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A source is a clone of the repository, with one commit checked out.
type source struct {
	dir     string
	commit  string
	time    time.Time // of the commit
	version string    // without "v"
	tagged  bool      // the commit is the release of that version
}

// checkOut clones the HEAD of a repository into dir. The clone has no tag
// except that of the release: Go derives a version from tags, and the tags that
// a repository happens to have must not matter.
func checkOut(ctx context.Context, repository, dir string) (*source, error) {
	repository, err := filepath.Abs(repository)
	if err != nil {
		return nil, err
	}
	s := &source{dir: dir}
	head, err := output(ctx, repository, nil, "git", "log", "-1", "--format=%H %ct")
	if err != nil {
		return nil, err
	}
	commit, seconds, _ := strings.Cut(head, " ")
	epoch, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return nil, fmt.Errorf("git gave %q as the time of the commit: %w", seconds, err)
	}
	s.commit, s.time = commit, time.Unix(epoch, 0).UTC()
	tags, err := output(ctx, repository, nil, "git", "tag", "--points-at", "HEAD")
	if err != nil {
		return nil, err
	}
	for _, args := range [][]string{
		{"clone", "--quiet", "--shared", "--no-checkout", "--no-tags", repository, dir},
		// The bytes must be those of the commit even if Git would change line
		// ends.
		{"-C", dir, "-c", "core.autocrlf=false", "checkout", "--quiet", "--detach", commit},
	} {
		if _, err := output(ctx, repository, nil, "git", args...); err != nil {
			return nil, err
		}
	}
	if err := s.requireToolchain(ctx); err != nil {
		return nil, err
	}
	if s.version, s.tagged, err = s.readVersion(ctx, strings.Fields(tags)); err != nil {
		return nil, err
	}
	if s.tagged {
		_, err = output(ctx, dir, nil, "git", "tag", "v"+s.version)
	}
	return s, err
}

func (s *source) readVersion(ctx context.Context, tags []string) (string, bool, error) {
	out, err := s.goTool(ctx, "run", ".", "version")
	if err != nil {
		return "", false, err
	}
	words := strings.Fields(out)
	if len(words) < 2 {
		return "", false, fmt.Errorf("turnwire version printed %q, which holds no version", out)
	}
	return versionOf(words[1], tags, s.commit)
}

var (
	versionPattern    = regexp.MustCompile(`^[0-9]+\.[0-9]+\.[0-9]+$`)
	versionTagPattern = regexp.MustCompile(`^v[0-9]`)
)

// versionOf returns the version of a commit whose source says that it is, or
// will become, the version said. With a tag it is that version, and without one
// a pre-release of it.
func versionOf(said string, tags []string, commit string) (version string, tagged bool, err error) {
	if !versionPattern.MatchString(said) {
		return "", false, fmt.Errorf("internal/app/cli/version.go says %q, which is not of the form 1.2.3", said)
	}
	if slices.Contains(tags, "v"+said) {
		return said, true, nil
	}
	if i := slices.IndexFunc(tags, versionTagPattern.MatchString); i >= 0 {
		return "", false, fmt.Errorf("the tag is %s, but internal/app/cli/version.go says %s: change one of them", tags[i], said)
	}
	return said + "-dev." + commit[:12], false, nil
}

// goTool runs Go in the source, with an environment that does not depend on the
// user. It returns what Go prints.
func (s *source) goTool(ctx context.Context, args ...string) (string, error) {
	return output(ctx, s.dir, s.environment(), "go", args...)
}

// environment overrides everything that would change the bytes. No variable is
// set to empty, because Go would then read it from the settings of `go env -w`.
func (s *source) environment() []string {
	return []string{
		"CGO_ENABLED=0", "GOAMD64=v1", "GOARM64=v8.0", "GOFLAGS=-trimpath", "GOWORK=off", "GOTOOLCHAIN=local",
		"SOURCE_DATE_EPOCH=" + strconv.FormatInt(s.time.Unix(), 10), "TZ=UTC", "LC_ALL=C",
	}
}

// output returns what a command prints to stdout, without the last line end.
// Its error includes what the command prints to stderr.
func output(ctx context.Context, dir string, env []string, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(cmd.Environ(), env...)
	out, err := cmd.Output()
	if err != nil {
		said := ""
		if failed, ok := errors.AsType[*exec.ExitError](err); ok {
			said = "\n" + strings.TrimSpace(string(failed.Stderr))
		}
		return "", fmt.Errorf("%s: %w%s", strings.Join(append([]string{name}, args...), " "), err, said)
	}
	return strings.TrimRight(string(out), "\r\n"), nil
}

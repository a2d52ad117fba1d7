package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/turnwire/turnwire/agent"
)

// Limits of a search.
const (
	maxHits       = 200
	maxHitText    = 200      // shown characters of a line
	maxHitPlaces  = 20       // hits that the editor can jump to
	maxSearch     = 64 << 20 // total bytes read
	maxExpression = 1000     // length of a pattern or glob, in bytes
)

// errEnough ends a walk that has reached a limit.
var errEnough = errors.New("enough")

// searchStep searches the text files of the workspace.
type searchStep struct{ pattern, glob string }

type searchArgs struct {
	Pattern string `json:"pattern"`
	Glob    string `json:"glob,omitempty"`
}

func (s searchStep) run(t *turn) outcome {
	title := "Search for " + shorten(s.pattern, 80)
	if s.glob != "" {
		title += " in " + shorten(s.glob, 80)
	}
	c := t.newCall("search_files", searchArgs{s.pattern, s.glob}, agent.View{Title: title, Kind: "search"})
	c.start()
	f, err := newFinder(s)
	if err != nil {
		return c.fail(err)
	}
	all, err := t.session.files.walk(t.ctx, f.visitor(t.ctx))
	if err != nil && !errors.Is(err, errEnough) {
		return c.fail(fmt.Errorf("search: %w", err))
	}
	c.view.Locations = f.places
	return c.answer(f.report(all && err == nil), "")
}

// A finder collects the matches.
type finder struct {
	expression *regexp.Regexp
	glob       string

	lines   strings.Builder
	places  []agent.Location
	hits    int
	files   int   // searched
	skipped int   // too large, not text, or unreadable
	bytes   int64 // read
}

func newFinder(s searchStep) (*finder, error) {
	if len(s.pattern) > maxExpression || len(s.glob) > maxExpression {
		return nil, fmt.Errorf("the pattern or the glob is longer than %d bytes", maxExpression)
	}
	expression, err := regexp.Compile(s.pattern)
	if err != nil {
		return nil, fmt.Errorf("the pattern is not a regular expression: %w", err)
	}
	if !doublestar.ValidatePattern(s.glob) {
		return nil, fmt.Errorf("the glob %s: %w", s.glob, doublestar.ErrBadPattern)
	}
	return &finder{expression: expression, glob: s.glob}, nil
}

// wants reports whether the glob matches a file. A glob without a slash matches
// the file's name in any directory.
func (f *finder) wants(p place) bool {
	if f.glob == "" {
		return true
	}
	name := filepath.ToSlash(p.rel)
	if !strings.Contains(f.glob, "/") {
		name = path.Base(name)
	}
	return doublestar.MatchUnvalidated(f.glob, name)
}

// visitor returns the function that a walk calls for each file.
func (f *finder) visitor(ctx context.Context) func(place, fs.DirEntry) error {
	return func(p place, e fs.DirEntry) error { return f.searchFile(ctx, p, e) }
}

// searchFile searches one file.
func (f *finder) searchFile(ctx context.Context, p place, e fs.DirEntry) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if !e.Type().IsRegular() || !f.wants(p) {
		return nil
	}
	data, err := p.read()
	if err == nil {
		_, err = checked(p, string(data))
	}
	if err != nil {
		f.skipped++
		return nil
	}
	f.files++
	f.bytes += int64(len(data))
	number := 0
	for line := range strings.Lines(string(data)) {
		number++
		if ctx.Err() != nil {
			return ctx.Err()
		}
		line = strings.TrimRight(line, "\r\n")
		if !f.expression.MatchString(line) {
			continue
		}
		if f.hits == maxHits {
			return errEnough
		}
		f.add(p, number, line)
	}
	if f.bytes > maxSearch {
		return errEnough
	}
	return nil
}

func (f *finder) add(p place, number int, line string) {
	f.hits++
	fmt.Fprintf(&f.lines, "%s:%d: %s\n", p.name(), number, clip(line, maxHitText))
	if len(f.places) < maxHitPlaces {
		f.places = append(f.places, agent.Location{Path: p.path(), Line: number})
	}
}

// report returns the result of the search. all means that every searchable file
// was searched.
func (f *finder) report(all bool) string {
	b := &f.lines
	if f.hits > 0 {
		b.WriteByte('\n')
	}
	fmt.Fprintf(b, "%s in %s", plural(f.hits, "line"), plural(f.files, "file"))
	if f.skipped > 0 {
		fmt.Fprintf(b, "; %s too large or without text", plural(f.skipped, "file"))
	}
	if !all {
		b.WriteString("; the search stopped there, and there may be more matches")
	}
	b.WriteString(".\n")
	return b.String()
}

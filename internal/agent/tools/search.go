package tools

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

// A SearchArgs is the arguments of [Search].
type SearchArgs struct {
	Pattern string `json:"pattern"` // a regular expression
	Glob    string `json:"glob,omitempty"`
}

type searchTask SearchArgs

func (k searchTask) view() agent.View {
	title := "Search for " + Shorten(k.Pattern, 80)
	if k.Glob != "" {
		title += " in " + Shorten(k.Glob, 80)
	}
	return agent.View{Title: title, Kind: "search"}
}

func (k searchTask) run(c *call) Result {
	c.start()
	f, err := newFinder(k)
	if err != nil {
		return c.fail(err)
	}
	ctx := c.turn.Context()
	all, err := c.box.files.walk(ctx, f.visitor(ctx))
	if err != nil && !errors.Is(err, errEnough) {
		return c.fail(fmt.Errorf("search: %w", err))
	}
	c.view.Locations = f.places
	return c.succeed(f.report(all && err == nil))
}

// A glob matches files by their path in the workspace. Without a slash it matches the
// file's name in any directory; an empty one matches everything.
type glob string

func newGlob(pattern string) (glob, error) {
	if len(pattern) > maxExpression {
		return "", fmt.Errorf("the glob is longer than %d bytes", maxExpression)
	}
	if !doublestar.ValidatePattern(pattern) {
		return "", fmt.Errorf("the glob %s: %w", pattern, doublestar.ErrBadPattern)
	}
	return glob(pattern), nil
}

func (g glob) matches(p location) bool {
	if g == "" {
		return true
	}
	name := filepath.ToSlash(p.rel)
	if !strings.Contains(string(g), "/") {
		name = path.Base(name)
	}
	return doublestar.MatchUnvalidated(string(g), name)
}

// A finder collects the matches.
type finder struct {
	expression *regexp.Regexp
	glob       glob

	lines   strings.Builder
	places  []agent.Location
	hits    int
	files   int   // searched
	skipped int   // too large, not text, or unreadable
	bytes   int64 // read
}

func newFinder(k searchTask) (*finder, error) {
	switch {
	case k.Pattern == "":
		return nil, errors.New("the pattern is missing")
	case len(k.Pattern) > maxExpression:
		return nil, fmt.Errorf("the pattern is longer than %d bytes", maxExpression)
	}
	expression, err := regexp.Compile(k.Pattern)
	if err != nil {
		return nil, fmt.Errorf("the pattern is not a regular expression: %w", err)
	}
	g, err := newGlob(k.Glob)
	if err != nil {
		return nil, err
	}
	return &finder{expression: expression, glob: g}, nil
}

// visitor returns the function that a walk calls for each file.
func (f *finder) visitor(ctx context.Context) func(location, fs.DirEntry) error {
	return func(p location, e fs.DirEntry) error { return f.searchFile(ctx, p, e) }
}

// searchFile searches one file.
func (f *finder) searchFile(ctx context.Context, p location, e fs.DirEntry) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if !e.Type().IsRegular() || !f.glob.matches(p) {
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

func (f *finder) add(p location, number int, line string) {
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
	fmt.Fprintf(b, "%s in %s", Plural(f.hits, "line"), Plural(f.files, "file"))
	if f.skipped > 0 {
		fmt.Fprintf(b, "; %s too large or without text", Plural(f.skipped, "file"))
	}
	if !all {
		b.WriteString("; the search stopped there, and there may be more matches")
	}
	b.WriteString(".\n")
	return b.String()
}

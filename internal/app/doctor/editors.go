package doctor

import (
	"context"
	"fmt"
	"os/exec"
	"slices"
	"strings"

	"github.com/turnwire/turnwire/internal/app/setup"
)

// SetUp returns the arguments of the first agent that is set up in the editors, or nil if
// none is.
func SetUp(editors []setup.Editor, m setup.Machine) []string {
	for _, e := range editors {
		for _, f := range e.Files(m) {
			found, err := f.Agents()
			if err != nil {
				continue // file reports the error
			}
			for _, a := range found {
				if isTurnwire(a.Command) && len(a.Args) > 0 && a.Args[0] == "acp" {
					return a.Args
				}
			}
		}
	}
	return nil
}

// editors checks the settings of each editor.
func (x *examination) editors(ctx context.Context) {
	for _, e := range x.Editors {
		for _, f := range e.Files(x.Machine) {
			x.file(ctx, e, f)
			x.hosts(ctx, f)
		}
	}
}

// file checks one settings file.
func (x *examination) file(ctx context.Context, e setup.Editor, f setup.File) {
	found, err := f.Agents()
	if err != nil {
		x.report(Failed, f.Title, err.Error(), "Fix the file: the editor cannot read it either.")
		return
	}
	ours := slices.DeleteFunc(found, func(a setup.Agent) bool {
		return !isTurnwire(a.Command) && !strings.HasPrefix(a.Name, setup.DefaultName)
	})
	missing := Note
	if x.Named {
		missing = Failed
	}
	switch {
	case len(ours) == 0 && !f.Found:
		x.report(missing, f.Title, "not found", "")
		return
	case len(ours) == 0 && x.inChat(f):
		return // hosts checks it
	case len(ours) == 0:
		x.report(missing, f.Title, "not set up", "turnwire setup "+e.Name)
		return
	}
	for _, a := range ours {
		x.entryOf(ctx, e, f, a)
	}
	for _, note := range f.Notes {
		x.report(Warning, f.Title, note.What, note.Do)
	}
}

// entryOf checks one agent in a settings file.
func (x *examination) entryOf(ctx context.Context, e setup.Editor, f setup.File, a setup.Agent) {
	say := func(s Status, advice, format string, args ...any) {
		x.report(s, f.Title, fmt.Sprintf("“%s” ", a.Name)+fmt.Sprintf(format, args...), advice)
	}
	again := "turnwire setup " + e.Name
	if a.Name != setup.DefaultName || len(a.Args) > 1 {
		again += " --name " + quoted(a.Name) + flags(a.Args)
	}
	if a.Command == "" {
		say(Failed, "turnwire setup "+e.Name+" --name "+quoted(a.Name)+" --remove", "has no runnable command")
		return
	}
	path, err := exec.LookPath(a.Command)
	if err != nil {
		say(Failed, again, "runs %s, which does not exist", a.Command)
		return
	}
	runs := a.Command + " " + strings.Join(redacted(a.Args), " ")
	if entry, err := x.entry(parseArgs(a.Args)); err != nil {
		say(Failed, "turnwire agents lists the agents.", "runs %s, but %v", runs, err)
		return
	} else if r := entry.Reach(ctx); r.Reachable != nil && !*r.Reachable {
		say(Failed, remedy(&entry, r.How), "runs %s, but %s", runs, r.Detail)
		return
	}
	if sameFile(path, x.Program) || !isTurnwire(path) {
		say(OK, "", "runs %s", runs)
		return
	}
	switch version, err := versionOf(ctx, path); {
	case err != nil:
		say(Failed, again, "runs %s, which cannot be run: %v", runs, err)
	case version != x.Version:
		say(Warning, again, "runs %s, which is version %s, not %s", runs, version, x.Version)
	default:
		say(OK, "", "runs %s, a copy of the same version", runs)
	}
}

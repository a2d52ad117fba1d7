package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/turnwire/turnwire/internal/app/setup"
)

// A session is one run of "turnwire setup" on an editor's files.
type session struct {
	editor      setup.Editor
	agent       setup.Agent
	remove, yes bool

	in          io.Reader
	out, errors io.Writer
	paint       paint
	interactive bool // the user can be asked
	home        string
}

var errNothingChanged = errors.New("nothing was changed")

func (s *session) warn(format string, args ...any) {
	fmt.Fprintln(s.errors, s.paint.warn("!"), fmt.Sprintf(format, args...))
}

// print prints only the settings to stdout; hints go to stderr.
func (s *session) print(files []setup.File) error {
	text, err := s.editor.Print(s.agent)
	if err != nil {
		return err
	}
	for _, f := range files {
		fmt.Fprintf(s.errors, "For %s, into %s:\n", f.Title, f.Path)
	}
	_, err = s.out.Write(text)
	return err
}

// change changes the files if the user agrees.
func (s *session) change(ctx context.Context, files []setup.File) error {
	if s.yes { // hold the lock from the start: it isn't held while a user decides
		unlock, err := lockSettings(ctx)
		if err != nil {
			return err
		}
		defer unlock()
	}
	changes, err := s.plan(files)
	if err != nil {
		return err
	}
	if len(changes) == 0 {
		s.unchanged(files)
		return nil
	}
	for _, c := range changes {
		if !c.File.Found {
			s.warn("%s was not found on this machine; the settings will be used once it is installed", c.File.Title)
		}
		showChange(s.out, s.paint, c, s.short(c.File.Path))
	}
	if err := s.confirm(len(changes)); err != nil {
		return err
	}
	if err := s.apply(ctx, changes); err != nil {
		return err
	}
	s.printNextSteps(files)
	return nil
}

// apply makes the changes. If another setup changed a file while the user was asked, that
// file is left alone and reported.
func (s *session) apply(ctx context.Context, changes []setup.Change) error {
	if !s.yes {
		unlock, err := lockSettings(ctx)
		if err != nil {
			return err
		}
		defer unlock()
	}
	for _, c := range changes {
		backup, err := c.Apply()
		if err != nil {
			return err
		}
		s.report(c, backup)
	}
	return nil
}

// lockSettings keeps this user's other processes from changing settings.
func lockSettings(ctx context.Context) (unlock func(), err error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	return setup.Lock(ctx, filepath.Join(cache, "turnwire"))
}

// plan computes all changes before the first is made. If one fails, none is made.
func (s *session) plan(files []setup.File) ([]setup.Change, error) {
	var changes []setup.Change
	for _, f := range files {
		var c setup.Change
		var err error
		if s.remove {
			c, err = f.Drop(s.agent.Name)
		} else {
			c, err = f.Put(s.agent)
		}
		if err != nil {
			return nil, err
		}
		if !c.None() {
			changes = append(changes, c)
		}
	}
	return changes, nil
}

// confirm asks the user. It returns an error unless the answer is yes.
func (s *session) confirm(changes int) error {
	if s.yes {
		return nil
	}
	if !s.interactive {
		return errors.New("nothing was changed because there is no terminal to ask in: use --yes to make the change, or --print to see the settings")
	}
	question := "Make this change?"
	if changes > 1 {
		question = fmt.Sprintf("Make these %d changes?", changes)
	}
	return agreed(s.in, s.out, s.paint, question, errNothingChanged)
}

// report prints what was done to a file.
func (s *session) report(c setup.Change, backup string) {
	path := s.short(c.File.Path)
	what := "changed " + path
	switch {
	case c.After == nil:
		what = "removed " + path
	case c.Before == nil:
		what = "wrote " + path
	case c.Undoes():
		what = path + " is restored"
	}
	fmt.Fprintln(s.out, s.paint.good("✓"), what)
	if backup != "" {
		fmt.Fprintln(s.out, s.paint.dim("  previous version: "+s.short(backup)))
	}
}

// unchanged reports that the settings need no change.
func (s *session) unchanged(files []setup.File) {
	for _, f := range files {
		what := fmt.Sprintf("%s: “%s” is already set up", f.Title, s.agent.Name)
		if s.remove {
			what = fmt.Sprintf("%s: “%s” is not set up", f.Title, s.agent.Name)
		}
		fmt.Fprintf(s.out, "%s %s %s\n", s.paint.good("✓"), what, s.paint.dim("("+s.short(f.Path)+")"))
	}
	s.printOthers(files)
}

// printOthers lists the agents that remain in the settings.
func (s *session) printOthers(files []setup.File) {
	if !s.remove {
		return
	}
	for _, f := range files {
		agents, err := f.Agents()
		if err != nil {
			continue // it was readable a moment ago
		}
		for _, a := range agents {
			if strings.HasPrefix(a.Name, setup.DefaultName) && a.Name != s.agent.Name {
				fmt.Fprintf(s.out, "“%s” is still set up; to remove it: turnwire setup %s --name %q --remove\n", printable(a.Name), s.editor.Name, a.Name)
			}
		}
	}
}

// printNextSteps prints what the user can do next.
func (s *session) printNextSteps(files []setup.File) {
	if s.remove {
		s.printOthers(files)
		return
	}
	for _, f := range files {
		for _, note := range f.Notes {
			fmt.Fprintf(s.out, "%s %s: %s\n  %s %s\n", s.paint.warn("!"), f.Title, note.What, s.paint.dim("→"), note.Do)
		}
	}
	fmt.Fprintf(s.out, s.editor.Start+"\n", s.agent.Name)
	fmt.Fprintf(s.out, "To check that everything works: turnwire doctor %s\n", s.editor.Name)
}

// short abbreviates the home directory to ~.
func (s *session) short(path string) string { return short(path, s.home) }

func short(path, home string) string {
	if rest, ok := strings.CutPrefix(path, home); ok && home != "" && (rest == "" || strings.HasPrefix(rest, "/")) {
		return "~" + rest
	}
	return path
}

package doctor

import (
	"context"
	"fmt"
	"os/exec"
	"slices"
	"strings"

	"github.com/turnwire/turnwire/internal/setup"
)

// editors looks at the settings of each editor.
func (x *examination) editors(ctx context.Context) {
	for _, e := range x.Editors {
		for _, f := range e.Files(x.Machine) {
			x.file(ctx, e, f)
		}
	}
}

// file looks at one file of settings.
func (x *examination) file(ctx context.Context, e setup.Editor, f setup.File) {
	found, err := f.Agents()
	if err != nil {
		x.found(Failed, f.Title, err.Error(), "Mend the file: the editor cannot read it either.")
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
		x.found(missing, f.Title, "not found", "")
		return
	case len(ours) == 0:
		x.found(missing, f.Title, "not set up", "turnwire setup "+e.Name)
		return
	}
	for _, a := range ours {
		x.entry(ctx, e, f, a)
	}
	for _, note := range f.Notes {
		x.found(Warning, f.Title, note.What, note.Do)
	}
}

// entry looks at one agent in settings.
func (x *examination) entry(ctx context.Context, e setup.Editor, f setup.File, a setup.Agent) {
	again := "turnwire setup " + e.Name + setupFlags(a)
	path, err := exec.LookPath(a.Command)
	if err != nil {
		x.found(Failed, f.Title, fmt.Sprintf("“%s” runs %s, which is not there", a.Name, a.Command), again)
		return
	}
	what := fmt.Sprintf("“%s” runs %s %s", a.Name, a.Command, strings.Join(a.Args, " "))
	if name := agentOf(a); name != "" {
		if _, ok := x.names[name]; !ok {
			x.found(Failed, f.Title, fmt.Sprintf("“%s” runs the agent %s, which no configuration of yours names", a.Name, name), "turnwire agents lists those that there are.")
			return
		}
	}
	if sameFile(path, x.Program) || !isTurnwire(path) {
		x.found(OK, f.Title, what, "")
		return
	}
	switch version, err := versionOf(ctx, path); {
	case err != nil:
		x.found(Failed, f.Title, what+", which does not run: "+err.Error(), again)
	case version != x.Version:
		x.found(Warning, f.Title, fmt.Sprintf("%s, which is version %s, not %s", what, version, x.Version), again)
	default:
		x.found(OK, f.Title, what+", a copy of the same version", "")
	}
}

// agentOf is the name that follows --agent, or "".
func agentOf(a setup.Agent) string {
	args := a.Args
	if end := slices.Index(args, "--"); end >= 0 {
		args = args[:end]
	}
	if i := slices.Index(args, "--agent"); i >= 0 && i+1 < len(args) && !slices.Contains(args, "--config") {
		return args[i+1]
	}
	return ""
}

// setupFlags are those that set an agent up once more, as it is now.
func setupFlags(a setup.Agent) string {
	var flags strings.Builder
	if len(a.Args) > 1 {
		flags.WriteString(" --name " + quoted(a.Name))
		for _, arg := range a.Args[1:] {
			flags.WriteString(" " + quoted(arg))
		}
	} else if a.Name != setup.DefaultName {
		flags.WriteString(" --name " + quoted(a.Name))
	}
	return flags.String()
}

// quoted is a word for a shell.
func quoted(word string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=@%+,"
	if word != "" && strings.Trim(word, plain) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

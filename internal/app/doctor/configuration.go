package doctor

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/turnwire/turnwire/internal/app/agents"
)

// configuration checks the files that define agents.
func (x *examination) configuration(context.Context) {
	catalogue, err := agents.Load(x.Places)
	if err != nil {
		x.report(Failed, "files", err.Error(), "Fix the file; turnwire schema config describes it.")
		catalogue = agents.New(nil)
	}
	x.catalogue = catalogue
	named := map[string][]string{} // agent names by file
	for _, e := range catalogue.Entries() {
		if file := e.Config.File(); file != "" {
			named[file] = append(named[file], e.Name)
		}
	}
	if err != nil {
		return
	}
	there := false
	for _, file := range []struct{ name, path string }{{"yours", x.Places.Own}, {"the project's", x.Places.Project}} {
		if _, err := os.Stat(file.path); err != nil {
			continue
		}
		there = true
		what := "no agents"
		if list := named[file.path]; len(list) > 0 {
			what = strings.Join(list, ", ")
		}
		x.report(OK, file.name, fmt.Sprintf("%s: %s", file.path, what), "")
	}
	if !there {
		x.report(OK, "files", "none; the built-in agents need none", "")
	}
}

// agent checks whether the requested agent can be reached.
func (x *examination) agent(ctx context.Context) {
	l := parseArgs(x.Args)
	e, err := x.entry(l)
	if err != nil {
		x.report(Failed, l.agent, err.Error(), "turnwire agents lists the agents.")
		return
	}
	switch r := e.Reach(ctx); {
	case r.Reachable == nil:
		x.report(Note, e.Name, r.How+": "+r.Detail, "")
	case *r.Reachable:
		x.report(OK, e.Name, r.How+": "+r.Detail, "")
	default:
		x.report(Failed, e.Name, r.How+": "+r.Detail, remedy(&e, r.How))
	}
}

// remedy returns advice for an agent that can't be reached.
func remedy(e *agents.Entry, how string) string {
	switch {
	case e.Known != nil:
		missing := e.Known.Missing()
		return strings.ToUpper(missing[:1]) + missing[1:] + "."
	case strings.Contains(how, "://"):
		return "Start the server, or correct its address."
	}
	return "Install it, or name its program after --."
}

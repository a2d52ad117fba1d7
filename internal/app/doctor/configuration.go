package doctor

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/turnwire/turnwire/internal/app/agents"
)

// configuration looks at the files in which agents are named.
func (x *examination) configuration(context.Context) {
	catalogue, err := agents.Load(x.Places)
	if err != nil {
		x.found(Failed, "files", err.Error(), "Mend the file; turnwire schema config describes it.")
		catalogue = agents.New(nil)
	}
	x.catalogue = catalogue
	named := map[string][]string{} // by file
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
		x.found(OK, file.name, fmt.Sprintf("%s: %s", file.path, what), "")
	}
	if !there {
		x.found(OK, "files", "none, and none is needed for the agents that are built in", "")
	}
}

// agent looks whether the agent that was asked for can be reached.
func (x *examination) agent(ctx context.Context) {
	l := readArgs(x.Args)
	e, err := x.entry(l)
	if err != nil {
		x.found(Failed, l.agent, err.Error(), "turnwire agents lists those that there are.")
		return
	}
	switch r := e.Reach(ctx); {
	case r.Reachable == nil:
		x.found(Note, e.Name, r.How+": "+r.Detail, "")
	case *r.Reachable:
		x.found(OK, e.Name, r.How+": "+r.Detail, "")
	default:
		x.found(Failed, e.Name, r.How+": "+r.Detail, remedy(r.How))
	}
}

// remedy says what to do for an agent that cannot be reached.
func remedy(how string) string {
	if strings.Contains(how, "://") {
		return "Start the server, or give the address that it has."
	}
	return "Install it, or name its program behind --."
}

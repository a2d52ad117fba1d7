package doctor

import (
	"context"
	"time"

	"github.com/turnwire/turnwire/internal/app/agents"
	"github.com/turnwire/turnwire/internal/app/config"
	"github.com/turnwire/turnwire/internal/app/setup"
)

// A Status is the outcome of a check.
type Status string

// The statuses. Only Failed makes the result of [Examine] false.
const (
	OK      Status = "ok"
	Note    Status = "note"    // worth knowing
	Warning Status = "warning" // worth checking
	Failed  Status = "failed"
)

// A Finding is the result of one check.
type Finding struct {
	Group  string `json:"group"`
	Status Status `json:"status"`
	Name   string `json:"name"` // what was checked, in one or two words
	Detail string `json:"detail"`
	Advice string `json:"advice,omitempty"` // what to do
}

// Options say what to check.
type Options struct {
	Program string // the path of this program
	Version string

	Places config.Places
	// Args are the arguments that launch this program with the agent to check.
	Args []string

	// Server contacts the server through which this program reaches the agent. It returns
	// the server's address, and an error if the server doesn't answer. It is nil if no
	// server is used.
	Server func(ctx context.Context) (where string, err error)

	// Timeout limits the turn.
	Timeout time.Duration

	Machine setup.Machine
	Editors []setup.Editor
	// Named is set if the user named the editors. Then they must be installed and set up.
	Named bool
}

// An examination is one run of all checks.
type examination struct {
	Options
	listener  Listener
	group     string // of the running checks
	findings  []Finding
	catalogue *agents.Catalogue // nil until loaded; contains only built-in agents if the files are invalid
}

// A Listener follows an examination, because some of it takes a while.
type Listener interface {
	// Begins announces the next group of checks.
	Begins(group string)
	// Notes reports a finding at once, because the group's other checks may take long.
	Notes(finding Finding)
	// Ends reports the group's other findings.
	Ends(findings []Finding)
}

// Examine runs all checks and reports them to l. It returns false if a check failed.
func Examine(ctx context.Context, o Options, l Listener) bool {
	x := &examination{Options: o, listener: l}
	well := true
	for _, part := range []struct {
		group string
		look  func(context.Context)
	}{
		{"Program", x.program},
		{"Configuration", x.configuration},
		{"Server", x.server},
		{"Agent", x.agent},
		{"Editors", x.editors},
		{"One turn", x.turn},
	} {
		if part.group == "Server" && x.Server == nil {
			continue
		}
		l.Begins(part.group)
		x.group, x.findings = part.group, nil
		part.look(ctx)
		for i := range x.findings {
			well = well && x.findings[i].Status != Failed
		}
		l.Ends(x.findings)
	}
	return well
}

func (x *examination) report(s Status, name, detail, advice string) {
	x.findings = append(x.findings, Finding{Group: x.group, Status: s, Name: name, Detail: detail, Advice: advice})
}

// note reports a finding that must not wait for the group's end.
func (x *examination) note(s Status, name, detail, advice string) {
	x.listener.Notes(Finding{Group: x.group, Status: s, Name: name, Detail: detail, Advice: advice})
}

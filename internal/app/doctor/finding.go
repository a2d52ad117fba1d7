package doctor

import (
	"context"

	"github.com/turnwire/turnwire/internal/app/agents"
	"github.com/turnwire/turnwire/internal/app/config"
	"github.com/turnwire/turnwire/internal/app/setup"
)

// A Status says how well a thing is.
type Status string

// The statuses. Only Failed means that all is not well.
const (
	OK      Status = "ok"
	Note    Status = "note"    // worth to know
	Warning Status = "warning" // worth a look
	Failed  Status = "failed"
)

// A Finding is what came of looking at one thing.
type Finding struct {
	Group  string `json:"group"`
	Status Status `json:"status"`
	Name   string `json:"name"` // what was looked at, in a word or two
	Detail string `json:"detail"`
	Advice string `json:"advice,omitempty"` // what to do
}

// Options say what to look at.
type Options struct {
	Program string // the path of this program
	Version string

	Places config.Places
	// Args is how this program is launched with the agent that is asked about.
	Args []string

	Machine setup.Machine
	Editors []setup.Editor
	// Named says that the user named the editors: they are to be there, and
	// to be set up.
	Named bool
}

// An examination is one run.
type examination struct {
	Options
	findings  []Finding
	catalogue *agents.Catalogue // as far as it can be read
}

// A Listener is told of an examination as it goes on: some of it takes a while.
type Listener interface {
	// Begins says what is looked at next.
	Begins(group string)
	// Ends says what was found there.
	Ends(findings []Finding)
}

// Examine looks at everything, and tells l. It says whether all is well.
func Examine(ctx context.Context, o Options, l Listener) bool {
	x := &examination{Options: o}
	well := true
	for _, part := range []struct {
		group string
		look  func(context.Context)
	}{
		{"Program", x.program},
		{"Configuration", x.configuration},
		{"Agent", x.agent},
		{"Editors", x.editors},
		{"One turn", x.turn},
	} {
		l.Begins(part.group)
		x.findings = nil
		part.look(ctx)
		for i := range x.findings {
			x.findings[i].Group = part.group
			well = well && x.findings[i].Status != Failed
		}
		l.Ends(x.findings)
	}
	return well
}

func (x *examination) found(s Status, name, detail, advice string) {
	x.findings = append(x.findings, Finding{Status: s, Name: name, Detail: detail, Advice: advice})
}

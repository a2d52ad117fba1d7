package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// A contender is a bridge to measure.
type contender struct {
	name   string
	bridge []string // the command without the child's, which is appended; nil means cat
	served bool     // bridge attaches to a server, which runs the child
	beside int      // how many more clients of the server load the session
	hosted bool     // bridge is a server, and the client speaks the Agent Host Protocol
}

// The names of the contenders.
const (
	single = "turnwire" // one update per event
	joined = "joined"   // adjacent chunks joined while the writer is busy
	unkept = "unkept"   // like joined, without a journal
	served = "served"   // joined, through a server and its socket
	shared = "shared"   // like served, with two more clients
	hosted = "ahp"      // joined, through a server and the Agent Host Protocol
	peer   = "peer"
	plain  = "cat"
)

// binaries are the paths of the programs that take part.
type binaries struct{ turnwire, peer, child, empty string }

// build compiles the programs into dir. It must run in the bench's folder. turnwire is
// the path of an existing Turnwire binary, or "". Turnwire is not built if no contender
// needs it.
func build(ctx context.Context, dir, turnwire string, who choice) (binaries, error) {
	b := binaries{
		turnwire: filepath.Join(dir, "turnwire"),
		peer:     filepath.Join(dir, "peer"),
		child:    filepath.Join(dir, "child"),
		empty:    filepath.Join(dir, "empty"),
	}
	steps := []struct{ folder, out, pkg string }{
		{"..", b.turnwire, "."},
		{".", b.peer, "./peer"},
		{".", b.child, "./child"},
		{".", b.empty, "./empty"},
	}
	if turnwire != "" {
		path, err := filepath.Abs(turnwire)
		if err != nil {
			return b, fmt.Errorf("turnwire: %w", err)
		}
		b.turnwire = path
	}
	if turnwire != "" || !who.has(single) && !who.has(joined) && !who.has(unkept) && !who.has(served) && !who.has(shared) && !who.has(hosted) {
		steps = steps[1:]
	}
	for _, s := range steps {
		cmd := exec.CommandContext(ctx, "go", "build", "-o", s.out, s.pkg)
		cmd.Dir, cmd.Stdout, cmd.Stderr = s.folder, os.Stderr, os.Stderr
		cmd.Env = append(cmd.Environ(), "CGO_ENABLED=0") // like releases
		if err := cmd.Run(); err != nil {
			return b, fmt.Errorf("build %s: %w", s.pkg, err)
		}
	}
	return b, nil
}

// contenders returns all contenders.
func (b binaries) contenders() []contender {
	return []contender{
		{name: single, bridge: []string{b.turnwire, "acp", "--join=false", "--"}},
		{name: joined, bridge: []string{b.turnwire, "acp", "--"}},
		{name: unkept, bridge: []string{b.turnwire, "acp", "--no-journal", "--"}},
		{name: served, bridge: []string{b.turnwire, "acp"}, served: true},
		{name: shared, bridge: []string{b.turnwire, "acp"}, served: true, beside: 2},
		{name: hosted, bridge: []string{b.turnwire}, hosted: true},
		{name: peer, bridge: []string{b.peer}},
		{name: plain},
	}
}

// joins reports whether the contender joins pieces of text that arrive together.
func (c contender) joins() bool { return c.name == joined || c.name == unkept || c.served || c.hosted }

// To ask again how many processors there are has the runtime stop everything, for
// the first time while it starts. A bridge uses one.
//
//go:debug updatemaxprocs=0

// Turnwire makes any agent that streams events an agent in editors that speak
// the Agent Client Protocol. See README.md.
package main

import (
	"os"

	"github.com/turnwire/turnwire/agent/child"
	"github.com/turnwire/turnwire/internal/cli"
	_ "github.com/turnwire/turnwire/internal/prefault" // what the start touches
)

func main() {
	child.RunGuard()
	os.Exit(cli.Main(os.Args[1:]))
}

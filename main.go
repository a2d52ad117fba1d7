// Turnwire makes any agent that streams events usable in editors that support the Agent
// Client Protocol. See README.md.
package main

import (
	"os"

	"github.com/turnwire/turnwire/internal/agent/transport/child"
	"github.com/turnwire/turnwire/internal/app/cli"
)

func main() {
	child.RunGuard()
	os.Exit(cli.Main(os.Args[1:]))
}

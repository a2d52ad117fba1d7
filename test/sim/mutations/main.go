// Mutations shows that the simulation finds defects. It puts deliberate defects into the
// source code, one at a time, and runs the simulated worlds with each of them:
//
//	go run ./test/sim/mutations [-again N] [NAME...]
//
// With -again, it also plays each world that finds a defect again, to show how often a failing
// seed fails again.
//
// It exits with an error if the worlds don't find one of the defects. A world counts only if
// it keeps all laws without the defect. The files themselves stay as they are: the compiler
// reads the changed ones from a folder.
package main

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"time"
)

// limit is how long worlds may run until one of them finds the defect, on a machine that
// does nothing else. It is measured in processor time, so other work does not matter. A
// program runs on each processor.
const limit = time.Minute

// again is how often a world that finds a defect is played again.
var again = flag.Int("again", 0, "play each world that finds a defect this `number` of times more")

func main() {
	flag.Parse()
	missed, err := try(flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	if missed > 0 || err != nil {
		os.Exit(1)
	}
}

// try tries the mutations with these names, or all, and returns how many were missed.
func try(names []string) (missed int, err error) {
	folder, err := os.MkdirTemp("", "mutation")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(folder) //nolint:errcheck // it is temporary
	var none mutation
	intact, err := none.build(folder, "intact")
	if err != nil {
		return 0, err
	}
	for _, m := range mutations {
		if len(names) > 0 && !slices.Contains(names, m.name) {
			continue
		}
		f, err := m.run(folder, intact)
		switch {
		case err != nil:
			fmt.Printf("%-36s can't be tried: %v\n", m.name, err)
			missed++
		case f.law == "":
			fmt.Printf("%-36s %5.1f s  MISSED\n", m.name, limit.Seconds())
			missed++
		default:
			fmt.Printf("%-36s %5.1f s  world %s: %s%s\n", m.name, f.took.Seconds(), f.world(), f.law, f.repeated())
		}
	}
	return missed, nil
}

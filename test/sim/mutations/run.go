package main

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"time"
)

// A finding says how a defect was found.
type finding struct {
	law  string // "" if it was not found
	seed uint64
	kept string        // the name of the world, if it is a kept one
	took time.Duration // processor time
	more int           // in how many of the repetitions that -again demands the world failed again
}

// world returns the name of a kept world, or the seed.
func (f finding) world() string {
	if f.kept != "" {
		return f.kept
	}
	return strconv.FormatUint(f.seed, 10)
}

// alone returns the arguments that play only this world.
func (f finding) alone() []string {
	if f.kept != "" {
		return []string{"-test.run", "^TestRegressions$/^" + f.kept + "$"}
	}
	return []string{"-sim.seed", strconv.FormatUint(f.seed, 10)}
}

// repeated describes the repetitions.
func (f finding) repeated() string {
	if *again == 0 {
		return ""
	}
	return fmt.Sprintf(" (again in %d of %d)", f.more, *again)
}

const (
	// apart is the distance between the first seeds of two programs. None gets so far.
	apart = 1_000_000
	// repeats is how often a world is played without the defect, because not all of them
	// always have the same story.
	repeats = 5
)

// run runs worlds with the defect on all processors, until one of them finds it. intact is
// the program without the defect.
func (m *mutation) run(folder, intact string) (finding, error) {
	program, err := m.build(folder, "changed")
	if err != nil {
		return finding{}, err
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	type outcome struct {
		finding
		err error
	}
	outcomes := make(chan outcome)
	processors := runtime.NumCPU()
	for n := range processors {
		go func() {
			f, err := search(ctx, program, intact, uint64(n*apart+1)) //nolint:gosec // few processors
			outcomes <- outcome{f, err}
		}()
	}
	var first outcome
	for range processors {
		o := <-outcomes
		if first.law == "" && first.err == nil {
			first = o
		}
		if first.law != "" || first.err != nil {
			stop()
		}
	}
	for n := 0; n < *again && first.err == nil && first.law != ""; n++ {
		var f finding
		if f, first.err = play(context.Background(), program, limit, first.alone()...); f.law != "" {
			first.more++
		}
	}
	return first.finding, first.err
}

// search runs worlds from a seed on, until one of them finds the defect or the time is up.
func search(ctx context.Context, program, intact string, seed uint64) (finding, error) {
	var took time.Duration
	for took < limit {
		f, err := play(ctx, program, limit-took, "-test.failfast", "-sim.first", strconv.FormatUint(seed, 10), "-sim.seeds", strconv.Itoa(apart))
		took += f.took
		if err != nil || f.law == "" || ctx.Err() != nil {
			return finding{}, err
		}
		keeps, err := keepsLaws(ctx, intact, f)
		if err != nil {
			return finding{}, err
		}
		if keeps {
			f.took = took
			return f, nil
		}
		fmt.Printf("world %s also breaks a law without the defect\n", f.world())
		seed = f.seed + 1
	}
	return finding{}, nil
}

// keepsLaws reports whether a world keeps all laws without the defect.
func keepsLaws(ctx context.Context, intact string, found finding) (bool, error) {
	for range repeats {
		f, err := play(ctx, intact, limit, found.alone()...)
		if err != nil || f.law != "" {
			return false, err
		}
	}
	return true, nil
}

var (
	// broken matches the message of a broken law.
	broken = regexp.MustCompile(`seed \d+ breaks the law "([^"]*)"`)
	// panicked matches a panic.
	panicked = regexp.MustCompile(`(?m)^panic: `)
	// playing matches the begin of a world.
	playing = regexp.MustCompile(`=== (?:RUN|NAME) +Test(?:Worlds|Regressions/([^/\s]+))/(\d+)`)
)

// play runs a program with the kept worlds and others for at most a time, and returns the
// first finding.
func play(ctx context.Context, program string, atMost time.Duration, args ...string) (f finding, err error) {
	seconds := max(int(atMost.Seconds()), 1)
	args = append([]string{"-c", fmt.Sprintf(`ulimit -t %d; exec "$0" "$@"`, seconds), program, "-test.v", "-test.run", "^(TestRegressions|TestWorlds)$", "-test.timeout", "0"}, args...)
	worlds := exec.CommandContext(ctx, "sh", args...) //nolint:gosec // our own program
	worlds.Dir = filepath.Join("test", "sim")
	out, err := worlds.CombinedOutput()
	if worlds.ProcessState == nil {
		return f, err
	}
	f.took = worlds.ProcessState.UserTime() + worlds.ProcessState.SystemTime()
	end := []int{0, 0}
	if at := broken.FindSubmatchIndex(out); at != nil {
		f.law, end = string(out[at[2]:at[3]]), at
	} else if at := panicked.FindIndex(out); at != nil {
		f.law, end = "a panic", at
	}
	if f.law != "" {
		if all := playing.FindAllSubmatch(out[:end[0]], -1); len(all) > 0 {
			last := all[len(all)-1]
			f.kept = string(last[1])
			f.seed, err = strconv.ParseUint(string(last[2]), 10, 64)
		}
		return f, err
	}
	// The limit kills the program. The system may have measured more time than it reports.
	killed := !worlds.ProcessState.Exited()
	if err != nil && !killed {
		return f, fmt.Errorf("%w: %s", err, out[max(0, len(out)-2000):])
	}
	return f, nil
}

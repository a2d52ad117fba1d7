package child_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/agent/transport/child"
	"github.com/turnwire/turnwire/internal/test/limits"
)

// parentVariable makes the test binary a process that starts the variable's
// script as a child, then waits to be killed.
const parentVariable = "TURNWIRE_TEST_PARENT"

func beParent() {
	c, err := child.Start(child.Spec{Args: []string{"sh", "-c", os.Getenv(parentVariable)}, Stdin: true})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	_, _ = io.Copy(os.Stdout, c.Stdout())
	os.Exit(2) // the child ended first
}

// A litter identifies the processes of one test, by a mark in their command
// lines.
type litter string

var litters atomic.Int64

func newLitter() litter {
	return litter(fmt.Sprintf("36%d%03d", os.Getpid(), litters.Add(1)))
}

// script leaves sleepers behind that tried to escape: one in the shell's
// group, one in its own session, one orphaned by its parent, and one that
// combines all of these and ignores signals.
func (l litter) script() string {
	return strings.ReplaceAll(`
		sleep MARK &
		setsid sleep MARK &
		(sleep MARK &)
		(setsid sh -c 'trap "" TERM HUP INT; (sleep MARK &); exec sleep MARK' &)
		`, "MARK", string(l))
}

const sleepers = 5

// living lists the live sleepers, and optionally the guards.
func (l litter) living(t *testing.T, guards bool) []string {
	t.Helper()
	var found []string
	paths, err := filepath.Glob("/proc/[0-9]*/cmdline")
	require.NoError(t, err)
	for _, path := range paths {
		line, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended in the meantime
		}
		if bytes.HasPrefix(line, []byte("sleep\x00"+string(l))) || guards && bytes.Contains(line, []byte(l)) {
			found = append(found, path)
		}
	}
	return found
}

func (l litter) requireAlive(t *testing.T) {
	t.Helper()
	limits.Eventually(t, func() bool { return len(l.living(t, false)) == sleepers })
}

func TestNothingSurvivesTheCommand(t *testing.T) {
	l := newLitter()
	c := start(t, child.Spec{Stdin: true}, l.script()+"read line; exit 6")
	l.requireAlive(t)
	_, err := io.WriteString(c.Stdin(), "go\n")
	require.NoError(t, err)
	require.Empty(t, readAll(t, c), "stdout ends although the sleepers held it")
	require.Equal(t, "exit status 6", c.Wait().String())
	require.Empty(t, l.living(t, true))
}

func TestNothingSurvivesKill(t *testing.T) {
	l := newLitter()
	c := start(t, child.Spec{}, l.script()+"wait; sleep "+string(l))
	l.requireAlive(t)
	c.Kill()
	require.Equal(t, "signal: killed", c.Wait().String())
	require.Empty(t, l.living(t, true))
}

func TestNothingSurvivesStop(t *testing.T) {
	l := newLitter()
	c := start(t, child.Spec{Stdin: true}, l.script()+"cat")
	l.requireAlive(t)
	require.Equal(t, "exit status 0", c.Stop(t.Context()).String())
	require.Empty(t, l.living(t, true))
}

func TestNothingSurvivesAKilledParent(t *testing.T) {
	l := newLitter()
	self, err := os.Executable()
	require.NoError(t, err)
	parent := exec.Command(self)
	parent.Env = append(os.Environ(), parentVariable+"="+l.script()+"wait; sleep "+string(l))
	require.NoError(t, parent.Start())
	l.requireAlive(t)
	require.NoError(t, parent.Process.Kill())
	_ = parent.Wait()
	limits.Eventually(t, func() bool { return len(l.living(t, true)) == 0 })
	requireNoChild(t) // the guard was adopted by this process
}

// requireNoChild reaps the processes that this process has adopted.
func requireNoChild(t *testing.T) {
	t.Helper()
	var status syscall.WaitStatus
	for {
		_, err := syscall.Wait4(-1, &status, 0, nil)
		if err == nil || errors.Is(err, syscall.EINTR) {
			continue
		}
		require.ErrorIs(t, err, syscall.ECHILD)
		return
	}
}

func TestNothingSurvivesItsGuard(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGKILL, syscall.SIGSTOP} {
		t.Run(signal.String(), func(t *testing.T) {
			other := start(t, child.Spec{Stdin: true}, "read line; echo $line")
			l := newLitter()
			c := start(t, child.Spec{Stdin: true}, "echo $PPID\n"+l.script()+"wait; cat; sleep "+string(l))
			guard, err := strconv.Atoi(readLine(t, c.Stdout()))
			require.NoError(t, err)
			l.requireAlive(t)
			require.NoError(t, syscall.Kill(guard, signal))
			require.Error(t, c.Wait().Err)
			require.Empty(t, l.living(t, true))
			require.Empty(t, readAll(t, c))

			_, err = io.WriteString(other.Stdin(), "another one goes on\n")
			require.NoError(t, err)
			require.Equal(t, "another one goes on", readLine(t, other.Stdout()))
			require.Equal(t, "exit status 0", other.Wait().String())
			var status syscall.WaitStatus
			_, err = syscall.Wait4(-1, &status, syscall.WNOHANG, nil)
			require.Equal(t, syscall.ECHILD, err, "no zombie")
		})
	}
}

func TestAGuardStoppedAtItsStartBlocksNothing(t *testing.T) {
	l := newLitter()
	started := make(chan *child.Child, 1)
	go func() {
		c, err := child.Start(child.Spec{Args: []string{"sh", "-c", "sleep " + string(l) + "; sleep " + string(l)}})
		if err != nil {
			c = nil
		}
		started <- c
	}()
	for stopped := false; !stopped; { // as soon as a guard exists
		for _, path := range l.living(t, true) {
			pid, err := strconv.Atoi(strings.Split(path, "/")[2])
			stopped = stopped || err == nil && syscall.Kill(pid, syscall.SIGSTOP) == nil
		}
	}
	if c := <-started; c != nil {
		c.Close()
	}
	require.Empty(t, l.living(t, true))
}

func TestCommandDoesNotSurviveItsGuard(t *testing.T) {
	c := start(t, child.Spec{}, "echo $$ $PPID; exec sleep 3600")
	var pid, guard int
	_, err := fmt.Sscan(readLine(t, c.Stdout()), &pid, &guard)
	require.NoError(t, err)
	require.NoError(t, syscall.Kill(guard, syscall.SIGKILL))
	require.Error(t, c.Wait().Err)
	require.Empty(t, readAll(t, c))
	limits.Eventually(t, func() bool {
		line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid)) // empty for a zombie too
		return len(line) == 0
	})
}

func TestGuardIgnoresTheTerminalsInterrupt(t *testing.T) {
	c := start(t, child.Spec{Stdin: true}, "echo $PPID; read line; echo $line")
	guard, err := strconv.Atoi(readLine(t, c.Stdout()))
	require.NoError(t, err)
	require.NoError(t, syscall.Kill(guard, syscall.SIGINT))
	require.NoError(t, syscall.Kill(guard, syscall.SIGHUP))
	_, err = io.WriteString(c.Stdin(), "still here\n")
	require.NoError(t, err)
	require.Equal(t, "still here", readLine(t, c.Stdout()))
	require.Equal(t, "exit status 0", c.Wait().String())
}

func TestInterruptIsNotIgnoredByTheCommand(t *testing.T) {
	c := start(t, child.Spec{}, "kill -INT $$; sleep 3600")
	require.Equal(t, "signal: interrupt", c.Wait().String())
}

func TestChildHasItsStreamsAndNoOtherDescriptor(t *testing.T) {
	c, err := child.Start(child.Spec{Args: []string{"ls", "/proc/self/fd"}, Stdin: true})
	require.NoError(t, err)
	defer c.Close()
	require.Equal(t, "0\n1\n2\n3\n", readAll(t, c), "3 is the directory that ls reads")
}

func TestStdinBlocksAsProgramsExpect(t *testing.T) {
	c, err := child.Start(child.Spec{Args: []string{"cat", "/proc/self/fdinfo/0"}, Stdin: true})
	require.NoError(t, err)
	defer c.Close()
	var position, flags int
	_, err = fmt.Sscanf(readAll(t, c), "pos: %d\nflags: %o", &position, &flags)
	require.NoError(t, err)
	require.Zero(t, flags&syscall.O_NONBLOCK)
}

func TestChildIsInAnotherSessionAndItsOwnGroup(t *testing.T) {
	c := start(t, child.Spec{}, "cat /proc/$$/stat")
	stat := readAll(t, c)
	var state string
	var parent, group, session int
	_, err := fmt.Sscan(stat[strings.LastIndexByte(stat, ')')+1:], &state, &parent, &group, &session)
	require.NoError(t, err)
	pid, err := strconv.Atoi(stat[:strings.IndexByte(stat, ' ')])
	require.NoError(t, err)
	require.Equal(t, pid, group)
	require.Equal(t, parent, session, "the guard leads the session")
	require.NotEqual(t, syscall.Getpgrp(), session)
}

func TestManyChildrenLeaveNothingBehind(t *testing.T) {
	const workers, each = 8, 40
	cycle := func() error {
		c, err := child.Start(child.Spec{Args: []string{"cat"}, Stdin: true})
		if err != nil {
			return err
		}
		c.Stop(t.Context())
		_, err = io.ReadAll(c.Stdout())
		return err
	}
	require.NoError(t, cycle())
	before := descriptors(t)
	results := make(chan error)
	for range workers {
		go func() {
			for range each {
				results <- cycle()
			}
		}()
	}
	for range workers * each {
		require.NoError(t, <-results)
	}
	// Descriptors of an earlier test may have been collected in the meantime.
	require.LessOrEqual(t, descriptors(t), before)
	var status syscall.WaitStatus
	_, err := syscall.Wait4(-1, &status, syscall.WNOHANG, nil)
	require.Equal(t, syscall.ECHILD, err, "no zombie")
}

func descriptors(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	require.NoError(t, err)
	return len(entries)
}

package child_test

// No Windows machine has run these tests yet. They are compiled and vetted with
// every change, and have passed under Wine 10.

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/windows"

	"github.com/turnwire/turnwire/internal/agent/transport/child"
	"github.com/turnwire/turnwire/internal/test/limits"
)

const (
	// parentVariable makes the test binary a process that starts the variable's
	// role as a child, then waits to be killed.
	parentVariable = "TURNWIRE_TEST_PARENT"
	// roleVariable makes the test binary a command for one of the tests.
	roleVariable = "TURNWIRE_TEST_ROLE"
)

// The roles of a command. Each starts by printing its process id on a line.
const (
	roleSleep  = "sleep"  // runs until it is killed
	roleRead   = "read"   // exits with code 6 at EOF on stdin
	roleFamily = "family" // starts two sleepers, prints their ids, and reads
)

func beParent() {
	if os.Getenv(roleVariable) != "" {
		beCommand(os.Getenv(roleVariable))
	}
	c, err := child.Start(command(os.Getenv(parentVariable)))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	_, _ = io.Copy(os.Stdout, c.Stdout())
	os.Exit(2) // the child ended first
}

func beCommand(role string) {
	fmt.Println(os.Getpid())
	switch role {
	case roleFamily:
		// The second one is in its own group, and its parent exits soon.
		for _, relation := range []uint32{0, windows.CREATE_NEW_PROCESS_GROUP | windows.DETACHED_PROCESS} {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), roleVariable+"="+roleSleep)
			cmd.Stdout = os.Stdout
			cmd.SysProcAttr = &windows.SysProcAttr{CreationFlags: relation}
			if err := cmd.Start(); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
		}
	case roleSleep:
		<-time.After(time.Hour) // no test waits that long
	}
	_, _ = io.Copy(io.Discard, os.Stdin)
	os.Exit(6)
}

func command(role string) child.Spec {
	return child.Spec{
		Args:  []string{os.Args[0]},
		Env:   append(os.Environ(), parentVariable+"=1", roleVariable+"="+role),
		Stdin: true,
	}
}

func startRole(t *testing.T, role string) *child.Child {
	t.Helper()
	c, err := child.Start(command(role))
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c
}

// A member is a process that the test has an open handle to, so that its id
// can't be reused.
type member windows.Handle

// members reads the ids that count processes print, and opens the processes.
func members(t *testing.T, stdout io.Reader, count int) []member {
	t.Helper()
	var list []member
	for range count {
		id, err := strconv.Atoi(strings.TrimSpace(readLine(t, stdout)))
		require.NoError(t, err)
		handle, err := windows.OpenProcess(windows.SYNCHRONIZE, false, uint32(id))
		require.NoError(t, err)
		t.Cleanup(func() { _ = windows.CloseHandle(handle) })
		list = append(list, member(handle))
	}
	return list
}

func readLine(t *testing.T, r io.Reader) string {
	t.Helper()
	var line []byte
	for {
		var b [1]byte
		_, err := io.ReadFull(r, b[:])
		require.NoError(t, err, "after %q", line)
		if b[0] == '\n' {
			return string(line)
		}
		line = append(line, b[0])
	}
}

func (m member) endsWithin(t *testing.T, limit time.Duration) bool {
	t.Helper()
	event, err := windows.WaitForSingleObject(windows.Handle(m), uint32(limit.Milliseconds()))
	require.NoError(t, err)
	return event == windows.WAIT_OBJECT_0
}

func requireEnded(t *testing.T, all []member, limit time.Duration) {
	t.Helper()
	for _, m := range all {
		require.True(t, m.endsWithin(t, limit), "a process of the child lives")
	}
}

func requireAlive(t *testing.T, all []member) {
	t.Helper()
	for _, m := range all {
		require.False(t, m.endsWithin(t, 0), "a process of the child has ended")
	}
}

const familySize = 3

func TestStatusIsThatOfTheCommand(t *testing.T) {
	c := startRole(t, roleRead)
	require.NoError(t, c.Stdin().Close())
	require.Equal(t, "exit status 6", c.Wait().String())
}

func TestNothingSurvivesTheCommand(t *testing.T) {
	c := startRole(t, roleFamily)
	family := members(t, c.Stdout(), familySize)
	requireAlive(t, family)
	require.NoError(t, c.Stdin().Close())
	require.Equal(t, "exit status 6", c.Wait().String())
	requireEnded(t, family, 0)
	_, err := io.ReadAll(c.Stdout())
	require.NoError(t, err, "stdout ends although the others held it")
}

func TestNothingSurvivesKill(t *testing.T) {
	c := startRole(t, roleFamily)
	family := members(t, c.Stdout(), familySize)
	requireAlive(t, family)
	c.Kill()
	c.Wait()
	requireEnded(t, family, 0)
}

func TestStopKillsAtLast(t *testing.T) {
	c := startRole(t, roleSleep)
	sleeper := members(t, c.Stdout(), 1)
	require.Equal(t, "exit status 1", c.Stop(t.Context()).String())
	requireEnded(t, sleeper, 0)
}

func TestNothingSurvivesAKilledParent(t *testing.T) {
	parent := exec.Command(os.Args[0])
	parent.Env = append(os.Environ(), parentVariable+"="+roleFamily)
	stdout, err := parent.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, parent.Start())
	family := members(t, stdout, familySize)
	requireAlive(t, family)
	require.NoError(t, parent.Process.Kill())
	_ = parent.Wait()
	requireEnded(t, family, limits.Patience)
}

func TestFailureToStartIsTheCallersError(t *testing.T) {
	_, err := child.Start(child.Spec{Args: []string{"no-such-command-anywhere"}})
	require.ErrorIs(t, err, exec.ErrNotFound)
}

func TestManyChildrenLeaveNoHandleBehind(t *testing.T) {
	cycle := func() {
		c := startRole(t, roleRead)
		c.Stop(t.Context())
		_, err := io.ReadAll(c.Stdout())
		require.NoError(t, err)
	}
	cycle()
	before := handles(t)
	for range 20 {
		cycle()
	}
	// The runtime itself opens some handles, for threads.
	require.Less(t, handles(t)-before, 20)
}

func handles(t *testing.T) int {
	t.Helper()
	var count uint32
	ok, _, err := windows.NewLazySystemDLL("kernel32.dll").NewProc("GetProcessHandleCount").
		Call(uintptr(windows.CurrentProcess()), uintptr(unsafe.Pointer(&count)))
	require.NotZero(t, ok, err)
	return int(count)
}

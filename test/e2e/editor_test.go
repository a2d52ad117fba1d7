//go:build unix

package e2e

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// An editor is a process that an editor launches, as the editor sees it. When a
// test ends, it closes stdin, unless it ended the process in another way, and
// makes the checks of every test: see end.
type editor struct {
	t       *testing.T
	mark    string // in every process that descends from this one
	cmd     *exec.Cmd
	stdin   *os.File
	stdout  *os.File
	stderr  string // the file that stderr is written to
	exited  chan struct{}
	reading sync.WaitGroup
	code    int  // the exit code that end expects
	crude   bool // the last line may be incomplete
	leaves  bool // it may start a server that outlives it
	checked bool
	asked   map[string]bool // requests already passed to the test
	last    int             // id of the last request

	mu       sync.Mutex
	messages []message
	problem  error         // what was wrong on stdout
	grown    chan struct{} // closed and replaced with each message
	eof      bool          // stdout reached EOF
}

// options say how to launch the binary. The zero value is `turnwire acp`.
type options struct {
	binary string // defaults to the one with the race detector
	args   []string
	env    []string
	mark   string // a new one, unless set
	unread bool   // don't read stdout until read is called
}

// launch starts the binary.
func launch(t *testing.T, o options) *editor {
	t.Helper()
	if o.binary == "" {
		o.binary = binary
	}
	if o.args == nil {
		o.args = []string{"acp"}
	}
	if o.mark == "" {
		o.mark = newMark()
	}
	dir := t.TempDir()
	e := &editor{
		t:      t,
		mark:   o.mark,
		cmd:    exec.Command(o.binary, o.args...),
		stderr: filepath.Join(dir, "stderr"),
		exited: make(chan struct{}),
		asked:  make(map[string]bool),
		grown:  make(chan struct{}),
	}
	e.cmd.Dir = dir
	e.cmd.Env = append(environment(e.mark), o.env...)
	stderr, err := os.Create(e.stderr)
	require.NoError(t, err)
	defer stderr.Close()
	in, stdin, err := os.Pipe()
	require.NoError(t, err)
	defer in.Close()
	stdout, out, err := os.Pipe()
	require.NoError(t, err)
	defer out.Close()
	e.stdin, e.stdout = stdin, stdout
	e.cmd.Stdin, e.cmd.Stdout, e.cmd.Stderr = in, out, stderr
	require.NoError(t, e.cmd.Start())
	go func() {
		_ = e.cmd.Wait() // end looks at the state
		close(e.exited)
	}()
	t.Cleanup(e.discard)
	t.Cleanup(e.cleanUp)
	if !o.unread {
		e.read()
	}
	return e
}

// environment returns this process's environment with a mark, for a user
// without configuration. It changes the options of the race detector, which
// would otherwise wait a second at each exit.
func environment(mark string) []string {
	return append(os.Environ(), "TURNWIRE_E2E_MARK="+mark, "GORACE=atexit_sleep_ms=0", "XDG_CONFIG_HOME=/nobody", "XDG_CACHE_HOME="+filepath.Join(filepath.Dir(plainBinary), "cache"))
}

// read starts reading stdout.
func (e *editor) read() {
	e.reading.Go(func() {
		r := bufio.NewReaderSize(e.stdout, 64<<10)
		for {
			line, err := r.ReadBytes('\n')
			if len(line) > 0 {
				m, err := parse(line)
				e.note(m, err)
			}
			if err != nil {
				break
			}
		}
		e.mu.Lock()
		defer e.mu.Unlock()
		e.eof = true
		close(e.grown)
	})
}

func (e *editor) note(m message, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err != nil && e.problem == nil {
		e.problem = err
	}
	e.messages = append(e.messages, m)
	close(e.grown)
	e.grown = make(chan struct{})
}

// wait returns the first matching message.
func (e *editor) wait(what string, wanted func(message) bool) message {
	e.t.Helper()
	timeout := time.NewTimer(patience)
	defer timeout.Stop()
	for seen := 0; ; {
		e.mu.Lock()
		news, grown, over := e.messages[seen:], e.grown, e.eof
		e.mu.Unlock()
		for _, m := range news {
			if wanted(m) {
				return m
			}
		}
		seen += len(news)
		if over {
			require.FailNow(e.t, "stdout ended before there was "+what)
		}
		select {
		case <-grown:
		case <-timeout.C:
			require.FailNow(e.t, "there is still no "+what)
		}
	}
}

// cleanUp ends everything that the test left running.
func (e *editor) cleanUp() {
	if !e.t.Failed() && !e.checked {
		require.NoError(e.t, e.stdin.Close())
		e.end()
	}
}

// discard cleans up after a failed test, and logs its output.
func (e *editor) discard() {
	if !e.t.Failed() {
		return
	}
	if left, err := os.ReadFile(e.stderr); err == nil && len(left) > 0 {
		e.t.Logf("stderr: %s", left)
	}
	e.mu.Lock()
	for _, m := range e.messages[max(0, len(e.messages)-20):] {
		e.t.Logf("stdout: %.500s", m.line)
	}
	e.mu.Unlock()
	_ = e.cmd.Process.Kill()
	_ = e.stdin.Close()
	<-e.exited
	_ = e.stdout.Close()
	e.reading.Wait()
}

// end waits for the process, which the test has ended, and checks how it
// exited.
func (e *editor) end() {
	e.t.Helper()
	e.checked = true
	select {
	case <-e.exited:
	case <-time.After(patience):
		require.FailNow(e.t, "the process does not end")
	}
	require.Equal(e.t, e.code, e.cmd.ProcessState.ExitCode(), "exit code; %s", e.cmd.ProcessState)
	require.Eventually(e.t, func() bool { return e.leaves || len(descendants(e.mark)) == 0 }, patience, 10*time.Millisecond,
		"these processes were left behind: %v", lazily(func() any { return descendants(e.mark) }))
	e.reading.Wait() // no writer is left
	if err := e.stdin.Close(); !errors.Is(err, os.ErrClosed) {
		require.NoError(e.t, err)
	}
	_ = e.stdout.Close()
	if !e.crude {
		require.NoError(e.t, e.problem)
	}
	stderr, err := os.ReadFile(e.stderr)
	require.NoError(e.t, err)
	require.Empty(e.t, string(stderr), "stderr")
}

// lazily is a value that is computed only when it is printed.
type lazily func() any

// String implements [fmt.Stringer].
func (l lazily) String() string { return fmt.Sprint(l()) }

//go:build unix

package e2e

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// An editor is the process that an editor launches, seen from the editor. When
// the test ends it closes stdin, unless the test has ended it in another way,
// and asks what every test asks: see end.
type editor struct {
	t       *testing.T
	mark    string // found in everything that descends from the process
	cmd     *exec.Cmd
	stdin   *os.File
	stdout  *os.File
	stderr  string // the file that holds it
	exited  chan struct{}
	reading sync.WaitGroup
	code    int  // the exit code that end expects
	crude   bool // the end may cut a line in two
	checked bool
	asked   map[string]bool // requests that were given to the test
	last    int             // id of the last request

	mu       sync.Mutex
	messages []message
	problem  error         // what was wrong on stdout
	grown    chan struct{} // closed and replaced with each message
	over     bool          // stdout has ended
}

// options say how to launch the binary. The zero value is `turnwire acp`.
type options struct {
	binary string // the one that finds races, unless set
	args   []string
	env    []string
	mark   string // a new one, unless set
	unread bool   // nobody reads stdout before read is called
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

// environment is that of this process with a mark. The race detector would
// wait a second at each exit.
func environment(mark string) []string {
	return append(os.Environ(), "TURNWIRE_E2E_MARK="+mark, "GORACE=atexit_sleep_ms=0")
}

// read starts to read stdout.
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
		e.over = true
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

// wait returns the first message that is wanted.
func (e *editor) wait(what string, wanted func(message) bool) message {
	e.t.Helper()
	timeout := time.NewTimer(patience)
	defer timeout.Stop()
	for seen := 0; ; {
		e.mu.Lock()
		news, grown, over := e.messages[seen:], e.grown, e.over
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

// send writes a line to stdin.
func (e *editor) send(line string) {
	e.t.Helper()
	_, err := e.stdin.WriteString(line + "\n")
	require.NoError(e.t, err)
}

// notify sends a notification.
func (e *editor) notify(method string, params any) {
	e.t.Helper()
	raw, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "method": method, "params": params})
	require.NoError(e.t, err)
	e.send(string(raw))
}

// request sends a request and returns its id.
func (e *editor) request(method string, params any) int {
	e.t.Helper()
	e.last++
	raw, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": e.last, "method": method, "params": params})
	require.NoError(e.t, err)
	e.send(string(raw))
	return e.last
}

// answer waits for the answer to a request.
func (e *editor) answer(id int) message {
	e.t.Helper()
	return e.wait(fmt.Sprintf("answer to request %d", id), func(m message) bool { return m.isAnswer(id) })
}

// open initializes the connection and opens a session in dir.
func (e *editor) open(dir string) string {
	e.t.Helper()
	id := e.request("initialize", map[string]any{"protocolVersion": 1})
	require.Nil(e.t, e.answer(id).Error)
	return e.session(dir)
}

func (e *editor) session(dir string) string {
	e.t.Helper()
	id := e.request("session/new", map[string]any{"cwd": dir, "mcpServers": []any{}})
	m := e.answer(id)
	require.NotEmpty(e.t, m.Result.SessionID, m.line)
	return m.Result.SessionID
}

// prompt sends a prompt and returns its id.
func (e *editor) prompt(session, text string) int {
	e.t.Helper()
	return e.request("session/prompt", map[string]any{
		"sessionId": session,
		"prompt":    []any{map[string]any{"type": "text", "text": text}},
	})
}

func (e *editor) cancel(session string) {
	e.t.Helper()
	e.notify("session/cancel", map[string]any{"sessionId": session})
}

// stops waits for the end of a prompt that ends well.
func (e *editor) stops(id int) string {
	e.t.Helper()
	m := e.answer(id)
	require.Nil(e.t, m.Error, m.line)
	return m.Result.StopReason
}

// asks waits for the next request of a kind that was not given to the test yet.
func (e *editor) asks(method string) message {
	e.t.Helper()
	m := e.wait(method, func(m message) bool { return m.Method == method && !e.asked[string(m.ID)] })
	e.asked[string(m.ID)] = true
	return m
}

// choose answers a permission request with the option of a kind.
func (e *editor) choose(asked message, kind string) {
	e.t.Helper()
	e.choosing(asked, func(o option) bool { return o.Kind == kind })
}

// chooseNamed answers it with the option of a name.
func (e *editor) chooseNamed(asked message, name string) {
	e.t.Helper()
	e.choosing(asked, func(o option) bool { return o.Name == name })
}

func (e *editor) choosing(asked message, wanted func(option) bool) {
	e.t.Helper()
	i := slices.IndexFunc(asked.Params.Options, wanted)
	require.GreaterOrEqual(e.t, i, 0, "there is no such option in %s", asked.line)
	raw, err := json.Marshal(asked.Params.Options[i].ID)
	require.NoError(e.t, err)
	e.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"outcome":{"outcome":"selected","optionId":%s}}}`, asked.ID, raw))
}

// saw waits until the text of all messages so far holds a part.
func (e *editor) saw(part string) {
	e.t.Helper()
	var all strings.Builder
	e.wait("text "+part, func(m message) bool {
		all.WriteString(m.text())
		return strings.Contains(all.String(), part)
	})
}

// text is the text of all messages so far.
func (e *editor) text() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	var all strings.Builder
	for _, m := range e.messages {
		all.WriteString(m.text())
	}
	return all.String()
}

// cleanUp ends what the test has left.
func (e *editor) cleanUp() {
	if !e.t.Failed() && !e.checked {
		require.NoError(e.t, e.stdin.Close())
		e.end()
	}
}

// discard leaves nothing behind a test that has failed, but what it wrote.
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

// end waits for the end of the process, which the test has caused, and checks
// how it ended.
func (e *editor) end() {
	e.t.Helper()
	e.checked = true
	select {
	case <-e.exited:
	case <-time.After(patience):
		require.FailNow(e.t, "the process does not end")
	}
	require.Equal(e.t, e.code, e.cmd.ProcessState.ExitCode(), "exit code; %s", e.cmd.ProcessState)
	require.Eventually(e.t, func() bool { return len(descendants(e.mark)) == 0 }, patience, 10*time.Millisecond,
		"these processes were left behind: %v", lazily(func() any { return descendants(e.mark) }))
	e.reading.Wait() // nobody is left who could write
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

// lazily is a value that is computed when it is printed.
type lazily func() any

// String implements [fmt.Stringer].
func (l lazily) String() string { return fmt.Sprint(l()) }

//go:build unix

package process_test

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/test/limits"
)

func TestCloseEndsEventsAndRefusesPrompts(t *testing.T) {
	c := open(t, scripted(`while read -r line; do say hi; end; done`))
	c.prompt("t1")
	c.until("done")
	require.NoError(t, c.Close(t.Context()))
	_, ok := <-c.Events()
	require.False(t, ok)
	require.NoError(t, c.Close(t.Context()))
	require.Error(t, c.Prompt(agent.Prompt{TurnID: "t2"}))
	c.Cancel(agent.Cancel{})
	c.Abandon("t1")
}

func TestSessionWithoutAPromptCloses(t *testing.T) {
	c := open(t, scripted(`exit 1`))
	require.NoError(t, c.Close(t.Context()))
	_, ok := <-c.Events()
	require.False(t, ok)
}

func TestCloseLetsTheChildFinishWhatItWrites(t *testing.T) {
	mark := filepath.Join(t.TempDir(), "mark")
	config := scripted(`
		read -r line
		say ready; head -c 1000000 /dev/zero | tr '\0' ' '; echo
		while read -r line; do :; done
		echo orderly > "$MARK"`)
	config.Env = append(os.Environ(), "MARK="+mark)
	c := open(t, config)
	c.prompt("t1")
	c.next()
	require.NoError(t, c.Close(t.Context()))
	text, err := os.ReadFile(mark)
	require.NoError(t, err)
	require.Equal(t, "orderly\n", string(text))
}

func TestCloseNeedsNoReceiver(t *testing.T) {
	c := open(t, scripted(`read -r line; trap '' TERM; yes '{"type":"text_delta","text":"flood"}'`))
	c.prompt("t1")
	c.Batch() // never released
	require.NoError(t, c.Close(t.Context()))
}

func TestCloseDoesNotNeedAnAbandonedTurnsBatch(t *testing.T) {
	c := open(t, scripted(`read -r line; while :; do say flood; done`))
	c.prompt("t1")
	c.Batch()
	c.Abandon("t1")
	require.NoError(t, c.Close(t.Context()))
}

func TestCloseKillsWhenItsContextHasEnded(t *testing.T) {
	c := open(t, scripted(`trap '' TERM; read -r line; say "$$"; while :; do sleep 0.01; done`))
	c.prompt("t1")
	pid, err := strconv.Atoi(c.next())
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.NoError(t, c.Close(ctx))
	limits.Eventually(t, func() bool { return syscall.Kill(pid, 0) != nil })
}

func TestCloseEndsDescendants(t *testing.T) {
	c := open(t, scripted(`read -r line; (sleep 3600 & say "$!"); while read -r line; do :; done`))
	c.prompt("t1")
	pid, err := strconv.Atoi(strings.TrimSpace(c.next()))
	require.NoError(t, err)
	require.NoError(t, c.Close(t.Context()))
	limits.Eventually(t, func() bool { return syscall.Kill(pid, 0) != nil })
}

func TestAllMethodsMayBeCalledAtOnce(t *testing.T) {
	c := open(t, scripted(`while read -r line; do say hi; end; done`))
	received := make(chan struct{})
	go func() {
		defer close(received)
		for b := range c.Events() {
			for range b.Events() {
				continue
			}
			b.Release()
		}
	}()
	const each = 20
	called := make(chan struct{})
	for i := range each {
		turn := strconv.Itoa(i)
		for _, call := range []func(){
			func() { _ = c.Prompt(agent.Prompt{TurnID: turn}) },
			func() { c.Cancel(agent.Cancel{TurnID: turn}) },
			func() { c.Confirm(agent.ConfirmationResponse{TurnID: turn}) },
			func() { c.Abandon(turn) },
		} {
			go func() { call(); called <- struct{}{} }()
		}
	}
	for range 2 * each {
		<-called
	}
	closed := make(chan error)
	for range 3 {
		go func() { closed <- c.Close(t.Context()) }()
	}
	for range 2 * each {
		<-called
	}
	for range 3 {
		require.NoError(t, <-closed)
	}
	<-received
}

func TestManySessionsLeaveNothingOpen(t *testing.T) {
	cycle := func(s *conversation) {
		s.prompt("t1")
		s.until("done")
		require.NoError(t, s.Close(t.Context()))
	}
	config := scripted(`while read -r line; do say hi; end; done`)
	cycle(open(t, config))
	before := openFiles(t)
	for range 10 {
		var sessions []*conversation
		for range 10 {
			sessions = append(sessions, open(t, config))
		}
		for _, s := range sessions {
			cycle(s)
		}
	}
	require.Equal(t, before, openFiles(t))
}

func openFiles(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/dev/fd")
	require.NoError(t, err)
	return len(entries)
}

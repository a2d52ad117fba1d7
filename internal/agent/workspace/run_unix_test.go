//go:build unix

package workspace

import (
	"os"
	"strings"
	"syscall"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
)

func TestRunStreamsTheOutput(t *testing.T) {
	c := open(t, nil)
	require.NoError(t, syscall.Mkfifo(c.path("go"), 0o600))
	c.decide = always(agent.AllowOnce)
	c.prompt("/run pwd; echo é >&2; cat go; exit 3")
	request := until[*agent.ConfirmationRequested](c)
	require.Equal(t, "execute", request.Kind)
	require.JSONEq(t, `{"command":"pwd; echo é >&2; cat go; exit 3"}`, string(request.Args))
	c.session.Confirm(agent.ConfirmationResponse{ToolCallID: request.ToolCallID, Decision: agent.AllowOnce})
	var seen strings.Builder
	for !strings.Contains(seen.String(), "é") {
		seen.WriteString(until[*agent.ToolOutput](c).Text.String())
	}
	require.Equal(t, c.dir+"\né\n", seen.String(), "while the command still runs")
	require.NoError(t, os.WriteFile(c.path("go"), []byte("end"), 0o600))
	s := c.rest()
	require.Equal(t, "end", s.output())
	end := one[*agent.ToolEnd](t, s)
	require.False(t, end.OK)
	require.Equal(t, 3, *end.ExitCode)
	require.Equal(t, "exit status 3", end.Error)
	require.Contains(t, s.text(), "All done: 1 step, 1 failed.")
}

func TestRunSucceedsWithExitCodeZero(t *testing.T) {
	s := writable(t, nil).turn("/run true")
	end := one[*agent.ToolEnd](t, s)
	require.True(t, end.OK)
	require.Zero(t, *end.ExitCode)
	require.Contains(t, s.text(), "All done: 1 step.")
}

func TestRunReportsASignal(t *testing.T) {
	end := one[*agent.ToolEnd](t, writable(t, nil).turn("/run kill -KILL $$"))
	require.False(t, end.OK)
	require.Contains(t, end.Error, "killed")
	require.Nil(t, end.ExitCode)
}

func TestRunFailsInAMissingDirectory(t *testing.T) {
	c := writable(t, nil)
	require.NoError(t, os.RemoveAll(c.dir))
	require.Contains(t, c.failure("/run true"), "run the command")
}

func TestTheOutputOfACommandIsBounded(t *testing.T) {
	s := writable(t, nil).turn("/run yes é | head -c 3000000; echo end >&2")
	require.Less(t, len(s.output()), (1<<20)+(16<<10)+100)
	require.Contains(t, s.output(), "More output is not shown")
	require.True(t, utf8.ValidString(s.output()))
	require.NotContains(t, s.output(), "\ufffd", "no character is cut in two")
	require.True(t, one[*agent.ToolEnd](t, s).OK)
}

func TestCancelEndsACommandAndAllThatItStarted(t *testing.T) {
	for _, command := range []string{
		"sleep 3600",
		"trap '' TERM; echo on; while :; do sleep 3600; done",
		"(trap '' TERM HUP; sleep 3600) & echo on; wait",
		"yes",
	} {
		c := writable(t, nil)
		id := c.prompt("/run "+command, "/say no")
		request := until[*agent.ConfirmationRequested](c)
		c.session.Confirm(agent.ConfirmationResponse{ToolCallID: request.ToolCallID, Decision: agent.AllowOnce})
		until[*agent.ToolStart](c)
		if strings.Contains(command, "echo") || command == "yes" {
			until[*agent.ToolOutput](c)
		}
		require.True(t, one[*agent.ToolEnd](t, c.cancelled(id)).Cancelled, command)
	}
}

func TestCloseEndsACommand(t *testing.T) {
	c := writable(t, nil)
	c.prompt("/run echo on; sleep 3600")
	request := until[*agent.ConfirmationRequested](c)
	c.session.Confirm(agent.ConfirmationResponse{ToolCallID: request.ToolCallID, Decision: agent.AllowOnce})
	until[*agent.ToolOutput](c)
	require.NoError(t, c.session.Close(t.Context()))
}

func TestProcessesOfACommandEndWithIt(t *testing.T) {
	s := writable(t, nil).turn("/run sleep 3600 & echo done")
	require.Equal(t, "done\n", s.output())
	require.True(t, one[*agent.ToolEnd](t, s).OK)
}

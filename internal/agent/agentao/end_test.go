//go:build unix && external

package agentao_test

import (
	"bufio"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/agentao"
	"github.com/turnwire/turnwire/internal/agent/transport/child"
)

func TestCancelEndsATurn(t *testing.T) {
	c := open(t, standIn())
	c.prompt("wait")
	c.until("waiting")
	c.Cancel(agent.Cancel{TurnID: "another"})
	c.Stop()
	require.Equal(t, []string{"done cancelled"}, c.until("done"))
	require.Equal(t, []string{"on in turn 2", "done "}, c.turnAfterCancel("say on"))
}

func TestCancelRefusesOpenRequests(t *testing.T) {
	for prompt, asked := range map[string]string{"tool make clean": "confirm", "ask Which colour?": "question", "max": "question", "twins make": "confirm"} {
		t.Run(prompt, func(t *testing.T) {
			c := open(t, standIn())
			c.prompt(prompt)
			c.until(asked)
			c.Stop()
			events := c.until("done")
			require.Equal(t, "done cancelled", events[len(events)-1])
			for _, s := range events {
				require.NotContains(t, s, "ok ran")
			}
			c.Confirm(agent.ConfirmationResponse{ToolCallID: "confirm-1", Decision: agent.AllowOnce})
			require.Equal(t, []string{"on in turn 2", "done "}, c.turnAfterCancel("say on"), "a late answer is nobody's")
		})
	}
}

func TestNothingIsAskedAfterACancel(t *testing.T) {
	c := open(t, standIn())
	c.prompt("late")
	c.until("waiting")
	c.Stop()
	require.Equal(t, []string{"allowed: False, answer: (the user did not answer)", "done cancelled"}, c.until("done"))
}

// A session sends the host one turn at a time; the host accepts several.
func TestATurnCancelledBeforeItsStartDoesNotStart(t *testing.T) {
	python, err := child.Start(child.Spec{Args: []string{"python3", "-u", "-c", agentao.Host()}, Dir: t.TempDir(), Env: standIn().Env, Stdin: true})
	require.NoError(t, err)
	defer python.Close()
	out := bufio.NewScanner(python.Stdout())
	tell := func(lines ...string) {
		_, err := fmt.Fprintln(python.Stdin(), strings.Join(lines, "\n"))
		require.NoError(t, err)
	}
	until := func(part string) (events string) {
		for out.Scan() {
			events += out.Text() + "\n"
			if strings.Contains(out.Text(), part) {
				return events
			}
		}
		require.Fail(t, "it was not said", "%s after %s", part, events)
		return events
	}
	tell(`{"type":"session"}`, `{"type":"prompt","turnId":"t1","text":"wait"}`)
	until("waiting")
	tell(`{"type":"prompt","turnId":"t2","text":"say never"}`, `{"type":"cancel","turnId":"t2"}`, `{"type":"cancel","turnId":"t1"}`)
	for _, end := range []string{"turn_end", "host.done"} {
		events := until(end)
		require.Contains(t, events, `"status": "cancelled"`)
		require.NotContains(t, events, "never")
	}
	tell(`{"type":"prompt","turnId":"t3","text":"say on"}`)
	require.Contains(t, until("turn_end"), "on in turn 2")
}

func TestANewHostContinuesAfterACrash(t *testing.T) {
	c := open(t, standIn())
	c.turn("say hi")
	died := c.turn("die")
	require.Len(t, died, 1)
	require.Contains(t, died[0], "error agent_exited")
	require.Equal(t, []string{"user:say hi user:history", "done "}, c.turn("history"))
	c.turn("forget") // and dies
	events := c.turn("history")
	require.Contains(t, events[0], "notice Agentao no longer has this conversation")
	require.Equal(t, []string{"user:history", "done "}, events[1:])
	require.Equal(t, []string{"user:history user:history", "done "}, c.turn("history"), "it is said once")
}

// Close starts by closing stdin. If Turnwire dies, EOF on stdin is the only
// signal: the host must then exit by itself.
func TestTheEndOfStdinEndsTheHost(t *testing.T) {
	for prompt, seen := range map[string]string{
		"":                "",
		"say hi":          "turn_end",
		"wait":            "waiting",
		"tool make clean": "host.confirm",
		"ask Why?":        "host.ask",
		"max":             "host.max_iterations",
		"twins make":      "host.confirm",
	} {
		t.Run(prompt, func(t *testing.T) {
			mark := filepath.Join(t.TempDir(), "mark")
			python, err := child.Start(child.Spec{
				Args:  []string{"python3", "-u", "-c", agentao.Host()},
				Dir:   t.TempDir(),
				Env:   append(standIn().Env, "CLOSED_MARK="+mark),
				Stdin: true,
			})
			require.NoError(t, err)
			defer python.Close()
			out := bufio.NewScanner(python.Stdout())
			if prompt != "" {
				_, err = fmt.Fprintf(python.Stdin(), `{"type":"session"}`+"\n"+`{"type":"prompt","turnId":"t1","text":%q}`+"\n", prompt)
				require.NoError(t, err)
			}
			for seen != "" && out.Scan() && !strings.Contains(out.Text(), seen) {
			}
			require.NoError(t, python.Stdin().Close())
			for out.Scan() {
				require.NotContains(t, out.Text(), `"status": "ok"`, "no tool has run")
			}
			require.Equal(t, "exit status 0", python.Wait().String(), python.StderrTail())
			if prompt != "" {
				require.FileExists(t, mark, "Agentao was closed in order")
			}
		})
	}
}

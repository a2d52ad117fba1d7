package relay_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/agent/acptransport"
	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/bridge/journal"
	"github.com/turnwire/turnwire/internal/bridge/source/relay"
	"github.com/turnwire/turnwire/internal/bridge/source/relay/quirks"
	"github.com/turnwire/turnwire/internal/bridge/view/acp"
	"github.com/turnwire/turnwire/internal/test/golden"
	"github.com/turnwire/turnwire/internal/test/limits"
)

const patience = limits.Patience

// TestTranscripts plays the conversations in testdata. Each line is a step:
//
//	editor> the editor writes this line
//	editor< it reads this one
//	agent>  the agent writes this line
//	agent<  it reads this one
//	agent starts, agent exits N
//	patience is short (for an agent that does not end a cancelled turn)
//	sessions are kept
//	two sessions may be open
//	the agent is glue (it has the quirks of Glue)
//	rules decide (see rules; what was decided is told at the end)
//	editor starts again (with another relay, after the end of the first)
//	write NAME TEXT (writes a file in $DIR, the folder of the test; TEXT is JSON)
//	file NAME TEXT (the file has this text)
//
// A step begins when the previous one is done, so the order is deterministic. Lines
// that start with # are comments.
func TestTranscripts(t *testing.T) {
	golden.Each(t, "testdata/*.txt", func(t *testing.T, path string) {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		synctest.Test(t, func(t *testing.T) { golden.File(t, path, play(t, string(text))) })
	})
}

type relayConfig = relay.Config

// A stage is a relay between an editor and an agent that the test plays. It lives in a
// synctest bubble, so its deadline only expires if all goroutines are idle.
type stage struct {
	t      *testing.T
	in     net.Conn
	out    *bufio.Reader
	agents chan *playedAgent // agents that were started
	agent  *playedAgent
	heard  *bufio.Reader
	served chan error
}

func setUp(t *testing.T, change func(*relay.Config)) *stage {
	t.Helper()
	return setUpBehind(t, change, func(s core.Source) core.Source { return s })
}

// setUpBehind is like setUp, with a source between the view and the relay.
func setUpBehind(t *testing.T, change func(*relay.Config), wrap func(core.Source) core.Source) *stage {
	t.Helper()
	agents := make(chan *playedAgent, 8)
	in, relayIn := net.Pipe()
	out, relayOut := net.Pipe()
	for _, c := range []net.Conn{in, out} {
		require.NoError(t, c.SetDeadline(time.Now().Add(patience)))
	}
	cfg := relay.Config{
		Agent: relay.Agent{
			Name: "teapot", Args: []string{"teapot"},
			Start: func(s acptransport.Spec) (acptransport.Transport, error) {
				a := startPlayed(s)
				agents <- a
				return a, nil
			},
		},
		Config:      core.Config{Version: "1.2.3", Log: slog.New(slog.DiscardHandler)},
		CancelGrace: time.Hour,
	}
	client := acp.Config{In: relayIn, Out: relayOut, Log: cfg.Log}
	if change != nil {
		change(&cfg)
	}
	s := &stage{t: t, in: in, out: bufio.NewReader(out), agents: agents, served: make(chan error, 1)}
	go func() {
		s.served <- acp.Serve(context.Background(), client, func(v core.View) core.Source { return wrap(relay.New(cfg, v)) })
	}()
	t.Cleanup(func() {
		_ = in.Close()
		_ = out.Close()
		if s.agent != nil {
			s.agent.exit("exit status 0")
		}
	})
	return s
}

// start waits for the agent to be started.
func (s *stage) start() {
	s.t.Helper()
	if s.agent != nil {
		s.agent.exit("exit status 0")
	}
	select {
	case s.agent = <-s.agents:
		s.heard = s.agent.heard
	case <-time.After(patience):
		require.Fail(s.t, "the agent was not started")
	}
}

func (s *stage) write(to io.Writer, text string) {
	s.t.Helper()
	_, err := io.WriteString(to, text)
	require.NoError(s.t, err)
}

func (s *stage) read(from *bufio.Reader, who string) string {
	s.t.Helper()
	line, err := from.ReadString('\n')
	require.NoError(s.t, err, "%s: nothing came but %q", who, line)
	return strings.TrimSuffix(line, "\n")
}

// end closes the relay's input, and returns what the editor still reads.
func (s *stage) end() (rest []string) {
	s.t.Helper()
	require.NoError(s.t, s.in.Close())
	if s.agent != nil { // it ends at EOF, as agents do
		go func() {
			_, _ = io.Copy(io.Discard, s.heard)
			s.agent.exit("exit status 0")
		}()
	}
	for {
		line, err := s.out.ReadString('\n')
		if err != nil {
			require.True(s.t, errors.Is(err, io.EOF) || errors.Is(err, io.ErrClosedPipe), "%v", err)
			break
		}
		rest = append(rest, strings.TrimSuffix(line, "\n"))
	}
	require.NoError(s.t, <-s.served)
	return rest
}

// These match what differs in each run.
var (
	changed = regexp.MustCompile(`"updatedAt":"[^"]*"`)
	decided = regexp.MustCompile(`"time":"[^"]*"`)
)

// same returns a line without what differs in each run.
func same(line string) string {
	line = changed.ReplaceAllString(line, `"updatedAt":"…"`)
	return decided.ReplaceAllString(line, `"time":"…"`)
}

// play plays a transcript, and returns it with the lines that were read.
func play(t *testing.T, text string) string {
	t.Helper()
	const short, keeps, decide, few, glue = "patience is short\n", "sessions are kept\n", "rules decide\n", "two sessions may be open\n", "the agent is glue\n"
	var audit rules
	store, dir := journal.NewFolder(t.TempDir()), project(t)
	configure := func(c *relayConfig) {
		if strings.Contains(text, "\n"+short) {
			c.CancelGrace = time.Millisecond
		}
		if strings.Contains(text, "\n"+glue) {
			c.Agent.Name, c.Agent.Quirks = "glue", quirks.Glue()
			c.Agent.Quirks.Folders = false // the transcript has one agent
		}
		if strings.Contains(text, "\n"+few) {
			c.MaxSessions = 2
		}
		if strings.Contains(text, "\n"+keeps) {
			c.Journal, c.Key = store, "teapot"
		}
		if strings.Contains(text, "\n"+decide) {
			c.Judge, c.Audit, c.Key = &audit, audit.note, "teapot"
		}
	}
	s := setUp(t, configure)
	read := func(from *bufio.Reader, who string) string { return strings.ReplaceAll(s.read(from, who), dir, "$DIR") }
	var b strings.Builder
	for step := range strings.Lines(text) {
		step = strings.TrimSuffix(step, "\n")
		who, line, _ := strings.Cut(step, " ")
		line = strings.ReplaceAll(line, "$DIR", dir)
		switch {
		case step == "" || who == "#":
		case step+"\n" == short, step+"\n" == keeps, step+"\n" == decide, step+"\n" == few, step+"\n" == glue:
		case step == "editor starts again":
			for _, line := range s.end() {
				b.WriteString("end< " + strings.ReplaceAll(line, dir, "$DIR") + "\n")
			}
			s = setUp(t, configure)
		case who == "end<", who == "decided:":
			continue // they are read below
		case who == "editor>":
			s.write(s.in, line+"\n")
			synctest.Wait()
		case who == "agent>":
			s.write(s.agent, line+"\n")
			synctest.Wait()
		case who == "editor<":
			step = who + " " + same(read(s.out, step))
		case who == "agent<":
			step = who + " " + read(s.heard, step)
		case who == "write":
			name, text, _ := strings.Cut(line, " ")
			writeFile(t, filepath.Join(dir, name), text)
		case who == "file":
			name, _, _ := strings.Cut(line, " ")
			step = who + " " + name + " " + textOf(t, filepath.Join(dir, name))
		case step == "agent starts":
			s.start()
		case strings.HasPrefix(step, "agent exits "):
			s.agent.exit("exit status " + strings.TrimPrefix(step, "agent exits "))
		default:
			require.Fail(t, "no step", "%q", step)
		}
		b.WriteString(step + "\n")
	}
	for _, line := range s.end() {
		b.WriteString("end< " + strings.ReplaceAll(line, dir, "$DIR") + "\n")
	}
	for _, line := range audit.lines {
		b.WriteString("decided: " + strings.ReplaceAll(line, dir, "$DIR") + "\n")
	}
	return b.String()
}
